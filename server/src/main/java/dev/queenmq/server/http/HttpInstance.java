package dev.queenmq.server.http;

import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One HTTP server on one event loop. */
final class HttpInstance extends VerticleBase {
  private static final int SWEEPS_PER_TIMEOUT = 4;

  private final HttpServerOptions options;
  private final HttpLimits limits;
  private final Supplier<Handler<HttpServerRequest>> handler;
  private volatile @Nullable HttpServer server;

  HttpInstance(
      String host, int port, HttpLimits limits, Supplier<Handler<HttpServerRequest>> handler) {
    this.limits = limits;
    this.handler = handler;
    options =
        new HttpServerOptions()
            .setHost(host)
            .setPort(port)
            .setMaxHeaderSize(limits.maxHeaderBytes())
            .setMaxInitialLineLength(limits.maxLineBytes())
            // The watch closes earlier, but politely: not before what it has to say is read. This
            // is for those who never read, and longer than the longest poll, which it cannot tell
            // apart.
            .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
            .setIdleTimeout((int) limits.maxWait().plus(limits.idleTimeout()).toMillis())
            .setHandle100ContinueAutomatically(false)
            .setDecompressionSupported(false)
            .setCompressionSupported(false)
            // There are no WebSockets here, and what makes them ready drops requests: all beyond
            // 128 that are pipelined on one connection.
            .setPerFrameWebSocketCompressionSupported(false)
            .setPerMessageWebSocketCompressionSupported(false)
            .setHttp2ClearTextEnabled(false);
  }

  @Override
  public Future<?> start() {
    ConnectionWatch watch = new ConnectionWatch(limits.idleTimeout(), System::nanoTime);
    long period = Math.max(1, limits.idleTimeout().toMillis() / SWEEPS_PER_TIMEOUT);
    vertx.setPeriodic(period, tick -> watch.sweep());
    HttpServer created =
        vertx
            .createHttpServer(options)
            .connectionHandler(watch::opened)
            .invalidRequestHandler(new InvalidRequests(limits))
            .requestHandler(watch.around(handler.get()));
    server = created;
    return created.listen();
  }

  int port() {
    HttpServer running = server;
    return running == null ? 0 : running.actualPort();
  }

  Future<Void> shutdown(Duration patience) {
    HttpServer running = server;
    return running == null
        ? Future.succeededFuture()
        : running.shutdown(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
