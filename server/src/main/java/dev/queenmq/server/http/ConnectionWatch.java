package dev.queenmq.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections that are one too many, and those on which too little happens while nobody
 * works for them: no request, one whose head or body does not arrive, or arrives by the drop. A
 * parked poll is none of these, which is why the server's own idle timeout will not do. Owned by
 * one event loop.
 */
final class ConnectionWatch {
  private static final double NANOS = 1e9;
  private static final double LONGEST_BODY_SECONDS = 600;

  private final long idleNanos;
  private final long headNanos;
  private final int minBodyRate;
  private final Admission admission;
  private final ErrorCounts errors;
  private final LongSupplier nanoTime;
  private final Map<HttpConnection, State> connections = new HashMap<>();

  ConnectionWatch(
      HttpLimits limits, Admission admission, ErrorCounts errors, LongSupplier nanoTime) {
    idleNanos = limits.idleTimeout().toNanos();
    headNanos = limits.headTimeout().toNanos();
    minBodyRate = limits.minBodyRate();
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
    connections.forEach(
        (connection, state) -> {
          if (state.isOver(now)) {
            over.add(connection);
          }
        });
    over.forEach(HttpConnection::close);
  }

  private final class State {
    private @Nullable HttpServerRequest current;
    private boolean greeted;
    private long bytesSeen;
    private long announced;
    private long windowBegun;
    private long windowBytes;
    private long since;

    State(long now) {
      since = now;
    }

    void begin(HttpServerRequest request, long now) {
      current = request;
      greeted = true;
      bytesSeen = 0;
      announced = announced(request);
      windowBegun = now;
      windowBytes = 0;
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
      boolean arrived = request.isEnded();
      if (arrived || request.bytesRead() != bytesSeen) {
        bytesSeen = request.bytesRead();
        since = now;
      }
      return !arrived && (now - since >= idleNanos || tooSlow(now));
    }

    /**
     * Each stretch of time is judged by itself, so that a fast beginning does not excuse a slow
     * rest. The whole body has to be able to arrive within a while: memory is reserved for it.
     */
    private boolean tooSlow(long now) {
      long nanos = now - windowBegun;
      if (nanos < headNanos) {
        return false;
      }
      double arrived = (bytesSeen - windowBytes) / (nanos / NANOS);
      windowBegun = now;
      windowBytes = bytesSeen;
      return arrived < Math.max(minBodyRate, Math.max(announced, bytesSeen) / LONGEST_BODY_SECONDS);
    }

    private static long announced(HttpServerRequest request) {
      @Nullable String length = request.getHeader(HttpHeaders.CONTENT_LENGTH);
      try {
        return length == null ? 0 : Long.parseLong(length.trim());
      } catch (NumberFormatException e) {
        return 0;
      }
    }
  }
}
