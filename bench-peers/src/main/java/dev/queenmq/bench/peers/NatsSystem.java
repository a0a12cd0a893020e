package dev.queenmq.bench.peers;

import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.bench.broker.ChildProcess;
import dev.queenmq.bench.broker.FreePorts;
import dev.queenmq.bench.compare.OnDisk;
import dev.queenmq.bench.compare.RunningSystem;
import dev.queenmq.bench.compare.StartOptions;
import dev.queenmq.bench.compare.SystemUnderTest;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** NATS JetStream of the Debian package, a server of its own beside any that runs as a service. */
final class NatsSystem implements SystemUnderTest {
  private static final String[] SERVER = {
    "/usr/sbin/nats-server", "/usr/bin/nats-server", "/usr/local/bin/nats-server"
  };

  NatsSystem() {}

  @Override
  public String name() {
    return "nats";
  }

  @Override
  public OnDisk onDisk() {
    return OnDisk.NO;
  }

  @Override
  public String setup() {
    return "NATS JetStream, one server, file storage, a subject per lane, as shipped: confirmed"
        + " after the write, synced every two minutes, so a power failure loses confirmed"
        + " messages; acks are not answered; no order within a lane";
  }

  @Override
  public Optional<String> missing() {
    return ChildProcess.find(SERVER).isPresent()
        ? Optional.empty()
        : Optional.of("install the Debian package nats-server");
  }

  @Override
  public RunningSystem start(StartOptions options) {
    return RunningSystem.start(options, (folder, parts) -> start(options, folder, parts));
  }

  private static RunningSystem start(
      StartOptions options, TemporaryFolder folder, List<AutoCloseable> parts) {
    int port = FreePorts.take(1).get(0);
    ChildProcess server =
        ChildProcess.start(
                "nats",
                folder.path(),
                List.of(
                    ChildProcess.find(SERVER).map(Path::toString).orElseThrow(),
                    "--jetstream",
                    "--store_dir",
                    folder.path().resolve("data").toString(),
                    "--addr",
                    "127.0.0.1",
                    "--port",
                    Integer.toString(port)),
                Map.of())
            .owning(folder);
    parts.add(server);
    // Without a listener the client prints; failures are answered where they happen.
    Options connect =
        Options.builder()
            .server("nats://127.0.0.1:" + port)
            .noReconnect()
            .errorListener(new ErrorListener() {})
            .build();
    Connection first = server.await(() -> Nats.connect(connect));
    parts.add(first);
    NatsTarget target = new NatsTarget(options, server.pid(), connect, first);
    parts.add(target);
    return new RunningSystem(first.getServerInfo().getVersion(), target, parts);
  }
}
