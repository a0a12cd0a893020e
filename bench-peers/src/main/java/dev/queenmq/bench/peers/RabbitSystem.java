package dev.queenmq.bench.peers;

import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.bench.broker.ChildProcess;
import dev.queenmq.bench.broker.FreePorts;
import dev.queenmq.bench.compare.OnDisk;
import dev.queenmq.bench.compare.RunningSystem;
import dev.queenmq.bench.compare.StartOptions;
import dev.queenmq.bench.compare.SystemUnderTest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** RabbitMQ of the Debian package, a node of its own beside any that runs as a service. */
final class RabbitSystem implements SystemUnderTest {
  private static final String SERVER = "/usr/lib/rabbitmq/bin/rabbitmq-server";
  private static final String EPMD = "/usr/bin/epmd";
  private static final String HERE = "127.0.0.1";

  RabbitSystem() {}

  @Override
  public String name() {
    return "rabbitmq";
  }

  @Override
  public OnDisk onDisk() {
    return OnDisk.YES;
  }

  @Override
  public String setup() {
    return "RabbitMQ, one node, a quorum queue per lane, publisher confirms: sent after the sync of"
        + " its write-ahead log; prefetch is the batch; acks are not answered";
  }

  @Override
  public Optional<String> missing() {
    return ChildProcess.find(SERVER).isPresent()
        ? Optional.empty()
        : Optional.of("install the Debian package rabbitmq-server");
  }

  @Override
  public RunningSystem start(StartOptions options) {
    return RunningSystem.start(options, (folder, parts) -> start(options, folder, parts));
  }

  private static RunningSystem start(
      StartOptions options, TemporaryFolder folder, List<AutoCloseable> parts) {
    List<Integer> ports = FreePorts.take(3);
    int port = ports.get(0);
    Map<String, String> environment = environment(folder.path(), ports);
    // Else the node would start one that stays.
    ChildProcess.find(EPMD)
        .ifPresent(
            epmd ->
                parts.add(
                    ChildProcess.start(
                        "epmd", folder.path(), List.of(epmd.toString()), environment)));
    ChildProcess server =
        ChildProcess.start("rabbitmq", folder.path(), List.of(SERVER), environment).owning(folder);
    parts.add(server);
    ConnectionFactory factory = new ConnectionFactory();
    factory.setHost(HERE);
    factory.setPort(port);
    factory.setAutomaticRecoveryEnabled(false);
    Connection first = server.await(factory::newConnection);
    parts.add(first);
    RabbitTarget target = new RabbitTarget(options, server.pid(), factory, first);
    parts.add(target);
    return new RunningSystem(
        String.valueOf(first.getServerProperties().get("version")), target, parts);
  }

  private static Map<String, String> environment(Path folder, List<Integer> ports) {
    try {
      Files.writeString(folder.resolve("rabbitmq.conf"), "");
      Files.writeString(folder.resolve("enabled_plugins"), "[].\n");
      Files.writeString(folder.resolve("rabbitmq-env.conf"), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return Map.ofEntries(
        Map.entry("HOME", folder.toString()),
        Map.entry("RABBITMQ_NODENAME", "bench" + ports.get(0) + "@localhost"),
        Map.entry("RABBITMQ_NODE_IP_ADDRESS", HERE),
        Map.entry("RABBITMQ_NODE_PORT", ports.get(0).toString()),
        Map.entry("RABBITMQ_DIST_PORT", ports.get(1).toString()),
        Map.entry("ERL_EPMD_PORT", ports.get(2).toString()),
        Map.entry("ERL_EPMD_ADDRESS", HERE),
        Map.entry(
            "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "-kernel inet_dist_use_interface {127,0,0,1}"),
        Map.entry("RABBITMQ_CONF_ENV_FILE", folder.resolve("rabbitmq-env.conf").toString()),
        Map.entry("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq.conf").toString()),
        Map.entry("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("enabled_plugins").toString()),
        Map.entry("RABBITMQ_MNESIA_BASE", folder.resolve("mnesia").toString()),
        Map.entry("RABBITMQ_LOG_BASE", folder.resolve("log").toString()),
        Map.entry("RABBITMQ_PID_FILE", folder.resolve("pid").toString()));
  }
}
