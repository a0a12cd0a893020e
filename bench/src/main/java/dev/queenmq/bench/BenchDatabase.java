package dev.queenmq.bench;

import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.postgres.ConnectOptions;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;

/** A database with the store's tables, and short ways to look into it. */
public record BenchDatabase(Vertx vertx, PostgresAddress address) {

  /** Creates and migrates one. */
  static BenchDatabase create(Vertx vertx, PostgresAddress server, String name) {
    new BenchDatabase(vertx, server.withDatabase("postgres")).query("create database " + name);
    BenchDatabase database = new BenchDatabase(vertx, server.withDatabase(name));
    Blocking.get(Migrations.run(vertx, database.options(), System::nanoTime));
    return database;
  }

  /** The settings of a broker that is to use this database of a server. */
  public static Map<String, String> settings(PostgresAddress server, String database) {
    return Map.of(
        "PG_HOST", server.host(),
        "PG_PORT", Integer.toString(server.port()),
        "PG_DB", database,
        "PG_USER", server.user(),
        "PG_PASSWORD", server.password());
  }

  /** As the broker connects: with its timeouts, without a pooler. */
  public PgConnectOptions options() {
    return ConnectOptions.of(endpoint(), SessionConfig.defaults().with(Pooler.NONE));
  }

  /** The options with which the broker connects for pushes, pops and acks. */
  public PgConnectOptions storeOptions() {
    return ConnectOptions.forStore(endpoint(), SessionConfig.defaults().with(Pooler.NONE));
  }

  private PostgresEndpoint endpoint() {
    return new PostgresEndpoint(
        address.host(),
        address.port(),
        address.database(),
        address.user(),
        new Secret(address.password()),
        new Tls.Off());
  }

  /**
   * Runs statements on a connection of their own, without timeout; the rows of the first. Faults
   * that are made on purpose hit the broker's connections by their name, which this one does not
   * have.
   */
  public List<Row> query(String sql) {
    SessionConfig patient =
        new SessionConfig(Duration.ofSeconds(5), Duration.ZERO, Duration.ZERO, Pooler.NONE, 1);
    PgConnectOptions options =
        new PgConnectOptions(ConnectOptions.of(endpoint(), patient))
            .addProperty("application_name", "bench");
    return Blocking.get(
        PgConnection.connect(vertx, options)
            // The query fails with it; the driver would print it as well.
            .map(connection -> connection.exceptionHandler(failure -> {}))
            .compose(
                connection ->
                    connection
                        .query(sql)
                        .execute()
                        .map(rows -> StreamSupport.stream(rows.spliterator(), false).toList())
                        .eventually(connection::close)));
  }

  /** The one number of a query. */
  public long number(String sql) {
    return query(sql).get(0).getLong(0);
  }

  /** The one text of a query. */
  public String text(String sql) {
    return query(sql).get(0).getString(0);
  }
}
