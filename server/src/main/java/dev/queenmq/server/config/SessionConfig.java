package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.choice;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;

import dev.queenmq.server.config.values.Pooler;
import java.time.Duration;

/**
 * What every connection to PostgreSQL has in common, wherever the server is.
 *
 * @param connectTimeout for the network connection and the login
 * @param statementTimeout after which PostgreSQL cancels a statement
 * @param lockTimeout after which PostgreSQL gives up waiting for a lock
 * @param pooler what stands in between
 * @param pipeliningLimit statements that may be on their way on one connection
 */
public record SessionConfig(
    Duration connectTimeout,
    Duration statementTimeout,
    Duration lockTimeout,
    Pooler pooler,
    int pipeliningLimit) {
  static final Setting<Pooler> QUEEN_PG_POOLER =
      choice(
          "QUEEN_PG_POOLER",
          Pooler.AUTO,
          "What stands before your PostgreSQL. `auto` finds out at start; `transaction` is for"
              + " PgBouncer in transaction mode, `transaction-prepared` for PgBouncer 1.21 or newer"
              + " with `max_prepared_statements` above 0. Behind a pooler the broker cannot set the"
              + " timeouts of statements and locks: set them with `ALTER ROLE`.");
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

  static SessionConfig read(SettingsReader reader) {
    return new SessionConfig(
        reader.value(DB_CONNECTION_TIMEOUT),
        reader.value(DB_STATEMENT_TIMEOUT),
        reader.value(DB_LOCK_TIMEOUT),
        reader.value(QUEEN_PG_POOLER),
        reader.value(QUEEN_PG_PIPELINING));
  }

  /** The defaults of the catalogue of settings, for tools and tests that read no environment. */
  public static SessionConfig defaults() {
    return read(SettingsReader.defaults());
  }

  /** The same behind another pooler. */
  public SessionConfig with(Pooler other) {
    return new SessionConfig(connectTimeout, statementTimeout, lockTimeout, other, pipeliningLimit);
  }
}
