package dev.queenmq.bench.peers;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * Kafka from its Maven artifacts: one node that is broker and controller, in a process of its own.
 *
 * @param flush whether each append is on the disk before it is confirmed, offsets of consumers too
 */
record KafkaSystem(boolean flush) implements SystemUnderTest {
  private static final String MAIN = "kafka.Kafka";
  private static final String FORMAT = "kafka.tools.StorageTool";

  /** As Kafka's own scripts start it. */
  private static final List<String> JVM =
      List.of("-Xmx1G", "-Xms1G", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20");

  @Override
  public String name() {
    return flush ? "kafka-flush" : "kafka";
  }

  @Override
  public OnDisk onDisk() {
    return flush ? OnDisk.YES : OnDisk.NO;
  }

  @Override
  public String setup() {
    return "Kafka, one KRaft node, acks=all, linger.ms=0, a partition per lane; "
        + (flush
            ? "log.flush.interval.messages=1: each append is synced before it is confirmed"
            : "confirmed from the page cache: replicas, not the disk, are meant to keep it")
        + "; acks commit offsets";
  }

  @Override
  public Optional<String> missing() {
    try {
      Class.forName(MAIN, false, KafkaSystem.class.getClassLoader());
      return Optional.empty();
    } catch (ClassNotFoundException e) {
      return Optional.of("its server is not on the class path: start with ./queen bench compare");
    }
  }

  @Override
  public RunningSystem start(StartOptions options) {
    return RunningSystem.start(options, (folder, parts) -> start(options, folder, parts));
  }

  private RunningSystem start(
      StartOptions options, TemporaryFolder folder, List<AutoCloseable> parts) {
    List<Integer> ports = FreePorts.take(2);
    Path properties = configure(folder.path(), ports.get(0), ports.get(1));
    try (ChildProcess format =
        java(
            "kafka-format",
            folder.path(),
            FORMAT,
            List.of("format", "-t", Uuid.randomUuid().toString(), "-c", properties.toString()))) {
      format.awaitEnd();
    }
    ChildProcess server =
        java("kafka", folder.path(), MAIN, List.of(properties.toString())).owning(folder);
    parts.add(server);
    String address = "127.0.0.1:" + ports.get(0);
    Admin admin = Admin.create(Map.of("bootstrap.servers", address));
    parts.add(admin);
    server.await(() -> admin.describeCluster().nodes().get());
    KafkaTarget target = new KafkaTarget(options, server.pid(), address, admin);
    parts.add(target);
    target.prepareGroups();
    return new RunningSystem(AppInfoParser.getVersion(), target, parts);
  }

  private static ChildProcess java(String name, Path folder, String main, List<String> arguments) {
    List<String> all = new ArrayList<>(List.of("-Dlogback.configurationFile=logback-bench.xml"));
    all.addAll(List.of("-cp", System.getProperty("java.class.path"), main));
    all.addAll(arguments);
    return ChildProcess.start(name, folder, ChildProcess.java(JVM, all), Map.of());
  }

  private Path configure(Path folder, int port, int controllerPort) {
    String text =
        """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%2$d
        listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
        advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
        controller.listener.names=CONTROLLER
        listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
        log.dirs=%3$s
        offsets.topic.replication.factor=1
        transaction.state.log.replication.factor=1
        transaction.state.log.min.isr=1
        %4$s
        """
            .formatted(
                port,
                controllerPort,
                folder.resolve("logs"),
                flush ? "log.flush.interval.messages=1" : "");
    try {
      return Files.writeString(folder.resolve("server.properties"), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
