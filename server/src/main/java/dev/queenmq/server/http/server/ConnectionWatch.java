package dev.queenmq.server.http.server;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.impl.ConnectionBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections beyond the limit, and connections that are idle or too slow: without a
 * request, with a head or body that does not arrive or arrives too slowly, or with an answer that
 * is not read. A waiting poll is none of these, which is why the server's own idle timeout cannot
 * be used. Owned by one event loop.
 */
public final class ConnectionWatch {
  private final long idleNanos;
  private final long headNanos;
  private final int minRate;
  private final Admission admission;
  private final ErrorCounts errors;
  private final LongSupplier nanoTime;
  private final Map<HttpConnection, State> connections = new HashMap<>();

  ConnectionWatch(
      HttpLimits limits, Admission admission, ErrorCounts errors, LongSupplier nanoTime) {
    idleNanos = limits.idleTimeout().toNanos();
    headNanos = limits.headTimeout().toNanos();
    minRate = limits.minBodyRate();
    this.admission = admission;
    this.errors = errors;
    this.nanoTime = nanoTime;
  }

  void opened(HttpConnection connection) {
    Optional<Runnable> leave = admission.admit(connection);
    if (leave.isEmpty()) {
      connection.close();
      return;
    }
    connections.put(connection, new State(nanoTime.getAsLong()));
    connection.closeHandler(
        closed -> {
          connections.remove(connection);
          leave.get().run();
        });
  }

  /** The same handler, with a look at when its requests begin and end. */
  Handler<HttpServerRequest> around(Handler<HttpServerRequest> handler) {
    return request -> {
      State state = connections.get(request.connection());
      if (state != null) {
        state.begin(request, nanoTime.getAsLong());
        request
            .response()
            .endHandler(
                end -> {
                  state.end(request, nanoTime.getAsLong());
                  errors.answered(request.response().getStatusCode());
                });
      }
      handler.handle(request);
    };
  }

  /** Closes what took too long; to be called now and then. */
  void sweep() {
    long now = nanoTime.getAsLong();
    List<HttpConnection> over = new ArrayList<>();
    List<HttpConnection> unread = new ArrayList<>();
    connections.forEach(
        (connection, state) -> {
          if (state.isOver(now)) {
            (state.answering ? unread : over).add(connection);
          }
        });
    over.forEach(HttpConnection::close);
    unread.forEach(ConnectionWatch::cut);
  }

  /** At once: a connection that is closed otherwise waits until everything is read. */
  private static void cut(HttpConnection connection) {
    if (connection instanceof ConnectionBase base) {
      var unused = base.channelHandlerContext().close();
    } else {
      connection.close();
    }
  }

  private final class State {
    private @Nullable HttpServerRequest current;
    private boolean greeted;
    private long bytesSeen;
    private @Nullable TransferPace pace;
    private boolean answering;
    private long since;

    State(long now) {
      since = now;
    }

    void begin(HttpServerRequest request, long now) {
      current = request;
      greeted = true;
      bytesSeen = 0;
      pace = null;
      answering = false;
      since = now;
    }

    void end(HttpServerRequest request, long now) {
      if (current == request) {
        current = null;
        since = now;
      }
    }

    boolean isOver(long now) {
      HttpServerRequest request = current;
      if (request == null) {
        return now - since >= (greeted ? idleNanos : Math.min(headNanos, idleNanos));
      }
      if (request.response().headWritten()) {
        return isUnread(request, now);
      }
      boolean arrived = request.isEnded();
      if (arrived || request.bytesRead() != bytesSeen) {
        bytesSeen = request.bytesRead();
        since = now;
      }
      if (arrived) {
        return false;
      }
      if (pace == null) {
        pace = new TransferPace(headNanos, minRate, announced(request), since);
      }
      return now - since >= idleNanos || pace.isTooSlow(bytesSeen, now);
    }

    /** Whether its answer, which is large, is read too slowly. */
    private boolean isUnread(HttpServerRequest request, long now) {
      if (!answering || pace == null) {
        answering = true;
        long expected = length(request.response().headers().get(HttpHeaders.CONTENT_LENGTH));
        pace = new TransferPace(headNanos, minRate, expected, now);
      }
      return pace.isTooSlow(request.response().bytesWritten(), now);
    }

    private static long announced(HttpServerRequest request) {
      return length(request.getHeader(HttpHeaders.CONTENT_LENGTH));
    }

    private static long length(@Nullable String length) {
      try {
        return length == null ? 0 : Long.parseLong(length.trim());
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }
}
