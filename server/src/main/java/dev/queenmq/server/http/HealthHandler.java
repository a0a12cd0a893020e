package dev.queenmq.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;

/** {@code GET /health}: 200 while the database answers, 503 while it does not. */
final class HealthHandler implements Handler<HttpServerRequest> {

  private final HealthCheck database;
  private final String version;
  private final int worker;
  private final JsonObject sharedState;

  HealthHandler(HealthCheck database, String version, String serverId, int worker) {
    this.database = database;
    this.version = version;
    this.worker = worker;
    this.sharedState = alone(serverId);
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
        .put("queen", new JsonObject().put("status", "active").put("worker_id", worker))
        .put("server", "Queen MQ for Java")
        .put("shared_state", sharedState)
        .put("status", connected ? "healthy" : "unhealthy")
        .put("version", version)
        .put("worker_id", worker);
  }

  /** What clients of the older server find here, of a broker that shares nothing with others. */
  private static JsonObject alone(String serverId) {
    return new JsonObject()
        .put("enabled", false)
        .put("maintenance_mode", false)
        .put("pop_maintenance_mode", false)
        .put(
            "queue_config_cache",
            new JsonObject().put("hit_rate", 0.0).put("hits", 0).put("misses", 0).put("size", 0))
        .put("running", false)
        .put(
            "server_health",
            new JsonObject()
                .put("heartbeats_received", 0)
                .put("restarts_detected", 0)
                .put("servers_alive", 0)
                .put("servers_dead", 0)
                .put("servers_tracked", 0))
        .put("server_id", serverId);
  }
}
