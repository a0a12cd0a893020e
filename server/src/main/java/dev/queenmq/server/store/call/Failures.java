package dev.queenmq.server.store.call;

import dev.queenmq.server.model.StoreException;
import io.vertx.core.Future;
import io.vertx.core.VertxException;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.ClosedConnectionException;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;

/** The one place where PostgreSQL's error codes become the store's kinds of failure. */
public final class Failures {
  /** serialization_failure, deadlock_detected, foreign_key_violation. */
  private static final Set<String> CONFLICT = Set.of("40001", "40P01", "23503");

  private static final String LOCK_NOT_AVAILABLE = "55P03";

  private static final String QUERY_CANCELED = "57014";

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
      String state = pg.getSqlState() == null ? "" : pg.getSqlState();
      if (CONFLICT.contains(state)) {
        return StoreException.Kind.CONFLICT;
      }
      if (state.equals(LOCK_NOT_AVAILABLE)) {
        return StoreException.Kind.LOCKED;
      }
      if (state.equals(QUERY_CANCELED)) {
        return StoreException.Kind.TIMEOUT;
      }
      // connection exceptions, insufficient resources, operator intervention, system errors
      if (state.startsWith("08")
          || state.startsWith("53")
          || state.startsWith("57")
          || state.startsWith("58")) {
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
      case LOCKED -> "Somebody holds a lock in the database for too long; try again";
      case TIMEOUT -> "The database took too long and the call was cancelled";
      case INTERNAL -> "The database refused the call";
    };
  }
}
