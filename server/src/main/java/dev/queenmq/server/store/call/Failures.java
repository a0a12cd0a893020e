package dev.queenmq.server.store.call;

import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.postgres.SqlStates;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import java.util.concurrent.TimeoutException;

/** Maps PostgreSQL's error codes to the store's kinds of failure. */
public final class Failures {
  private Failures() {}

  public static <T> Future<T> translate(Throwable failure) {
    return Future.failedFuture(of(failure));
  }

  /**
   * The failure of one of several statements that carry out a call.
   *
   * @param partly whether one before it has carried out a part
   */
  public static <T> Future<T> translate(Throwable failure, boolean partly) {
    return Future.failedFuture(partly ? of(failure).partly() : of(failure));
  }

  public static StoreException of(Throwable failure) {
    if (failure instanceof StoreException known) {
      return known;
    }
    StoreException.Kind kind = kind(failure);
    return new StoreException(kind, text(kind), failure);
  }

  private static StoreException.Kind kind(Throwable failure) {
    if (failure instanceof PgException pg) {
      String state = SqlStates.of(pg);
      if (SqlStates.isConflict(state)) {
        return StoreException.Kind.CONFLICT;
      }
      if (state.equals(SqlStates.LOCK_NOT_AVAILABLE)) {
        return StoreException.Kind.LOCKED;
      }
      if (state.equals(SqlStates.QUERY_CANCELED)) {
        return StoreException.Kind.TIMEOUT;
      }
      if (SqlStates.isUnavailable(state)) {
        return StoreException.Kind.UNAVAILABLE;
      }
      return StoreException.Kind.INTERNAL;
    }
    // The driver says that it could not send, or that it gave up waiting, with a bare
    // VertxException.
    if (failure instanceof VertxException
        || failure instanceof ClosedConnectionException
        || failure instanceof IOException
        || failure instanceof TimeoutException) {
      return StoreException.Kind.UNAVAILABLE;
    }
    return StoreException.Kind.INTERNAL;
  }

  private static String text(StoreException.Kind kind) {
    return switch (kind) {
      case CONFLICT -> "The database rolled the call back because of concurrent work";
      case UNAVAILABLE -> "The database cannot be reached";
      case LOCKED -> "Another transaction holds a lock in the database for too long; try again";
      case TIMEOUT -> "The database took too long and the call was cancelled";
      case INTERNAL -> "The database refused the call";
    };
  }
}
