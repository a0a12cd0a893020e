package dev.queenmq.server.postgres;

import dev.queenmq.server.config.values.Pooler;
import io.vertx.pgclient.PgConnectOptions;

/**
 * A PostgreSQL that answered.
 *
 * @param version as the server words it
 * @param pooler what really stands in between; never {@code AUTO}
 * @param options how to connect from now on
 * @param storeOptions how to connect for pushes, pops and acks
 * @param durability whether its commits survive a crash
 */
public record ReachedPostgres(
    String version,
    Pooler pooler,
    PgConnectOptions options,
    PgConnectOptions storeOptions,
    Durability durability) {

  /** Whether plain statements have one plan on the store's connections. */
  public boolean hasFixedPlans() {
    return pooler == Pooler.NONE;
  }
}
