package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.bytes;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.path;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * Where pushed messages are kept while PostgreSQL is away.
 *
 * @param folder belongs to this broker alone
 * @param maxBytes that they may take there; 0 for none, and pushes are refused meanwhile
 * @param deadline after which a push is not waited for any longer
 */
public record SpoolConfig(Path folder, long maxBytes, Duration deadline) {
  static final Setting<Path> QUEEN_SPOOL_DIR =
      path(
              "QUEEN_SPOOL_DIR",
              "",
              "Folder for pushed messages while PostgreSQL is unavailable. It belongs to one"
                  + " broker, and must survive its restarts.")
          .otherwise("`spool` in `QUEEN_DATA_DIR`")
          .orNamed("FILE_BUFFER_DIR");
  static final Setting<Long> SPOOL_MAX_BYTES =
      bytes(
          "SPOOL_MAX_BYTES",
          Long.toString(1L << 30),
          0,
          1L << 50,
          "Bytes that messages may take in the spool; further pushes are answered 503. 0 turns the"
              + " spool off: pushes are answered 503 while PostgreSQL is unavailable.");
  static final Setting<Duration> QUEEN_SPOOL_DEADLINE_MS =
      millis(
          "QUEEN_SPOOL_DEADLINE_MS",
          2_000,
          50,
          600_000,
          "Time after which a push that PostgreSQL has not answered is written to the spool and"
              + " answered `buffered`, in milliseconds; acks are answered 503 then.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "While PostgreSQL is away",
          List.of(QUEEN_SPOOL_DIR, SPOOL_MAX_BYTES, QUEEN_SPOOL_DEADLINE_MS));

  static SpoolConfig read(SettingsReader reader) {
    return new SpoolConfig(
        reader
            .optional(QUEEN_SPOOL_DIR)
            .orElseGet(() -> reader.value(PostgresSource.QUEEN_DATA_DIR).resolve("spool")),
        reader.value(SPOOL_MAX_BYTES),
        reader.value(QUEEN_SPOOL_DEADLINE_MS));
  }

  /** None, for tools and tests that read no environment: several of them share a folder. */
  static SpoolConfig none() {
    return new SpoolConfig(Path.of("spool"), 0, Duration.ofSeconds(2));
  }

  /** Whether there is one at all. */
  public boolean enabled() {
    return maxBytes > 0;
  }
}
