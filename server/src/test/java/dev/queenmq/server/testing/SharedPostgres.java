package dev.queenmq.server.testing;

import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.PackedPostgres;
import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.embedded.SharedBinaries;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import dev.queenmq.server.migration.Migrations;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
  private static final String TEMPLATE = "migrated";
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** Several classes use it at a time, each with a few brokers. */
  private static final Map<String, String> MANY_BROKERS = Map.of("max_connections", "400");

  private final Path folder;
  private final EmbeddedPostgres server;
  private final Vertx vertx = Vertx.vertx();
  private final AtomicInteger databases = new AtomicInteger();
  private final TestDatabase maintenance;
  private boolean templateIsThere;

  private SharedPostgres(Path folder, EmbeddedPostgres server) {
    this.folder = folder;
    this.server = server;
    maintenance = new TestDatabase(vertx, endpoint(server, "postgres"));
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
                  .withBinariesCache(SharedBinaries.FOLDER)
                  .withSettings(MANY_BROKERS));
      return new SharedPostgres(folder, server).withoutDurability();
    } catch (IOException | EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }

  /** It refuses to start without, and its data are not needed after a crash. */
  private SharedPostgres withoutDurability() {
    for (String setting : List.of("fsync", "full_page_writes", "synchronous_commit")) {
      maintenance.query("alter system set " + setting + " = off");
    }
    maintenance.query("select pg_reload_conf()");
    return this;
  }

  /**
   * A new database with our schema, copied from one that was migrated once. Its commits do not wait
   * for the disk: who crashes PostgreSQL needs one of his own.
   */
  public TestDatabase freshDatabase() {
    prepareTemplate();
    return create("test_" + databases.incrementAndGet(), " template " + TEMPLATE);
  }

  private synchronized void prepareTemplate() {
    if (!templateIsThere) {
      TestDatabase template = create(TEMPLATE, "");
      Await.await(Migrations.run(vertx, template.options(), System::nanoTime));
      templateIsThere = true;
    }
  }

  /** A new database with nothing in it. */
  public TestDatabase emptyDatabase() {
    return create("test_" + databases.incrementAndGet(), "");
  }

  /** Ends what is still connected to a database, and removes it. */
  void drop(TestDatabase database) {
    maintenance.query(
        "drop database if exists " + database.endpoint().database() + " with (force)");
  }

  private TestDatabase create(String name, String like) {
    maintenance.query("create database " + name + like);
    return new TestDatabase(vertx, endpoint(server, name));
  }

  private static PostgresEndpoint endpoint(EmbeddedPostgres server, String database) {
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
