package dev.queenmq.server.postgres;

import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import io.vertx.pgclient.PgConnectOptions;

/**
 * A PostgreSQL that answered.
 *
 * @param version as the server words it
 * @param pooler what really stands in between; never {@code AUTO}
 * @param endpoint the one of those that were configured
 * @param options how to connect to it
 * @param storeOptions how to connect to it for pushes, pops and acks
 * @param primary finds it again, or another one that takes writes
 * @param durability whether its commits survive a crash
 */
public record ReachedPostgres(
    String version,
    Pooler pooler,
    PostgresEndpoint endpoint,
    PgConnectOptions options,
    PgConnectOptions storeOptions,
    PrimaryFinder primary,
    Durability durability) {

  /** Whether plain statements have one plan on the store's connections. */
  public boolean hasFixedPlans() {
    return pooler == Pooler.NONE;
  }
}
