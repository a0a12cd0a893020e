package dev.queenmq.server.http.admin;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.broker.Maintenance;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.spool.SpoolStatus;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Maintenance modes, which keep clients away from PostgreSQL, and the state of the spool. Safe for
 * any event loop.
 */
public final class MaintenanceRoutes {
  private static final KnownNames FIELDS = KnownNames.fields("enabled");
  private static final String PATH = "/api/v1/system/maintenance";
  private static final double MEBIBYTE = 1 << 20;

  private final Maintenance maintenance;
  private final Supplier<SpoolStatus> spool;
  private final HealthCheck database;
  private final JsonFactory factory;
  private final BodyHandler bodies;

  /** Routes to the switches and the state of the spool. */
  public MaintenanceRoutes(
      Maintenance maintenance,
      Supplier<SpoolStatus> spool,
      HealthCheck database,
      HttpLimits limits,
      BodyHandler bodies) {
    this.maintenance = maintenance;
    this.spool = spool;
    this.database = database;
    factory = JsonInput.factory(limits.maxDepth());
    this.bodies = bodies;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(PATH, Access.ADMIN, QueueScope.ALL, (request, path) -> show(request)),
        Route.read(
            PATH + "/pop",
            Access.ADMIN,
            QueueScope.ALL,
            (request, path) -> JsonReply.send(request, 200, pops())),
        post(PATH, maintenance::setPushes, this::pushes),
        post(PATH + "/pop", maintenance::setPops, this::pops),
        Route.read(
            "/api/v1/status/buffers",
            Access.READ,
            QueueScope.ALL,
            (request, path) -> buffers(request)));
  }

  private Route post(
      String path, Function<Boolean, Future<Void>> set, Supplier<JsonObject> answer) {
    return Route.of(
        HttpMethod.POST,
        path,
        Access.ADMIN,
        QueueScope.ALL,
        (request, parameters) ->
            bodies.handle(
                request,
                body ->
                    JsonReply.object(request, set.apply(enabled(body)).map(done -> answer.get()))));
  }

  private boolean enabled(Body body) {
    return JsonInput.read(factory, body, MaintenanceRoutes::read)
        .orElseThrow(() -> HttpProblem.badRequest("enabled (boolean) is required"));
  }

  private static Optional<Boolean> read(JsonInput in) throws IOException {
    Wish wish = new Wish();
    in.fieldsOrSkip(
        (value, name) -> {
          if (name.equals("enabled")) {
            wish.enabled = Optional.ofNullable(value.bool());
          } else {
            FIELDS.skip(value, name);
          }
        });
    return wish.enabled;
  }

  private static final class Wish {
    Optional<Boolean> enabled = Optional.empty();
  }

  private JsonObject pushes() {
    SpoolStatus now = spool.get();
    boolean on = maintenance.ofPushes();
    return new JsonObject()
        .put("bufferHealthy", now.healthy())
        .put("bufferedMessages", now.figures().pending())
        .put("maintenanceMode", on)
        .put("message", message(on, now));
  }

  private static String message(boolean on, SpoolStatus now) {
    if (!on) {
      return "Maintenance mode is off: pushes go to PostgreSQL, and so does what is in the spool";
    }
    return now.present()
        ? "Maintenance mode is on: pushes are kept in the spool"
        : "Maintenance mode is on: this broker has no spool and refuses pushes";
  }

  private JsonObject pops() {
    boolean on = maintenance.ofPops();
    return new JsonObject()
        .put(
            "message",
            on
                ? "Pop maintenance mode is on: pops find nothing"
                : "Pop maintenance mode is off: pops find what there is")
        .put("popMaintenanceMode", on);
  }

  private void show(HttpServerRequest request) {
    database
        .check()
        .onComplete(
            answer -> {
              SpoolStatus now = spool.get();
              long dead = now.figures().dead();
              long bytes = now.figures().deadBytes();
              JsonReply.send(
                  request,
                  200,
                  new JsonObject()
                      .put("bufferHealthy", now.healthy())
                      .put(
                          "bufferStats",
                          new JsonObject()
                              .put("dbHealthy", answer.succeeded())
                              .put("failedCount", dead)
                              .put(
                                  "failedFiles",
                                  new JsonObject()
                                      .put("count", dead > 0 ? 1 : 0)
                                      .put("failoverCount", dead)
                                      .put("qos0Count", 0)
                                      .put("totalBytes", bytes)
                                      .put("totalMB", bytes / MEBIBYTE))
                              .put("pendingCount", now.figures().pending()))
                      .put("bufferedMessages", now.figures().pending())
                      .put("maintenanceMode", maintenance.ofPushes())
                      .put("popMaintenanceMode", maintenance.ofPops()));
            });
  }

  private void buffers(HttpServerRequest request) {
    database
        .check()
        .onComplete(
            answer -> {
              SpoolStatus now = spool.get();
              JsonObject body =
                  new JsonObject()
                      .put("dbHealthy", answer.succeeded())
                      .put("failed", now.figures().dead())
                      .put("pending", now.figures().pending())
                      .put("worker", 0);
              if (!now.present()) {
                body.put("note", "This broker has no spool");
              }
              JsonReply.send(request, 200, body);
            });
  }
}
