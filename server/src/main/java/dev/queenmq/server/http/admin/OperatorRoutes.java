package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.ResourceQueries;
import dev.queenmq.server.admin.history.ClusterQueries;
import dev.queenmq.server.admin.history.StatisticsRefresh;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.broker.Figures;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteHandler;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.metrics.HttpFigures;
import dev.queenmq.server.metrics.JsonMetrics;
import dev.queenmq.server.metrics.ProcessMeter;
import dev.queenmq.server.metrics.PrometheusMetrics;
import dev.queenmq.server.spool.SpoolStatus;
import dev.queenmq.server.upkeep.UpkeepFigures;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** What operators look at: queues and what is in them, and the broker's figures. */
public final class OperatorRoutes {
  private static final String METRICS = "/metrics";
  private static final String PROMETHEUS = "/metrics/prometheus";
  private static final int DEFAULT_PAGE = 100;
  private static final KnownNames REFRESH = KnownNames.parameters("wait");
  private static final KnownNames PARTITIONS = KnownNames.parameters("queue", "limit", "offset");

  /** How long a request waits for a refresh, unless it asks to wait longer. */
  private static final long REFRESH_MILLIS = 400;

  private static final long SCRAPE_MILLIS = 2_000;

  private static final JsonObject STILL_RUNNING = new JsonObject().put("running", true);

  /**
   * What there is to look at.
   *
   * @param sharedState what the broker knows of others
   * @param upkeep what it did in the background
   * @param spool what it keeps on its disk
   * @param http requests and connections that it rejected
   */
  public record Sources(
      ResourceQueries resources,
      StatisticsRefresh refresh,
      ClusterQueries cluster,
      Figures figures,
      Supplier<JsonObject> sharedState,
      Supplier<UpkeepFigures> upkeep,
      Supplier<SpoolStatus> spool,
      Supplier<HttpFigures> http) {}

  private final Vertx vertx;
  private final ResourceQueries resources;
  private final StatisticsRefresh refresh;
  private final ClusterQueries cluster;
  private final Figures figures;
  private final Supplier<JsonObject> sharedState;
  private final Supplier<UpkeepFigures> upkeep;
  private final Supplier<SpoolStatus> spool;
  private final Supplier<HttpFigures> http;
  private final ProcessMeter process = new ProcessMeter();
  private final JsonMetrics json = new JsonMetrics();
  private final PrometheusMetrics prometheus;
  private final SharedAnswers answers;
  private final Access metricsAccess;

  /**
   * Over what there is to look at.
   *
   * @param metricsNeedToken whether {@code /metrics} and {@code /metrics/prometheus} are for
   *     callers who may look; otherwise they are open
   */
  public OperatorRoutes(
      Vertx vertx,
      Sources sources,
      PrometheusMetrics prometheus,
      SharedAnswers answers,
      boolean metricsNeedToken) {
    this.answers = answers;
    this.metricsAccess = metricsNeedToken ? Access.READ : Access.OPEN;
    this.vertx = vertx;
    this.resources = sources.resources();
    this.refresh = sources.refresh();
    this.cluster = sources.cluster();
    this.figures = sources.figures();
    this.sharedState = sources.sharedState();
    this.upkeep = sources.upkeep();
    this.spool = sources.spool();
    this.http = sources.http();
    this.prometheus = prometheus;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        read(
            "/api/v1/resources/queues",
            QueueScope.ALL,
            (request, path) -> list(request, resources::queues)),
        read("/api/v1/resources/queues/:queue", QueueScope.PATH, this::queue),
        read(
            "/api/v1/resources/namespaces",
            QueueScope.ALL,
            (request, path) -> list(request, resources::namespaces)),
        read(
            "/api/v1/resources/tasks",
            QueueScope.ALL,
            (request, path) -> list(request, resources::tasks)),
        read(
            "/api/v1/resources/overview",
            QueueScope.ALL,
            (request, path) -> answers.object(request, resources::overview)),
        read(
            "/api/v1/resources/partitions",
            QueueScope.QUERY,
            (request, path) -> partitions(request)),
        Route.of(
            HttpMethod.POST,
            "/api/v1/stats/refresh",
            Access.ADMIN,
            QueueScope.ALL,
            (request, path) -> refresh(request)),
        Route.read(METRICS, metricsAccess, QueueScope.ALL, (request, path) -> metrics(request)),
        Route.read(
            PROMETHEUS, metricsAccess, QueueScope.ALL, (request, path) -> prometheus(request)));
  }

  private static Route read(String template, QueueScope scope, RouteHandler handler) {
    return Route.read(template, Access.READ, scope, handler);
  }

  /** Answers a page of a list. */
  @FunctionalInterface
  private interface PagedList {
    Future<JsonObject> page(int limit, int offset);
  }

  private void list(HttpServerRequest request, PagedList list) {
    Page page = Page.all(request);
    answers.object(request, () -> list.page(page.limit(), page.offset()));
  }

  private void queue(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), Page.PARAMETERS);
    Page page = Page.of(query, Page.USUAL_PARTITIONS, Page.MOST);
    answers.queue(request, () -> resources.queue(path.get("queue"), page.limit(), page.offset()));
  }

  private void refresh(HttpServerRequest request) {
    boolean patient = QueryParameters.parse(request.query(), REFRESH).flag("wait");
    Future<JsonObject> done = refresh.now();
    if (patient) {
      JsonReply.object(request, done);
      return;
    }
    // In the background it goes on.
    Promise<JsonObject> answer = Promise.promise();
    long timer =
        vertx.setTimer(
            REFRESH_MILLIS,
            late -> {
              if (answer.tryComplete(STILL_RUNNING)) {
                JsonReply.send(request, 202, STILL_RUNNING);
              }
            });
    done.onComplete(
        result -> {
          vertx.cancelTimer(timer);
          if (result.succeeded() && answer.tryComplete(result.result())) {
            JsonReply.send(request, 200, result.result());
          } else if (result.failed() && answer.tryFail(result.cause())) {
            JsonReply.failure(request, result.cause());
          }
        });
  }

  private void partitions(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), PARTITIONS);
    Page page = Page.of(query, DEFAULT_PAGE, Page.MOST);
    int limit = page.limit();
    int offset = page.offset();
    String queue = Texts.atMost255("queue", query.text("queue"));
    if (queue.isEmpty()) {
      answers.object(request, () -> resources.partitions(limit, offset));
    } else {
      answers.queue(request, () -> resources.partitions(queue, limit, offset));
    }
  }

  private void metrics(HttpServerRequest request) {
    answers.openObject(
        request, METRICS, () -> Future.succeededFuture(json.body(figures.now(), process.read())));
  }

  /** If the database does not answer, what this process knows by itself is still reported. */
  private void prometheus(HttpServerRequest request) {
    answers.openText(request, PROMETHEUS, PrometheusMetrics.CONTENT_TYPE, this::scrape);
  }

  private Future<Buffer> scrape() {
    return cluster
        .read()
        .timeout(SCRAPE_MILLIS, TimeUnit.MILLISECONDS)
        .map(Optional::of)
        .otherwise(Optional.empty())
        .map(
            readings ->
                Buffer.buffer(
                    prometheus.text(
                        figures.now(),
                        process.read(),
                        sharedState.get(),
                        upkeep.get(),
                        spool.get(),
                        http.get(),
                        readings)));
  }
}
