package dev.queenmq.server.testing;

import dev.queenmq.server.config.PostgresEndpoint;
import dev.queenmq.server.config.Secret;
import dev.queenmq.server.config.Tls;
import dev.queenmq.server.embedded.EmbeddedPostgres;
import dev.queenmq.server.embedded.EmbeddedPostgresConfig;
import dev.queenmq.server.embedded.EmbeddedPostgresException;
import dev.queenmq.server.embedded.PackedPostgres;
import dev.queenmq.server.embedded.PostgresAddress;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * A PostgreSQL for tests, with its data in a folder that goes away with it.
 *
 * <p>{@code -Dqueen.test.postgres=oldest} runs the tests on the oldest version that we support,
 * {@code -Dqueen.test.postgres=DIR} on any installation, by its {@code bin} folder.
 */
public final class SharedPostgres implements AutoCloseable {

  private static final String OLDEST = "oldest";
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  private final Path folder;
  private final EmbeddedPostgres server;
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger databases = new AtomicInteger();

  private SharedPostgres(Path folder, EmbeddedPostgres server) {
    this.folder = folder;
    this.server = server;
  }

  /** Starts the installation that the run was told to use, or the bundled one. */
  public static SharedPostgres start() {
    String wanted = System.getProperty("queen.test.postgres", "");
    return switch (wanted) {
      case "" -> start(Optional.empty());
      case OLDEST -> start(Optional.of(PackedPostgres.bin(OLDEST)));
      default -> start(Optional.of(Path.of(wanted)));
    };
  }

  /** Starts this installation. */
  public static SharedPostgres start(Optional<Path> binFolder) {
    try {
      Path folder = Files.createTempDirectory(Files.createDirectories(TARGET), "test-postgres-");
      EmbeddedPostgres server =
          EmbeddedPostgres.start(
              EmbeddedPostgresConfig.in(folder)
                  .withBinDir(binFolder)
                  .withBinariesCache(TARGET.resolve("postgres-binaries")));
      return new SharedPostgres(folder, server);
    } catch (IOException | EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * A new, empty database. Its commits do not wait for the disk: who crashes PostgreSQL needs one
   * of his own.
   */
  public TestDatabase freshDatabase() {
    String name = "test_" + databases.incrementAndGet();
    TestDatabase maintenance = new TestDatabase(vertx, endpoint("postgres"));
    maintenance.query("create database " + name);
    maintenance.query("alter database " + name + " set synchronous_commit = off");
    return new TestDatabase(vertx, endpoint(name));
  }

  private PostgresEndpoint endpoint(String database) {
    PostgresAddress address = server.address();
    return new PostgresEndpoint(
        address.host(),
        address.port(),
        database,
        address.user(),
        new Secret(address.password()),
        new Tls.Off());
  }

  @Override
  public void close() throws IOException {
    Await.await(vertx.close());
    server.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
