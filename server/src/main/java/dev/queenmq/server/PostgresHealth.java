package dev.queenmq.server;

import dev.queenmq.server.http.admin.HealthDetails;
import dev.queenmq.server.postgres.Durability;
import dev.queenmq.server.postgres.PostgresFault;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code /health} reports about PostgreSQL beyond "up" or "down": the reason when it is down,
 * and whether its commits survive a crash. Logs each change of the durability settings once. Safe
 * for any thread.
 */
final class PostgresHealth implements HealthDetails {
  private static final Logger log = LoggerFactory.getLogger(PostgresHealth.class);

  private final boolean allowUnsafe;
  private volatile Optional<Durability> durability = Optional.empty();
  private volatile String awayBecause = "PostgreSQL has not answered yet";

  /**
   * Knows nothing yet.
   *
   * @param allowUnsafe whether the operator accepts that commits can be lost
   */
  PostgresHealth(boolean allowUnsafe) {
    this.allowUnsafe = allowUnsafe;
  }

  /** PostgreSQL has answered. */
  synchronized void found(Durability now) {
    Optional<Durability> before = durability;
    durability = Optional.of(now);
    if (before.equals(durability)) {
      return;
    }
    if (!now.isSafe() && allowUnsafe) {
      log.warn(
          "PostgreSQL runs with {}: messages that were answered can be lost in a crash, as"
              + " QUEEN_ALLOW_UNSAFE_POSTGRES allows",
          now.whatIsOff());
    } else if (!now.isSafe()) {
      log.error(
          "PostgreSQL now runs with {}: messages that are answered can be lost in a crash. Turn it"
              + " on; a restart of this broker would be refused",
          now.whatIsOff());
    } else if (!now.repairsTornPages()) {
      log.warn(
          "PostgreSQL runs with {}: unless its file system never writes half a page, a crash can"
              + " damage the database",
          now.whatIsOff());
    } else if (before.isPresent()) {
      log.info("PostgreSQL runs with fsync, synchronous_commit and full_page_writes again");
    }
  }

  /** Why there is none, for as long as the broker has never reached it. */
  void away(String because) {
    awayBecause = because;
  }

  String awayBecause() {
    return awayBecause;
  }

  @Override
  public void add(JsonObject health, Optional<Throwable> fault) {
    fault.ifPresent(
        why ->
            health.put(
                "database_error", durability.isEmpty() ? awayBecause : PostgresFault.summary(why)));
    durability.ifPresent(
        known -> {
          health.put(
              "durability",
              new JsonObject()
                  .put("safe", known.isSafe())
                  .put("allowed", known.isSafe() || allowUnsafe)
                  .put("fsync", known.fsync())
                  .put("synchronous_commit", known.synchronousCommit())
                  .put("full_page_writes", known.fullPageWrites()));
          if (fault.isEmpty() && !known.isSafe() && !allowUnsafe) {
            health.put("status", "degraded");
          }
        });
  }
}
