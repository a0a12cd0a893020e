package dev.queenmq.server.http.admin;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The probes: whether the broker is alive, and whether it is ready. */
public final class HealthRoutes {

  private HealthRoutes() {}

  /**
   * The routes, for a {@link RouteTable}.
   *
   * @param database what {@code /health} asks
   * @param details what it adds
   * @param draining whether the broker is about to stop, and wants no more requests
   * @param version shown by {@code /health}, like what the broker knows of others and the number of
   *     the event loop that answers
   */
  public static List<Route> of(
      HealthCheck database,
      HealthDetails details,
      BooleanSupplier draining,
      String version,
      Supplier<JsonObject> sharedState,
      int worker) {
    HealthHandler health =
        new HealthHandler(database, details, draining, version, sharedState, worker);
    return List.of(
        Route.read(
            "/health", Access.OPEN, QueueScope.ALL, (request, path) -> health.handle(request)),
        Route.read(
            "/health/ready",
            Access.OPEN,
            QueueScope.ALL,
            (request, path) -> health.handle(request)),
        Route.read(
            "/health/accepting",
            Access.OPEN,
            QueueScope.ALL,
            (request, path) -> accepting(request, draining.getAsBoolean())),
        Route.read("/health/live", Access.OPEN, QueueScope.ALL, (request, path) -> alive(request)));
  }

  /**
   * Says nothing about the database either: with a spool the broker takes pushes without it, so
   * that a load balancer should not turn away from all brokers at once.
   */
  private static void accepting(HttpServerRequest request, boolean draining) {
    JsonReply.send(
        request,
        draining ? 503 : 200,
        new JsonObject().put("status", draining ? "draining" : "accepting"));
  }

  /** Says nothing about the database: restarting the broker would not bring that back. */
  private static void alive(HttpServerRequest request) {
    JsonReply.send(request, 200, new JsonObject().put("status", "alive"));
  }
}
