package dev.queenmq.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections on which nothing happens while nobody works for them: no request, one whose
 * head or body does not arrive. A parked poll is none of these, which is why the server's own idle
 * timeout will not do. Owned by one event loop.
 */
final class ConnectionWatch {
  private final long idleNanos;
  private final LongSupplier nanoTime;
  private final Map<HttpConnection, State> connections = new HashMap<>();

  ConnectionWatch(Duration idle, LongSupplier nanoTime) {
    this.idleNanos = idle.toNanos();
    this.nanoTime = nanoTime;
  }

  void opened(HttpConnection connection) {
    connections.put(connection, new State(nanoTime.getAsLong()));
    connection.closeHandler(closed -> connections.remove(connection));
  }

  /** The same handler, with a look at when its requests begin and end. */
  Handler<HttpServerRequest> around(Handler<HttpServerRequest> handler) {
    return request -> {
      State state = connections.get(request.connection());
      if (state != null) {
        state.begin(request, nanoTime.getAsLong());
        request.response().endHandler(end -> state.end(request, nanoTime.getAsLong()));
      }
      handler.handle(request);
    };
  }

  /** Closes what was idle for too long; to be called now and then. */
  void sweep() {
    long now = nanoTime.getAsLong();
    List<HttpConnection> idle = new ArrayList<>();
    connections.forEach(
        (connection, state) -> {
          if (state.idleFor(now) >= idleNanos) {
            idle.add(connection);
          }
        });
    idle.forEach(HttpConnection::close);
  }

  private static final class State {
    private @Nullable HttpServerRequest current;
    private long bytesSeen;
    private long since;

    State(long now) {
      since = now;
    }

    void begin(HttpServerRequest request, long now) {
      current = request;
      bytesSeen = 0;
      since = now;
    }

    void end(HttpServerRequest request, long now) {
      if (current == request) {
        current = null;
        since = now;
      }
    }

    long idleFor(long now) {
      HttpServerRequest request = current;
      if (request != null) {
        boolean arrived = request.isEnded();
        if (arrived || request.bytesRead() != bytesSeen) {
          bytesSeen = request.bytesRead();
          since = now;
        }
      }
      return now - since;
    }
  }
}
