package dev.queenmq.server.admin;

import dev.queenmq.server.postgres.SqlStates;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.RejectedExecutionException;

/** Runs operators' queries, and maps failures of the driver to {@link AdminException}s. */
public final class AdminSql {

  private final StoreClient client;

  /** Through this client. */
  public AdminSql(StoreClient client) {
    this.client = client;
  }

  /** A statement that is prepared once; failures are {@link AdminException}s. */
  public Future<RowSet<Row>> ask(String sql, Tuple arguments) {
    return client.call(sql, arguments).recover(failure -> Future.failedFuture(translated(failure)));
  }

  /** What a failure of the driver means. */
  public static AdminException translated(Throwable failure) {
    if (failure instanceof RejectedExecutionException) {
      return new AdminException(
          AdminException.Kind.UNAVAILABLE,
          "Too many questions wait for the database; try again",
          failure);
    }
    if (failure instanceof PgException pg && !SqlStates.isUnavailable(SqlStates.of(pg))) {
      return new AdminException(
          AdminException.Kind.INTERNAL, "The database refused the question", failure);
    }
    return new AdminException(
        AdminException.Kind.UNAVAILABLE, "The database cannot be reached", failure);
  }
}
