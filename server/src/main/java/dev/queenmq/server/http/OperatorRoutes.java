package dev.queenmq.server.http;

import dev.queenmq.server.admin.ResourceQueries;
import dev.queenmq.server.metrics.JsonMetrics;
import dev.queenmq.server.metrics.ProcessMeter;
import dev.queenmq.server.metrics.PrometheusMetrics;
import dev.queenmq.server.sidecar.Figures;
import dev.queenmq.server.upkeep.UpkeepFigures;
import io.vertx.core.Future;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** What operators look at: queues and what is in them, and the broker's figures. */
public final class OperatorRoutes {
  private static final int DEFAULT_PAGE = 100;
  private static final int MAX_PAGE = 10_000;

  /** Numbers are worked out when they are asked for: none is ever old. */
  private static final JsonObject NOTHING_TO_REFRESH =
      new JsonObject().put("skipped", true).put("reason", "always_current");

  private final ResourceQueries resources;
  private final Figures figures;
  private final Supplier<JsonObject> sharedState;
  private final Supplier<UpkeepFigures> upkeep;
  private final ProcessMeter process;
  private final JsonMetrics json;
  private final PrometheusMetrics prometheus;

  /**
   * Over what there is to look at.
   *
   * @param version of the broker, and the name of this process, as the metrics show them
   */
  public OperatorRoutes(
      ResourceQueries resources,
      Figures figures,
      Supplier<JsonObject> sharedState,
      Supplier<UpkeepFigures> upkeep,
      String version,
      String workerId) {
    this.resources = resources;
    this.sharedState = sharedState;
    this.upkeep = upkeep;
    this.figures = figures;
    this.process = new ProcessMeter();
    this.json = new JsonMetrics();
    this.prometheus = new PrometheusMetrics(version, workerId);
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/api/v1/resources/queues",
            (request, path) -> AdminReply.object(request, resources.queues())),
        Route.read(
            "/api/v1/resources/queues/:queue",
            (request, path) -> replyQueue(request, resources.queue(path.get("queue")))),
        Route.read(
            "/api/v1/resources/namespaces",
            (request, path) -> AdminReply.object(request, resources.namespaces())),
        Route.read(
            "/api/v1/resources/tasks",
            (request, path) -> AdminReply.object(request, resources.tasks())),
        Route.read(
            "/api/v1/resources/overview",
            (request, path) -> AdminReply.object(request, resources.overview())),
        Route.read("/api/v1/resources/partitions", (request, path) -> partitions(request)),
        Route.of(
            HttpMethod.POST,
            "/api/v1/stats/refresh",
            (request, path) -> JsonReply.send(request, 200, NOTHING_TO_REFRESH)),
        Route.read("/metrics", (request, path) -> metrics(request)),
        Route.read("/metrics/prometheus", (request, path) -> prometheus(request)));
  }

  private void partitions(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query());
    int limit = query.number("limit", 1, MAX_PAGE, DEFAULT_PAGE);
    int offset = query.number("offset", 0, Integer.MAX_VALUE, 0);
    String queue = query.text("queue");
    if (queue.isEmpty()) {
      AdminReply.object(request, resources.partitions(limit, offset));
    } else {
      replyQueue(request, resources.partitions(queue, limit, offset));
    }
  }

  private void metrics(HttpServerRequest request) {
    JsonReply.send(request, 200, json.body(figures.now(), process.read()));
  }

  private void prometheus(HttpServerRequest request) {
    request
        .response()
        .putHeader(HttpHeaders.CONTENT_TYPE, PrometheusMetrics.CONTENT_TYPE)
        .putHeader(HttpHeaders.CACHE_CONTROL, "no-cache")
        .end(prometheus.text(figures.now(), process.read(), sharedState.get(), upkeep.get()));
  }

  private static void replyQueue(HttpServerRequest request, Future<Optional<JsonObject>> answer) {
    answer
        .onSuccess(
            body -> {
              if (body.isPresent()) {
                JsonReply.send(request, 200, body.get());
              } else {
                JsonReply.error(request, 404, "Queue not found");
              }
            })
        .onFailure(failure -> AdminReply.failed(request, failure));
  }
}
