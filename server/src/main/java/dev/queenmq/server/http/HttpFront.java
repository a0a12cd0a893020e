package dev.queenmq.server.http;

import dev.queenmq.server.config.HttpConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The HTTP server of a broker, from the first connection to the last. */
public final class HttpFront {

  private final HttpServer server;

  private HttpFront(HttpServer server) {
    this.server = server;
  }

  /**
   * Starts to listen.
   *
   * @param database what {@code /health} asks
   * @param version what {@code /health} tells
   * @return the running server, or a failure with a {@link HttpStartException}
   */
  public static Future<HttpFront> start(
      Vertx vertx, HttpConfig config, HealthCheck database, String version) {
    HealthHandler health = new HealthHandler(database, version);
    return vertx
        .createHttpServer(new HttpServerOptions().setHost(config.host()).setPort(config.port()))
        .requestHandler(
            new Routes(
                Map.of(
                    "/health", health, "/health/ready", health, "/health/live", HttpFront::alive)))
        .listen()
        .map(HttpFront::new)
        .recover(failure -> Future.failedFuture(cannotListen(config, failure)));
  }

  /** Says nothing about the database: restarting the broker would not bring that back. */
  private static void alive(HttpServerRequest request) {
    JsonReply.send(request, 200, new JsonObject().put("status", "alive"));
  }

  private static HttpStartException cannotListen(HttpConfig config, Throwable failure) {
    String where = config.host() + ":" + config.port();
    String said = String.valueOf(failure.getMessage());
    String why = said.contains("Address already in use") ? "the port is in use" : said;
    return new HttpStartException("cannot listen on " + where + ": " + why, failure);
  }

  /** The port that it really listens on. */
  public int port() {
    return server.actualPort();
  }

  /** Takes no more requests, and waits a moment for the answers to those that it has. */
  public Future<Void> stop(Duration patience) {
    return server.shutdown(patience.toMillis(), TimeUnit.MILLISECONDS);
  }
}
