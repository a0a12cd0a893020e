package dev.queenmq.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** {@code GET /health}: 200 while the database answers, 503 while it does not. */
final class HealthHandler implements Handler<HttpServerRequest> {

  private final HealthCheck database;
  private final String version;

  HealthHandler(HealthCheck database, String version) {
    this.database = database;
    this.version = version;
  }

  @Override
  public void handle(HttpServerRequest request) {
    database
        .check()
        .onComplete(
            answer ->
                JsonReply.send(request, answer.succeeded() ? 200 : 503, body(answer.succeeded())));
  }

  private JsonObject body(boolean connected) {
    return new JsonObject()
        .put("database", connected ? "connected" : "disconnected")
        .put("server", "Queen MQ for Java")
        .put("status", connected ? "healthy" : "unhealthy")
        .put("version", version);
  }
}
