package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Tuple;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks a server that has just started what is really in force, as a client of the broker would find
 * it: settings can come from files, from the catalogs, from a role or a database.
 */
final class ServerCheck {

  private static final long LIMIT_SECONDS = 30;
  private static final String UNKNOWN_DATABASE = "3D000";

  private ServerCheck() {}

  /**
   * Makes sure that our database exists and, if it shall be, is durable; answers the server's
   * version.
   */
  static String run(PostgresAddress address, boolean durable)
      throws EmbeddedPostgresException, InterruptedException {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1));
    try {
      PgConnection connection = await(connectOrCreate(vertx, address));
      Map<String, String> settings = durable ? ServerConfiguration.durability() : Map.of();
      for (Map.Entry<String, String> wanted : settings.entrySet()) {
        String found = await(setting(connection, wanted.getKey()));
        if (!found.equals(wanted.getValue())) {
          throw notDurable(wanted.getKey(), found);
        }
      }
      // Distributions add their own name after the number.
      return await(setting(connection, "server_version")).split(" ", 2)[0];
    } finally {
      await(vertx.close());
    }
  }

  private static Future<PgConnection> connectOrCreate(Vertx vertx, PostgresAddress address) {
    return connect(vertx, address)
        .recover(
            failure ->
                failure instanceof PgException e && UNKNOWN_DATABASE.equals(e.getSqlState())
                    ? create(vertx, address).compose(created -> connect(vertx, address))
                    : Future.failedFuture(failure));
  }

  private static Future<Void> create(Vertx vertx, PostgresAddress address) {
    return connect(vertx, address.withDatabase("postgres"))
        .compose(
            connection ->
                connection
                    .query("CREATE DATABASE " + address.database())
                    .execute()
                    .eventually(connection::close))
        .mapEmpty();
  }

  private static Future<PgConnection> connect(Vertx vertx, PostgresAddress address) {
    return PgConnection.connect(
        vertx,
        new PgConnectOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setDatabase(address.database())
            .setUser(address.user())
            .setPassword(address.password()));
  }

  private static Future<String> setting(PgConnection connection, String name) {
    return connection
        .preparedQuery("SELECT current_setting($1)")
        .execute(Tuple.of(name))
        .map(rows -> rows.iterator().next().getString(0));
  }

  private static <T> T await(Future<T> future)
      throws EmbeddedPostgresException, InterruptedException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new EmbeddedPostgresException(
          Reason.START_FAILED, "PostgreSQL runs, but cannot be used: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new EmbeddedPostgresException(
          Reason.START_FAILED,
          "PostgreSQL runs, but did not answer within " + LIMIT_SECONDS + " s",
          e);
    }
  }

  private static EmbeddedPostgresException notDurable(String name, String value) {
    return new EmbeddedPostgresException(
        Reason.NOT_DURABLE,
        """
        PostgreSQL runs with %s = %s, which can lose messages that were acknowledged. Look for it \
        in postgresql.user.conf, ALTER SYSTEM, ALTER DATABASE and ALTER ROLE, and remove it.\
        """
            .formatted(name, value));
  }
}
