package dev.queenmq.server.http.server;

import dev.queenmq.server.config.HttpConfig;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.ServerSSLOptions;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One HTTP server on one event loop. */
final class HttpInstance extends VerticleBase {
  private static final int SWEEPS_PER_TIMEOUT = 4;
  private static final int MAX_CHUNK = 64 << 10;

  private final HttpServerOptions options;
  private final HttpLimits limits;
  private final Shared shared;
  private final LongSupplier nanoTime;
  private final Supplier<Handler<HttpServerRequest>> handler;
  private volatile @Nullable HttpServer server;

  HttpInstance(
      HttpConfig address,
      HttpLimits limits,
      Optional<ServerSSLOptions> tls,
      Shared shared,
      LongSupplier nanoTime,
      Supplier<Handler<HttpServerRequest>> handler) {
    this.limits = limits;
    this.shared = shared;
    this.nanoTime = nanoTime;
    this.handler = handler;
    options =
        new HttpServerOptions()
            .setHost(address.host())
            .setPort(address.port())
            .setMaxHeaderSize(limits.maxHeaderBytes())
            .setMaxInitialLineLength(limits.maxLineBytes())
            // No more than one read of the socket gives. What comes in one piece is not copied.
            .setMaxChunkSize(MAX_CHUNK)
            // ConnectionWatch closes idle connections earlier, after its answer was read. This
            // limit is for clients that never read. It is longer than the longest poll, because
            // to it a waiting poll looks idle too.
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
    tls.ifPresent(this::encrypt);
  }

  /**
   * What all servers of a port share.
   *
   * @param admission of connections
   * @param rates of requests
   * @param pages that may use the broker
   * @param errors among the answers
   */
  record Shared(
      Admission admission,
      RequestRates rates,
      Cors cors,
      CrossOriginCheck pages,
      ErrorCounts errors) {}

  private void encrypt(ServerSSLOptions tls) {
    options
        .setSsl(true)
        .setUseAlpn(tls.isUseAlpn())
        .setKeyCertOptions(tls.getKeyCertOptions())
        .setTrustOptions(tls.getTrustOptions())
        .setClientAuth(tls.getClientAuth())
        .setSslHandshakeTimeoutUnit(tls.getSslHandshakeTimeoutUnit())
        .setSslHandshakeTimeout(tls.getSslHandshakeTimeout())
        .setEnabledSecureTransportProtocols(tls.getEnabledSecureTransportProtocols());
    tls.getEnabledCipherSuites().forEach(options::addEnabledCipherSuite);
  }

  @Override
  public Future<?> start() {
    ConnectionWatch watch =
        new ConnectionWatch(limits, shared.admission(), shared.errors(), nanoTime);
    Duration shortest =
        limits.headTimeout().compareTo(limits.idleTimeout()) < 0
            ? limits.headTimeout()
            : limits.idleTimeout();
    long period = Math.max(1, shortest.toMillis() / SWEEPS_PER_TIMEOUT);
    vertx.setPeriodic(period, tick -> watch.sweep());
    RequestChecks checks =
        new RequestChecks(shared.cors(), shared.pages(), shared.rates(), handler.get());
    HttpServer created =
        vertx
            .createHttpServer(options)
            .connectionHandler(
                connection -> {
                  StrictDecoder.install(connection, options);
                  watch.opened(connection);
                })
            .invalidRequestHandler(counted(new InvalidRequests(limits, shared.cors())))
            .requestHandler(watch.around(checks));
    server = created;
    return created.listen();
  }

  /** What is no request does not come through the watch. */
  private Handler<HttpServerRequest> counted(Handler<HttpServerRequest> invalid) {
    return request -> {
      request
          .response()
          .endHandler(end -> shared.errors().answered(request.response().getStatusCode()));
      invalid.handle(request);
    };
  }

  /** New connections are encrypted with these, those of all servers on the same port. */
  Future<Boolean> update(ServerSSLOptions tls) {
    HttpServer running = server;
    return running == null ? Future.succeededFuture(false) : running.updateSSLOptions(tls);
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
