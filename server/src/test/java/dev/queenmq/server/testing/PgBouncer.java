package dev.queenmq.server.testing;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.queenmq.server.config.values.PostgresEndpoint;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A PgBouncer in transaction mode before a test's database. */
public final class PgBouncer implements AutoCloseable {

  private final Process process;
  private final PostgresEndpoint endpoint;

  private PgBouncer(Process process, PostgresEndpoint endpoint) {
    this.process = process;
    this.endpoint = endpoint;
  }

  /** Starts one, or skips the test where none is installed. It may not be ready yet. */
  public static PgBouncer start(PostgresEndpoint target, int connections, Path folder)
      throws IOException {
    List<Path> programs =
        Stream.of("/usr/sbin/pgbouncer", "/usr/bin/pgbouncer", "/usr/local/bin/pgbouncer")
            .map(Path::of)
            .filter(Files::isExecutable)
            .toList();
    assumeTrue(!programs.isEmpty(), "PgBouncer is not installed");
    int port = freePort();
    // It gives up root, and then has to read its files.
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    Path users =
        Files.writeString(
            folder.resolve("users.txt"),
            "\"%s\" \"%s\"\n".formatted(target.user(), target.password().value()));
    Path settings =
        Files.writeString(
            folder.resolve("pgbouncer.ini"),
            """
            [databases]
            * = host=%s port=%d
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = md5
            auth_file = %s
            pool_mode = transaction
            default_pool_size = %d
            """
                .formatted(target.host(), target.port(), port, users, connections));
    List<String> command = new ArrayList<>(List.of(programs.get(0).toString()));
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(List.of("--user", "nobody"));
    }
    command.add(settings.toString());
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    return new PgBouncer(
        process,
        new PostgresEndpoint(
            "127.0.0.1", port, target.database(), target.user(), target.password(), target.tls()));
  }

  /** The same database through the pooler. */
  public PostgresEndpoint endpoint() {
    return endpoint;
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroy();
    if (process.onExit().completeOnTimeout(process, 10, TimeUnit.SECONDS).join().isAlive()) {
      process.destroyForcibly();
    }
  }
}
