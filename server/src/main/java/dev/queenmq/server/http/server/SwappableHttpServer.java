package dev.queenmq.server.http.server;

import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.metrics.HttpFigures;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * The HTTP servers, with handlers that can be replaced: the few routes of a broker that has not
 * reached PostgreSQL yet, and then all of them.
 */
public final class SwappableHttpServer {

  /** The handler of one event loop. */
  private static final class DelegatingHandler implements Handler<HttpServerRequest> {
    private volatile Handler<HttpServerRequest> delegate;

    DelegatingHandler(Handler<HttpServerRequest> delegate) {
      this.delegate = delegate;
    }

    @Override
    public void handle(HttpServerRequest request) {
      delegate.handle(request);
    }
  }

  private final Vertx vertx;
  private final ServerConfig config;
  private final HttpLimits limits;
  private final MemoryBudget memory;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private List<DelegatingHandler> handlers = List.of();
  private Optional<HttpFront> front = Optional.empty();

  public SwappableHttpServer(
      Vertx vertx,
      ServerConfig config,
      HttpLimits limits,
      MemoryBudget memory,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.vertx = vertx;
    this.config = config;
    this.limits = limits;
    this.memory = memory;
    this.clock = clock;
    this.nanoTime = nanoTime;
  }

  /** Opens the port, or replaces the handlers. */
  public synchronized Future<Integer> open(IntFunction<Handler<HttpServerRequest>> delegates) {
    if (front.isPresent()) {
      for (int i = 0; i < handlers.size(); i++) {
        handlers.get(i).delegate = delegates.apply(i);
      }
      return Future.succeededFuture(front.get().port());
    }
    int count = Math.max(1, config.sidecar().workers());
    List<DelegatingHandler> made =
        IntStream.range(0, count).mapToObj(i -> new DelegatingHandler(delegates.apply(i))).toList();
    handlers = made;
    return HttpFront.start(vertx, config.http(), limits, clock, nanoTime, count, made::get)
        .onSuccess(this::opened)
        .map(HttpFront::port);
  }

  private synchronized void opened(HttpFront started) {
    front = Optional.of(started);
  }

  /** Requests and connections that it rejected. */
  public synchronized HttpFigures figures() {
    return front.map(HttpFront::figures).orElseGet(HttpFigures::none).with(memory.figures());
  }

  /** Takes no more requests, and waits a moment for the answers to those that it has. */
  public synchronized Future<Void> close(Duration patience) {
    Optional<HttpFront> open = front;
    front = Optional.empty();
    return open.map(each -> each.stop(patience)).orElseGet(Future::succeededFuture);
  }
}
