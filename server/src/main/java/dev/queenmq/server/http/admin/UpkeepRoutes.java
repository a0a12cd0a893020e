package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.ChartRange;
import dev.queenmq.server.admin.UpkeepQueries;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.admin.UpkeepRun;
import dev.queenmq.server.upkeep.Upkeep;
import dev.queenmq.server.upkeep.UpkeepHeldException;
import dev.queenmq.server.upkeep.UpkeepJob;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** What is done in the background: to look at, and to have done now. Safe for any event loop. */
public final class UpkeepRoutes {
  private static final String UPKEEP = "/api/v1/system/upkeep";
  private static final int USUAL_WAIT_MILLIS = 10_000;
  private static final int LONGEST_WAIT_MILLIS = 110_000;
  private static final KnownNames RUN = KnownNames.parameters("wait");
  private static final KnownNames RETENTION = KnownNames.parameters("queue", "from", "to");

  private final Upkeep upkeep;
  private final UpkeepQueries queries;
  private final InstantSource clock;
  private final SharedAnswers answers;

  /**
   * Over the jobs and their history.
   *
   * @param clock for ranges of charts that do not say when they end
   */
  public UpkeepRoutes(
      Upkeep upkeep, UpkeepQueries queries, InstantSource clock, SharedAnswers answers) {
    this.upkeep = upkeep;
    this.queries = queries;
    this.clock = clock;
    this.answers = answers;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(UPKEEP, Access.READ, QueueScope.ALL, (request, path) -> jobs(request)),
        Route.of(HttpMethod.POST, UPKEEP + "/:job/run", Access.ADMIN, QueueScope.ALL, this::run),
        Route.read(
            "/api/v1/analytics/retention",
            Access.READ,
            QueueScope.QUERY,
            (request, path) -> retention(request)));
  }

  private void jobs(HttpServerRequest request) {
    answers.object(
        request,
        () ->
            queries.jobs(
                Arrays.stream(UpkeepJob.values())
                    .map(job -> new UpkeepQueries.Job(job.label(), upkeep.interval(job)))
                    .toList()));
  }

  private void run(HttpServerRequest request, PathParameters path) {
    Optional<UpkeepJob> job = UpkeepJob.of(path.get("job"));
    if (job.isEmpty()) {
      JsonReply.error(request, 404, "Job not found");
      return;
    }
    int wait =
        QueryParameters.parse(request.query(), RUN)
            .number("wait", 0, LONGEST_WAIT_MILLIS, USUAL_WAIT_MILLIS);
    Future<Optional<UpkeepRun>> run = upkeep.run(job.get());
    within(run, wait)
        .onSuccess(
            ended -> {
              if (ended.isPresent() && ended.get().error().isPresent()) {
                JsonReply.error(request, 500, ended.get().error().get());
              } else if (ended.isPresent()) {
                JsonReply.send(request, 200, body(ended.get()));
              } else {
                underWay(request, job.get());
              }
            })
        .onFailure(
            failure -> {
              if (failure instanceof TimeoutException) {
                underWay(request, job.get());
              } else if (failure instanceof UpkeepHeldException held) {
                JsonReply.error(request, 409, String.valueOf(held.getMessage()));
              } else if (failure instanceof StoreException known) {
                JsonReply.error(request, 503, String.valueOf(known.getMessage()));
              } else {
                JsonReply.failure(request, failure);
              }
            });
  }

  /** If the caller's wait is over, the run continues in the background. */
  private static Future<Optional<UpkeepRun>> within(Future<Optional<UpkeepRun>> run, int millis) {
    return Vertx.currentContext() == null || run.isComplete()
        ? run
        : run.timeout(Math.max(1, millis), TimeUnit.MILLISECONDS);
  }

  private static void underWay(HttpServerRequest request, UpkeepJob job) {
    JsonReply.send(
        request,
        202,
        new JsonObject().put("job", job.label()).put("state", "running").put("see", UPKEEP));
  }

  private static JsonObject body(UpkeepRun run) {
    return new JsonObject()
        .put("job", run.job())
        .put("state", "done")
        .put("startedAt", Timestamps.millis(run.started()))
        .put("tookMs", Duration.between(run.started(), run.ended()).toMillis())
        .put("removed", run.removed());
  }

  private void retention(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), RETENTION);
    Instant to = moment(query, "to").orElseGet(clock::instant);
    Instant from = moment(query, "from").orElse(to.minus(ChartRange.USUAL));
    if (from.isAfter(to)) {
      throw HttpProblem.badRequest("from must not be after to");
    }
    String queue = query.text("queue");
    Optional<String> name =
        queue.isEmpty() ? Optional.empty() : Optional.of(Texts.existing("queue", queue));
    answers.object(request, () -> queries.retention(name, new ChartRange(from, to)));
  }

  private static Optional<Instant> moment(QueryParameters query, String name) {
    String text = query.text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    @Nullable Instant moment = Timestamps.parse(text);
    if (moment == null) {
      throw HttpProblem.badRequest(name + " must be an ISO 8601 timestamp");
    }
    return Optional.of(moment);
  }
}
