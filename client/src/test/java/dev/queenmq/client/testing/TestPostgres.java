package dev.queenmq.client.testing;

import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.PostgresAddress;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** The PostgreSQL of a test run, in a folder that goes away with it. */
public final class TestPostgres implements AutoCloseable {
  private static final Path TARGET = Path.of("target").toAbsolutePath();

  /** Unpacked by the tests of that module, as a rule. */
  private static final Path BINARIES =
      Path.of("../embedded-postgres/target/postgres-binaries").toAbsolutePath().normalize();

  private final Path folder;
  private final EmbeddedPostgres server;

  private TestPostgres(Path folder, EmbeddedPostgres server) {
    this.folder = folder;
    this.server = server;
  }

  /** Starts one. */
  public static TestPostgres start() {
    try {
      Path folder = Files.createTempDirectory(Files.createDirectories(TARGET), "test-postgres-");
      return new TestPostgres(
          folder,
          EmbeddedPostgres.start(
              EmbeddedPostgresConfig.in(folder.resolve("data"))
                  .withBinariesCache(BINARIES)
                  .withSettings(Map.of("max_connections", "200"))));
    } catch (IOException | EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * The environment of a broker on it.
   *
   * @param name of the broker, for its folder
   */
  public Map<String, String> environment(String name, Map<String, String> more) {
    PostgresAddress address = server.address();
    Map<String, String> environment = new HashMap<>();
    environment.put("HOST", "127.0.0.1");
    environment.put("PORT", "0");
    environment.put("PG_HOST", address.host());
    environment.put("PG_PORT", Integer.toString(address.port()));
    environment.put("PG_DB", address.database());
    environment.put("PG_USER", address.user());
    environment.put("PG_PASSWORD", address.password());
    environment.put("DB_POOL_SIZE", "20");
    environment.put("NUM_WORKERS", "2");
    environment.put("QUEEN_SPOOL_DIR", folder.resolve("spool-" + name).toString());
    // A slow machine is no outage.
    environment.put("QUEEN_SPOOL_DEADLINE_MS", "60000");
    environment.put("DB_CONNECTION_TIMEOUT", "60000");
    environment.putAll(more);
    return environment;
  }

  @Override
  public void close() throws IOException {
    server.close();
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
