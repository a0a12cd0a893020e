package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.bytes;
import static dev.queenmq.server.config.catalogue.SettingKinds.millis;
import static dev.queenmq.server.config.catalogue.SettingKinds.path;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The part of the catalogue that is about messages on the local disk while PostgreSQL is away. */
public final class SpoolSettings {

  public static final Setting<Path> QUEEN_SPOOL_DIR =
      path(
              "QUEEN_SPOOL_DIR",
              "",
              "Folder for pushed messages while PostgreSQL is unavailable. It belongs to one"
                  + " broker, and must survive its restarts.")
          .otherwise("`spool` in `QUEEN_DATA_DIR`")
          .orNamed("FILE_BUFFER_DIR");
  public static final Setting<Long> SPOOL_MAX_BYTES =
      bytes(
          "SPOOL_MAX_BYTES",
          Long.toString(1L << 30),
          0,
          1L << 50,
          "Bytes that messages may take there; further pushes are answered 503. 0 turns the"
              + " spool off: pushes are answered 503 while PostgreSQL is unavailable.");
  public static final Setting<Duration> QUEEN_SPOOL_DEADLINE_MS =
      millis(
          "QUEEN_SPOOL_DEADLINE_MS",
          2_000,
          50,
          600_000,
          "Time after which a push that PostgreSQL has not answered is written there and"
              + " answered `buffered`, in milliseconds; acks are answered 503 then.");

  static final Settings.Group GROUP =
      new Settings.Group(
          "While PostgreSQL is away",
          List.of(QUEEN_SPOOL_DIR, SPOOL_MAX_BYTES, QUEEN_SPOOL_DEADLINE_MS));

  private SpoolSettings() {}
}
