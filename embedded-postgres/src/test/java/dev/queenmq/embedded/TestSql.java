package dev.queenmq.embedded;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.util.concurrent.TimeUnit;

/** One statement on one connection, waited for. */
final class TestSql {

  private TestSql() {}

  static void run(EmbeddedPostgres postgres, String sql) throws Exception {
    execute(postgres.address(), sql);
  }

  /** The first column of the only row, as text. */
  static String ask(EmbeddedPostgres postgres, String sql) throws Exception {
    return execute(postgres.address(), sql).iterator().next().getString(0);
  }

  static RowSet<Row> execute(PostgresAddress address, String sql) throws Exception {
    Vertx vertx = Vertx.vertx();
    try {
      return await(
          PgConnection.connect(vertx, options(address))
              .compose(connection -> connection.query(sql).execute()));
    } finally {
      await(vertx.close());
    }
  }

  static PgConnectOptions options(PostgresAddress address) {
    return new PgConnectOptions()
        .setHost(address.host())
        .setPort(address.port())
        .setDatabase(address.database())
        .setUser(address.user())
        .setPassword(address.password());
  }

  static <T> T await(Future<T> future) throws Exception {
    return future.toCompletionStage().toCompletableFuture().get(60, TimeUnit.SECONDS);
  }
}
