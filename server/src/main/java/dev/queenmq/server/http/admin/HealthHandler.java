package dev.queenmq.server.http.admin;

import dev.queenmq.server.http.routing.JsonReply;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * {@code GET /health}: 200 while the database answers, 503 while it does not, or while the broker
 * is about to stop.
 */
final class HealthHandler implements Handler<HttpServerRequest> {

  private final HealthCheck database;
  private final HealthDetails details;
  private final BooleanSupplier draining;
  private final String version;
  private final int worker;
  private final Supplier<JsonObject> sharedState;

  HealthHandler(
      HealthCheck database,
      HealthDetails details,
      BooleanSupplier draining,
      String version,
      Supplier<JsonObject> sharedState,
      int worker) {
    this.database = database;
    this.details = details;
    this.draining = draining;
    this.version = version;
    this.worker = worker;
    this.sharedState = sharedState;
  }

  @Override
  public void handle(HttpServerRequest request) {
    database
        .check()
        .onComplete(
            answer -> {
              JsonObject body = body(answer.succeeded());
              details.add(body, Optional.ofNullable(answer.cause()));
              boolean stopping = draining.getAsBoolean();
              if (stopping) {
                body.put("status", "draining");
              }
              // By name, as the fields always were.
              JsonObject sorted = new JsonObject(new TreeMap<>(body.getMap()));
              JsonReply.send(request, answer.succeeded() && !stopping ? 200 : 503, sorted);
            });
  }

  private JsonObject body(boolean connected) {
    return new JsonObject()
        .put("database", connected ? "connected" : "disconnected")
        .put("queen", new JsonObject().put("status", "active").put("worker_id", worker))
        .put("server", "Queen MQ for Java")
        .put("shared_state", sharedState.get())
        .put("status", connected ? "healthy" : "unhealthy")
        .put("version", version)
        .put("worker_id", worker);
  }
}
