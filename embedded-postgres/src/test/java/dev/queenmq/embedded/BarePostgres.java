package dev.queenmq.embedded;

import dev.queenmq.embedded.process.Command;
import dev.queenmq.embedded.process.LaunchPlan;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Any PostgreSQL, without the checks of {@link EmbeddedPostgres}, which would refuse an old one.
 * Accepts every connection over loopback.
 */
public final class BarePostgres implements AutoCloseable {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final Process process;
  private final int port;

  private BarePostgres(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Creates a database in an empty folder and starts a server there, which may not be ready yet.
   */
  public static BarePostgres start(Path bin, Path folder) throws Exception {
    Path cluster = Files.createDirectory(folder.resolve("cluster"));
    LaunchPlan plan = new LauncherChooser(bin.resolve("postgres"), folder).choose(Optional.empty());
    plan.handOver(cluster);
    Command.Outcome outcome =
        Command.run(
            plan.command(
                "KILL",
                List.of(
                    bin.resolve("initdb").toString(),
                    "--pgdata=" + cluster,
                    "--username=postgres",
                    "--auth=trust",
                    "--no-sync")),
            LIMIT);
    if (!outcome.succeeded()) {
      throw new IllegalStateException(outcome.output());
    }
    int port = freePort();
    List<String> program =
        List.of(
            bin.resolve("postgres").toString(),
            "-D",
            cluster.toString(),
            "-p",
            Integer.toString(port),
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "unix_socket_directories=");
    Process process =
        Command.prepare(plan.command("KILL", program))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    return new BarePostgres(process, port);
  }

  /** Where it listens, on 127.0.0.1. */
  public int port() {
    return port;
  }

  @Override
  public void close() {
    List<ProcessHandle> children = process.descendants().toList();
    process.destroy();
    if (process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join().isAlive()) {
      process.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
