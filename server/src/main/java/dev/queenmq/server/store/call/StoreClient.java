package dev.queenmq.server.store.call;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;

/** Carries one statement to PostgreSQL, in a transaction of its own. */
@FunctionalInterface
public interface StoreClient {

  /** Runs a statement with its arguments. */
  Future<RowSet<Row>> call(String sql, Tuple arguments);

  /** A client that calls through the driver. */
  static StoreClient of(SqlClient client) {
    return (sql, arguments) -> client.preparedQuery(sql).execute(arguments);
  }
}
