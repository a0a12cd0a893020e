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

  /**
   * The same for a statement that takes a moment as a rule: several may be under way on one
   * connection. As a procedure may do anything, only plain statements are quick.
   */
  default Future<RowSet<Row>> quick(String sql, Tuple arguments) {
    return call(sql, arguments);
  }

  /** A client that calls through the driver. */
  static StoreClient of(SqlClient client) {
    return (sql, arguments) -> client.preparedQuery(sql).execute(arguments);
  }
}
