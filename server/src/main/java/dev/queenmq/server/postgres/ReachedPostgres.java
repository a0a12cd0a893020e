package dev.queenmq.server.postgres;

import dev.queenmq.server.config.Pooler;
import io.vertx.pgclient.PgConnectOptions;

/**
 * A PostgreSQL that answered.
 *
 * @param version as the server words it
 * @param pooler what really stands in between; never {@code AUTO}
 * @param options how to connect from now on
 * @param durability whether its commits survive a crash
 */
public record ReachedPostgres(
    String version, Pooler pooler, PgConnectOptions options, Durability durability) {}
