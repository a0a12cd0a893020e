package dev.queenmq.server.migration;

import java.time.Duration;

/**
 * How patient a run is.
 *
 * @param lockTimeout for each lock; a waiting DDL statement holds up everyone behind it, so this is
 *     how long a busy cluster may stand still
 * @param statementTimeout for each statement of a script
 * @param connectTimeout for a connection
 * @param deadline for the whole run, retries included
 */
public record MigrationSettings(
    Duration lockTimeout, Duration statementTimeout, Duration connectTimeout, Duration deadline) {

  /** Two seconds for a lock, five minutes for a statement, one minute in total. */
  public static MigrationSettings defaults() {
    return new MigrationSettings(
        Duration.ofSeconds(2), Duration.ofMinutes(5), Duration.ofSeconds(5), Duration.ofMinutes(1));
  }

  /** The same with another deadline. */
  public MigrationSettings withDeadline(Duration value) {
    return new MigrationSettings(lockTimeout, statementTimeout, connectTimeout, value);
  }

  /** The same with another lock timeout. */
  public MigrationSettings withLockTimeout(Duration value) {
    return new MigrationSettings(value, statementTimeout, connectTimeout, deadline);
  }
}
