package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.history.AnalyticsQueries;
import dev.queenmq.server.admin.history.TimeRange;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import io.vertx.core.Future;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;

/** Charts of what brokers did. Safe for any event loop. */
public final class AnalyticsRoutes {
  private static final String ROOT = "/api/v1/analytics/";
  private static final KnownNames PARAMETERS =
      KnownNames.parameters("from", "to", "queue", "hostname", "workerId");

  private final AnalyticsQueries queries;
  private final LongSupplier millis;
  private final SharedAnswers answers;

  /**
   * Over what was written down.
   *
   * @param millis PostgreSQL's clock
   */
  public AnalyticsRoutes(AnalyticsQueries queries, LongSupplier millis, SharedAnswers answers) {
    this.queries = queries;
    this.millis = millis;
    this.answers = answers;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        chart(
            "system-metrics",
            QueueScope.ALL,
            (range, query) ->
                queries.system(range, query.text("hostname"), query.text("workerId"))),
        chart(
            "worker-metrics",
            QueueScope.ALL,
            (range, query) -> queries.workers(range, query.text("hostname"), worker(query))),
        Route.read(
            ROOT + "queue-lag", Access.READ, QueueScope.QUERY, (request, path) -> lag(request)),
        chart(
            "queue-ops",
            QueueScope.QUERY,
            (range, query) -> queries.operations(range, query.text("queue"))),
        chart(
            "queue-parked-replicas",
            QueueScope.QUERY,
            (range, query) -> queries.parked(range, query.text("queue"))),
        Route.read(
            ROOT + "postgres-stats",
            Access.READ,
            QueueScope.ALL,
            (request, path) -> answers.object(request, queries::postgres)));
  }

  private Route chart(
      String name,
      QueueScope scope,
      BiFunction<TimeRange, QueryParameters, Future<JsonObject>> answer) {
    return Route.read(
        ROOT + name,
        Access.READ,
        scope,
        (request, path) -> {
          QueryParameters query = QueryParameters.parse(request.query(), PARAMETERS);
          answers.object(request, () -> answer.apply(range(query), query));
        });
  }

  private void lag(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), PARAMETERS);
    answers.array(request, () -> queries.lag(range(query), query.text("queue")));
  }

  private TimeRange range(QueryParameters query) {
    return Ranges.of(query, millis.getAsLong(), Duration.ofHours(1));
  }

  private static OptionalInt worker(QueryParameters query) {
    return query.text("workerId").isEmpty()
        ? OptionalInt.empty()
        : OptionalInt.of(query.number("workerId", 0, Integer.MAX_VALUE, 0));
  }
}
