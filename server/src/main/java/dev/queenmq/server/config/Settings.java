package dev.queenmq.server.config;

import static dev.queenmq.server.config.SettingKinds.choice;
import static dev.queenmq.server.config.SettingKinds.flag;
import static dev.queenmq.server.config.SettingKinds.millis;
import static dev.queenmq.server.config.SettingKinds.number;
import static dev.queenmq.server.config.SettingKinds.path;
import static dev.queenmq.server.config.SettingKinds.secret;
import static dev.queenmq.server.config.SettingKinds.text;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The catalogue: every variable that the server reads, in the order in which it is explained. */
final class Settings {

  static final Setting<Integer> PORT =
      number("PORT", 6632, 0, 65_535, "HTTP port; 0 takes any free one. Flag: `--port`.");
  static final Setting<String> HOST =
      text("HOST", "0.0.0.0", "Address that the HTTP server binds to. Flag: `--host`.");
  static final Setting<LogLevel> LOG_LEVEL =
      choice("LOG_LEVEL", LogLevel.INFO, "The least important log lines that are written.");

  static final Setting<Path> QUEEN_DATA_DIR =
      path(
          "QUEEN_DATA_DIR",
          "./data",
          "Folder of the embedded PostgreSQL, used when `PG_HOST` is absent. It survives restarts.");
  static final Setting<Path> QUEEN_PG_BIN =
      path(
          "QUEEN_PG_BIN",
          "",
          "`bin` folder of a PostgreSQL installation that the embedded mode runs instead of the"
              + " bundled one.");

  static final Setting<String> PG_HOST =
      text("PG_HOST", "", "Host of your own PostgreSQL (14 or newer). Absent: embedded.");
  static final Setting<Integer> PG_PORT = number("PG_PORT", 5432, 1, 65_535, "Its port.");
  static final Setting<String> PG_DB = text("PG_DB", "postgres", "Database.");
  static final Setting<String> PG_USER = text("PG_USER", "postgres", "User.");
  static final Setting<Secret> PG_PASSWORD = secret("PG_PASSWORD", "postgres", "Password.");
  static final Setting<Boolean> PG_USE_SSL =
      flag("PG_USE_SSL", false, "Encrypt the connection, and accept no other.");
  static final Setting<Boolean> PG_SSL_REJECT_UNAUTHORIZED =
      flag(
          "PG_SSL_REJECT_UNAUTHORIZED",
          true,
          "With SSL: check the server's certificate and that it is for this host name.");
  static final Setting<Path> PG_SSL_ROOT_CERT =
      path(
          "PG_SSL_ROOT_CERT",
          "",
          "With SSL: PEM file of the authorities to trust. Absent: those that the JVM trusts.");
  static final Setting<Pooler> QUEEN_PG_POOLER =
      choice(
          "QUEEN_PG_POOLER",
          Pooler.AUTO,
          "What stands before your PostgreSQL. `auto` finds out at start; `transaction` is for"
              + " PgBouncer in transaction mode, `transaction-prepared` for PgBouncer 1.21 or newer"
              + " with `max_prepared_statements` above 0. Behind a pooler the two timeouts below are"
              + " not set by the broker: set them with `ALTER ROLE`.");

  static final Setting<Duration> DB_CONNECTION_TIMEOUT =
      millis(
          "DB_CONNECTION_TIMEOUT", 2_000, 100, 600_000, "Limit for connecting, in milliseconds.");
  static final Setting<Duration> DB_STATEMENT_TIMEOUT =
      millis(
          "DB_STATEMENT_TIMEOUT",
          30_000,
          0,
          3_600_000,
          "PostgreSQL cancels a statement that takes longer, in milliseconds; 0 means never.");
  static final Setting<Duration> DB_LOCK_TIMEOUT =
      millis(
          "DB_LOCK_TIMEOUT",
          10_000,
          0,
          3_600_000,
          "PostgreSQL cancels a statement that waits longer for a lock, in milliseconds; 0 means"
              + " never.");
  static final Setting<Integer> QUEEN_PG_PIPELINING =
      number(
          "QUEEN_PG_PIPELINING",
          256,
          1,
          65_536,
          "Statements that may be on their way at once on one connection.");
  static final Setting<Duration> QUEEN_START_TIMEOUT =
      millis(
          "QUEEN_START_TIMEOUT",
          60_000,
          0,
          3_600_000,
          "How long a start waits for your PostgreSQL to answer, and then for the locks that"
              + " migrations need, in milliseconds.");

  private static final List<Group> GROUPS =
      List.of(
          new Group("Server", List.of(PORT, HOST, LOG_LEVEL)),
          new Group("Embedded PostgreSQL", List.of(QUEEN_DATA_DIR, QUEEN_PG_BIN)),
          new Group(
              "Your own PostgreSQL",
              List.of(
                  PG_HOST,
                  PG_PORT,
                  PG_DB,
                  PG_USER,
                  PG_PASSWORD,
                  PG_USE_SSL,
                  PG_SSL_REJECT_UNAUTHORIZED,
                  PG_SSL_ROOT_CERT,
                  QUEEN_PG_POOLER)),
          new Group(
              "Connections",
              List.of(
                  DB_CONNECTION_TIMEOUT,
                  DB_STATEMENT_TIMEOUT,
                  DB_LOCK_TIMEOUT,
                  QUEEN_PG_PIPELINING,
                  QUEEN_START_TIMEOUT)));

  private Settings() {}

  /** Settings that belong together. */
  record Group(String title, List<Setting<?>> settings) {}

  static List<Group> groups() {
    return GROUPS;
  }
}
