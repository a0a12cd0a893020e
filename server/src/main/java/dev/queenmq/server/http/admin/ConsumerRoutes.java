package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.LeaseQueries;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.broker.Operator;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.http.routing.Answer;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.model.admin.PauseOutcome;
import dev.queenmq.server.model.admin.PopPause;
import io.vertx.core.Future;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What operators see of consumers, and how they stop them: who holds which lease, the end of a
 * lease, and pops that are paused. Safe for any event loop.
 */
public final class ConsumerRoutes {
  private static final String QUEUE = "/api/v1/resources/queues/:queue";
  private static final String GROUP = "/api/v1/consumer-groups/:group/queues/:queue";
  private static final int USUAL_LEASES = 100;
  private static final KnownNames LEASES =
      KnownNames.parameters("queue", "consumerGroup", "limit", "offset");

  private final Operator operator;
  private final LeaseQueries leases;
  private final SharedAnswers answers;

  /** Routes that act through an operator and read through queries. */
  public ConsumerRoutes(Operator operator, LeaseQueries leases, SharedAnswers answers) {
    this.operator = operator;
    this.leases = leases;
    this.answers = answers;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/api/v1/leases", Access.READ, QueueScope.QUERY, (request, path) -> leases(request)),
        Route.calling(
            HttpMethod.DELETE,
            "/api/v1/lease/:leaseId",
            Access.MANAGE,
            QueueScope.HANDLER,
            this::endLease),
        change(QUEUE + "/pause", true),
        change(QUEUE + "/resume", false),
        change(GROUP + "/pause", true),
        change(GROUP + "/resume", false));
  }

  private void leases(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), LEASES);
    Page page = Page.of(query, USUAL_LEASES, Page.MOST);
    String queue = optional(query, "queue");
    String group = optional(query, "consumerGroup");
    answers.object(request, () -> leases.leases(queue, group, page.limit(), page.offset()));
  }

  private static String optional(QueryParameters query, String name) {
    String given = query.text(name);
    return given.isEmpty() ? given : Texts.existing(name, given);
  }

  private void endLease(HttpServerRequest request, PathParameters path, RequestContext call) {
    String text = path.get("leaseId");
    @Nullable UUID lease = UuidText.parse(text);
    if (lease == null) {
      throw HttpProblem.badRequest("leaseId must be a UUID");
    }
    Answer.reply(
        request,
        call.reachLease(lease)
            .compose(known -> known ? operator.endLease(lease) : Future.succeededFuture(0))
            .map(
                partitions ->
                    partitions == 0
                        ? new Answer(
                            404,
                            new JsonObject()
                                .put("success", false)
                                .put("leaseId", lease.toString())
                                .put("error", "Lease not found"))
                        : new Answer(
                            200,
                            new JsonObject()
                                .put("success", true)
                                .put("leaseId", lease.toString())
                                .put("partitions", partitions))));
  }

  private Route change(String template, boolean paused) {
    return Route.calling(
        HttpMethod.POST,
        template,
        Access.MANAGE,
        QueueScope.PATH,
        (request, path, call) -> {
          Optional<String> group =
              template.startsWith(GROUP)
                  ? Optional.of(Texts.existing("consumerGroup", path.get("group")))
                  : Optional.empty();
          PopPause pause =
              new PopPause(
                  Texts.existing("queue", path.get("queue")),
                  group,
                  paused,
                  call.caller().subject());
          Answer.reply(request, operator.pause(pause).map(outcome -> answer(pause, outcome)));
        });
  }

  private static Answer answer(PopPause pause, PauseOutcome outcome) {
    if (outcome instanceof PauseOutcome.Done done) {
      JsonObject body = new JsonObject().put("success", true).put("queue", pause.queue());
      pause.group().ifPresent(group -> body.put("consumerGroup", group));
      return new Answer(
          200,
          body.put("paused", pause.paused())
              .put("changed", done.changed())
              .put("since", done.since().map(Timestamps::millis).orElse(null)));
    }
    if (outcome instanceof PauseOutcome.Rejected rejected) {
      return Answer.rejected(rejected.problem());
    }
    String missing = outcome instanceof PauseOutcome.UnknownGroup ? "Consumer group" : "Queue";
    return new Answer(
        404, new JsonObject().put("success", false).put("error", missing + " not found"));
  }
}
