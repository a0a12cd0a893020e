package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.ResourceQueries;
import dev.queenmq.server.admin.history.QueueFilter;
import dev.queenmq.server.admin.history.StatusQueries;
import dev.queenmq.server.admin.history.TimeRange;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.LongSupplier;

/** How the whole is doing, for a dashboard. Safe for any event loop. */
public final class StatusRoutes {
  private static final int USUAL_PAGE = 100;
  private static final int USUAL_MESSAGES = 50;

  /** How many partitions the newest messages are searched in. */
  private static final int MOST_MESSAGES = 1_000;

  private static final int MOST_POINTS = 50_000;
  private static final KnownNames STATUS =
      KnownNames.parameters("from", "to", "queue", "namespace", "task");
  private static final KnownNames QUEUES =
      KnownNames.parameters("namespace", "task", "limit", "offset");
  private static final KnownNames ANALYTICS =
      KnownNames.parameters("interval", "from", "to", "queue", "namespace", "task");

  private final StatusQueries status;
  private final ResourceQueries resources;
  private final LongSupplier millis;
  private final SharedAnswers answers;

  /**
   * Over what there is to look at.
   *
   * @param millis PostgreSQL's clock
   */
  public StatusRoutes(
      StatusQueries status, ResourceQueries resources, LongSupplier millis, SharedAnswers answers) {
    this.status = status;
    this.resources = resources;
    this.millis = millis;
    this.answers = answers;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/api/v1/status", Access.READ, QueueScope.ALL, (request, path) -> status(request)),
        Route.read(
            "/api/v1/status/queues",
            Access.READ,
            QueueScope.ALL,
            (request, path) -> queues(request)),
        Route.read("/api/v1/status/queues/:queue", Access.READ, QueueScope.PATH, this::queue),
        Route.read(
            "/api/v1/status/queues/:queue/messages", Access.READ, QueueScope.PATH, this::messages),
        Route.read(
            "/api/v1/status/analytics",
            Access.READ,
            QueueScope.QUERY,
            (request, path) -> analytics(request)));
  }

  private void status(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), STATUS);
    TimeRange range = Ranges.of(query, millis.getAsLong(), Duration.ofHours(1));
    answers.object(request, () -> status.status(range, filter(query)));
  }

  private void queues(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), QUEUES);
    Page page = Page.of(query, USUAL_PAGE, Page.MOST);
    answers.object(
        request,
        () ->
            resources.statusQueues(
                query.text("namespace"), query.text("task"), page.limit(), page.offset()));
  }

  private void queue(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), Page.PARAMETERS);
    Page page = Page.of(query, Page.USUAL_PARTITIONS, Page.MOST);
    answers.queue(
        request, () -> resources.statusQueue(path.get("queue"), page.limit(), page.offset()));
  }

  private void messages(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), Page.PARAMETERS);
    Page page = Page.of(query, USUAL_MESSAGES, MOST_MESSAGES);
    if (page.offset() > MOST_MESSAGES - page.limit()) {
      throw HttpProblem.badRequest(
          "limit and offset together must not be more than " + MOST_MESSAGES);
    }
    answers.array(request, () -> status.messages(path.get("queue"), page.limit(), page.offset()));
  }

  private void analytics(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), ANALYTICS);
    TimeRange range = Ranges.of(query, millis.getAsLong(), Duration.ofHours(24));
    ChronoUnit unit =
        switch (query.text("interval")) {
          case "", "hour" -> ChronoUnit.HOURS;
          case "minute" -> ChronoUnit.MINUTES;
          case "day" -> ChronoUnit.DAYS;
          default -> throw HttpProblem.badRequest("interval must be minute, hour or day");
        };
    if (Duration.between(range.from(), range.to()).dividedBy(unit.getDuration()) > MOST_POINTS) {
      throw HttpProblem.badRequest("The range has more than " + MOST_POINTS + " points");
    }
    answers.object(request, () -> status.analytics(range, filter(query), unit));
  }

  private static QueueFilter filter(QueryParameters query) {
    return new QueueFilter(query.text("queue"), query.text("namespace"), query.text("task"));
  }
}
