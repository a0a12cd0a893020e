package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.GroupQueries;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.Timestamps;
import dev.queenmq.server.http.routing.Answer;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;

/**
 * Consumer groups: how far they are, and how to move or forget them. Safe for any event loop.
 *
 * <p>Of two routes that fit a path the first counts, so a group named {@code lagging} is listed but
 * cannot be looked at by itself.
 */
public final class GroupRoutes {
  private static final String GROUP = "/api/v1/consumer-groups/:group";
  private static final int DEFAULT_LAG_SECONDS = 3600;
  private static final KnownNames LAGGING = KnownNames.parameters("minLagSeconds", "limit");
  private static final KnownNames DELETION = KnownNames.parameters("deleteMetadata");

  private final Broker broker;
  private final GroupQueries queries;
  private final GroupCodec codec;
  private final BodyHandler bodies;
  private final SharedAnswers answers;

  /** Routes that act through an operator and read through queries. */
  public GroupRoutes(
      Broker broker,
      GroupQueries queries,
      HttpLimits limits,
      BodyHandler bodies,
      SharedAnswers answers) {
    this.broker = broker;
    this.queries = queries;
    this.codec = new GroupCodec(JsonInput.factory(limits.maxDepth()));
    this.bodies = bodies;
    this.answers = answers;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/api/v1/consumer-groups",
            Access.READ,
            QueueScope.ALL,
            (request, path) -> groups(request)),
        Route.read(
            "/api/v1/consumer-groups/lagging",
            Access.READ,
            QueueScope.ALL,
            (request, path) -> lagging(request)),
        Route.read(GROUP, Access.READ, QueueScope.ALL, this::group),
        Route.of(
            HttpMethod.DELETE,
            GROUP,
            Access.ADMIN,
            QueueScope.ALL,
            (request, path) -> delete(request, path, Optional.empty())),
        Route.of(
            HttpMethod.DELETE,
            GROUP + "/queues/:queue",
            Access.ADMIN,
            QueueScope.PATH,
            (request, path) ->
                delete(request, path, Optional.of(Texts.existing("queue", path.get("queue"))))),
        Route.calling(
            HttpMethod.POST,
            GROUP + "/subscription",
            Access.MANAGE,
            QueueScope.ALL,
            this::moveSubscription),
        Route.calling(
            HttpMethod.POST,
            GROUP + "/queues/:queue/seek",
            Access.MANAGE,
            QueueScope.PATH,
            this::seek),
        Route.calling(
            HttpMethod.POST,
            GROUP + "/queues/:queue/partitions/:partition/seek",
            Access.MANAGE,
            QueueScope.PATH,
            this::seekPartition));
  }

  private void groups(HttpServerRequest request) {
    Page page = Page.all(request);
    answers.page(request, page.limit(), () -> queries.groups(page.limit() + 1, page.offset()));
  }

  private void group(HttpServerRequest request, PathParameters path) {
    QueryParameters query = QueryParameters.parse(request.query(), Page.PARAMETERS);
    Page page = Page.of(query, Page.USUAL_POSITIONS, Page.MOST);
    String group = Texts.existing("consumerGroup", path.get("group"));
    answers.object(request, () -> queries.group(group, page.limit(), page.offset()));
  }

  private void lagging(HttpServerRequest request) {
    QueryParameters query = QueryParameters.parse(request.query(), LAGGING);
    int seconds = query.number("minLagSeconds", 0, Integer.MAX_VALUE, DEFAULT_LAG_SECONDS);
    int limit = query.number("limit", 1, Page.MOST, Page.USUAL_PARTITIONS);
    answers.array(request, () -> queries.lagging(seconds, limit));
  }

  private void delete(HttpServerRequest request, PathParameters path, Optional<String> queue) {
    boolean metadata =
        QueryParameters.parse(request.query(), DELETION).flag("deleteMetadata", true);
    String group = Texts.existing("consumerGroup", path.get("group"));
    GroupDeletion deletion = new GroupDeletion(group, queue, metadata);
    Answer.reply(
        request,
        broker
            .deleteGroup(deletion)
            .map(
                outcome -> {
                  if (outcome instanceof GroupOutcome.Changed changed) {
                    boolean deleted = !changed.queues().isEmpty();
                    JsonObject body =
                        done(deletion.group())
                            .put("deleted", deleted)
                            .put("deletedPartitions", changed.count())
                            .put("metadataDeleted", metadata);
                    if (!deleted) {
                      body.put("message", "There was nothing to delete");
                    }
                    queue.ifPresent(name -> body.put("queueName", name));
                    return new Answer(200, body);
                  }
                  return Answer.rejected(((GroupOutcome.Rejected) outcome).problem());
                }));
  }

  private void moveSubscription(
      HttpServerRequest request, PathParameters path, RequestContext call) {
    String group = group(path);
    bodies.handle(
        request,
        body -> {
          GroupCodec.Moment moment = codec.subscription(body);
          call.note("subscriptionTimestamp", moment.text());
          Answer.reply(
              request,
              broker
                  .moveSubscription(new SubscriptionMove(group, moment.instant()))
                  .map(
                      outcome ->
                          outcome instanceof GroupOutcome.Changed changed
                              ? new Answer(
                                  200,
                                  done(group)
                                      .put("newTimestamp", moment.text())
                                      .put("rowsUpdated", changed.count()))
                              : Answer.rejected(((GroupOutcome.Rejected) outcome).problem())));
        });
  }

  private void seek(HttpServerRequest request, PathParameters path, RequestContext call) {
    String group = group(path);
    String queue = queue(path);
    bodies.handle(
        request,
        body -> {
          Seek seek = new Seek(queue, Optional.empty(), group, codec.seek(body));
          note(call, seek);
          Answer.reply(
              request,
              broker
                  .seek(seek)
                  .map(
                      outcome ->
                          outcome instanceof SeekOutcome.Moved moved
                              ? new Answer(
                                  200, target(seek).put("partitionsUpdated", moved.partitions()))
                              : notMoved(outcome, "Queue not found")));
        });
  }

  private void seekPartition(HttpServerRequest request, PathParameters path, RequestContext call) {
    String group = group(path);
    String queue = queue(path);
    String partition = Texts.name("partition", path.get("partition"));
    bodies.handle(
        request,
        body -> {
          Seek seek = new Seek(queue, Optional.of(partition), group, codec.seekPartition(body));
          note(call, seek);
          Answer.reply(
              request,
              broker
                  .seek(seek)
                  .map(
                      outcome ->
                          outcome instanceof SeekOutcome.Moved moved
                              ? new Answer(
                                  200,
                                  target(seek)
                                      .put("partitionName", partition)
                                      .put("updated", moved.partitions() > 0)
                                      .put(
                                          "cursorMovedTo",
                                          moved.behind().map(Timestamps::millis).orElse(null)))
                              : notMoved(outcome, "Partition not found")));
        });
  }

  private static void note(RequestContext call, Seek seek) {
    call.note(
        "to",
        seek.to() instanceof Seek.Position.After after
            ? Timestamps.millis(after.moment())
            : "the end");
  }

  private static JsonObject target(Seek seek) {
    JsonObject body =
        done(seek.group())
            .put("queueName", seek.queue())
            .put("seekToEnd", seek.to() instanceof Seek.Position.End)
            .putNull("targetTimestamp");
    if (seek.to() instanceof Seek.Position.After after) {
      body.put("targetTimestamp", Timestamps.millis(after.moment()));
    }
    return body;
  }

  private static Answer notMoved(SeekOutcome outcome, String missing) {
    if (outcome instanceof SeekOutcome.Rejected rejected) {
      return Answer.rejected(rejected.problem());
    }
    String error =
        outcome instanceof SeekOutcome.UnknownGroup ? "Consumer group not found" : missing;
    return new Answer(404, new JsonObject().put("success", false).put("error", error));
  }

  private static JsonObject done(String group) {
    return new JsonObject().put("success", true).put("consumerGroup", group);
  }

  private static String group(PathParameters path) {
    return Texts.name("consumerGroup", path.get("group"));
  }

  private static String queue(PathParameters path) {
    return Texts.queue("queue", path.get("queue"));
  }
}
