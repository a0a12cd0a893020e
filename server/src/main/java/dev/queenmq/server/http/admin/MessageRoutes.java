package dev.queenmq.server.http.admin;

import dev.queenmq.server.admin.DeadLetterFilter;
import dev.queenmq.server.admin.DeadLetterPage;
import dev.queenmq.server.admin.MessageQueries;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.broker.Operator;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.KnownNames;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.http.routing.Answer;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.admin.DeadLetterSelection;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.MessageOutcome;
import dev.queenmq.server.model.admin.PartitionDeletion;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.RedriveOutcome;
import dev.queenmq.server.model.admin.RemovalOutcome;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Messages and dead letters, one by one and many at a time: to look at, to move, to remove. Safe
 * for any event loop.
 */
public final class MessageRoutes {
  private static final String MESSAGE = "/api/v1/messages/:partitionId/:transactionId";
  private static final String DLQ = "/api/v1/dlq";
  private static final KnownNames CLEAR = KnownNames.parameters("partition");

  private final Operator operator;
  private final MessageQueries queries;
  private final MessageCodec codec;
  private final BodyHandler bodies;
  private final PageReply pages;

  /** Routes that act through an operator and read through queries. */
  public MessageRoutes(
      Operator operator,
      MessageQueries queries,
      HttpLimits limits,
      BodyHandler bodies,
      PageReply pages) {
    this.operator = operator;
    this.queries = queries;
    this.codec =
        new MessageCodec(JsonInput.factory(limits.maxDepth()), new ItemList(limits.maxItems()));
    this.bodies = bodies;
    this.pages = pages;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        Route.read(
            "/api/v1/messages",
            Access.READ,
            QueueScope.QUERY,
            (request, path) ->
                JsonReply.object(
                    request, queries.messages(MessageFilters.messages(request.query())))),
        Route.read(MESSAGE, Access.READ, QueueScope.PARTITION, this::message),
        Route.of(HttpMethod.DELETE, MESSAGE, Access.MANAGE, QueueScope.PARTITION, this::delete),
        Route.calling(
            HttpMethod.POST, MESSAGE + "/retry", Access.MANAGE, QueueScope.PARTITION, this::retry),
        Route.calling(
            HttpMethod.POST,
            MESSAGE + "/dlq",
            Access.MANAGE,
            QueueScope.PARTITION,
            this::deadLetter),
        Route.read(DLQ, Access.READ, QueueScope.QUERY, (request, path) -> deadLetters(request)),
        Route.of(
            HttpMethod.DELETE,
            DLQ,
            Access.MANAGE,
            QueueScope.QUERY,
            (request, path) -> purge(request)),
        Route.calling(
            HttpMethod.POST,
            DLQ + "/redrive",
            Access.MANAGE,
            QueueScope.HANDLER,
            (request, path, call) -> redrive(request, call)),
        Route.of(
            HttpMethod.DELETE,
            "/api/v1/queues/:queue/clear",
            Access.ADMIN,
            QueueScope.PATH,
            this::clear),
        Route.of(
            HttpMethod.DELETE,
            "/api/v1/queues/:queue/partitions/:partition",
            Access.ADMIN,
            QueueScope.PATH,
            this::deletePartition));
  }

  private void message(HttpServerRequest request, PathParameters path) {
    MessageKey key = key(path);
    pages.send(
        request,
        bytes -> queries.message(key),
        found -> 0,
        found -> found.map(one -> SplicedJson.object(one, "payload")),
        () -> notFound(request, key.partitionId()));
  }

  /** There is no index by transaction id: an answer says where the search ended. */
  private void notFound(HttpServerRequest request, UUID partitionId) {
    queries
        .searchedOf(partitionId)
        .onSuccess(
            searched -> {
              JsonObject body = new JsonObject().put("error", "Message not found");
              searched.ifPresent(newest -> body.put("searchedNewest", newest));
              JsonReply.send(request, 404, body);
            })
        .onFailure(failure -> JsonReply.failure(request, failure));
  }

  private void delete(HttpServerRequest request, PathParameters path) {
    MessageKey key = key(path);
    Answer.reply(
        request,
        operator
            .deleteMessage(key)
            .map(
                outcome -> {
                  if (outcome instanceof MessageOutcome.Rejected rejected) {
                    return Answer.rejected(rejected.problem());
                  }
                  boolean done = outcome instanceof MessageOutcome.Done;
                  return new Answer(
                      200,
                      named(key, done)
                          .put(
                              "message",
                              done ? "Message deleted successfully" : "Message not found"));
                }));
  }

  private void retry(HttpServerRequest request, PathParameters path, RequestContext call) {
    MessageKey key = key(path);
    bodies.handle(
        request,
        body ->
            Answer.reply(
                request,
                operator
                    .redrive(new Redrive.OneMessage(key, noted(codec.wish(body).group(), call)))
                    .map(
                        outcome -> {
                          if (outcome instanceof RedriveOutcome.Redriven done && done.count() > 0) {
                            return new Answer(
                                200,
                                named(key, true)
                                    .put("messageId", done.messageIds().get(0).toString())
                                    .put("redriven", done.count()));
                          }
                          return notRedriven(outcome, "Dead letter not found");
                        })));
  }

  private void deadLetter(HttpServerRequest request, PathParameters path, RequestContext call) {
    MessageKey key = key(path);
    bodies.handle(
        request,
        body -> {
          MessageCodec.Wish wish = codec.wish(body);
          String group = wish.group().orElse(PopRequest.QUEUE_MODE);
          call.note("consumerGroup", group);
          Answer.reply(
              request,
              operator
                  .deadLetter(new DeadLettering(key, group, wish.error()))
                  .map(
                      outcome -> {
                        if (outcome instanceof MessageOutcome.Done) {
                          return new Answer(
                              200, named(key, true).put("dlq", true).put("consumerGroup", group));
                        }
                        return outcome instanceof MessageOutcome.Rejected rejected
                            ? Answer.rejected(rejected.problem())
                            : missing("Message not found");
                      }));
        });
  }

  private void deadLetters(HttpServerRequest request) {
    DeadLetterFilter filter = MessageFilters.deadLetters(request.query());
    pages.send(
        request,
        bytes -> queries.deadLetters(filter, bytes),
        DeadLetterPage::needed,
        page -> written(page, filter));
  }

  private static Buffer written(DeadLetterPage page, DeadLetterFilter filter) {
    JsonObject pagination =
        new JsonObject().put("limit", filter.limit()).put("offset", filter.offset());
    PageReply.next(page.messages().size(), page.total(), filter.limit(), filter.offset())
        .ifPresent(next -> pagination.put("nextOffset", next));
    return Buffer.buffer("{\"messages\":")
        .appendBuffer(SplicedJson.array(page.messages(), "data"))
        .appendString(",\"pagination\":")
        .appendBuffer(pagination.toBuffer())
        .appendString(",\"total\":" + page.total() + "}");
  }

  private static Optional<String> noted(Optional<String> group, RequestContext call) {
    group.ifPresent(name -> call.note("consumerGroup", name));
    return group;
  }

  private Redrive.Selected reached(Redrive.Selected redrive, RequestContext call) {
    call.note("queue", redrive.selection().queue());
    redrive.selection().partition().ifPresent(name -> call.note("partition", name));
    noted(redrive.selection().group(), call);
    call.requireQueue(redrive.selection().queue());
    return redrive;
  }

  private void redrive(HttpServerRequest request, RequestContext call) {
    bodies.handle(
        request,
        body ->
            Answer.reply(
                request,
                operator
                    .redrive(reached(codec.redrive(body), call))
                    .map(
                        outcome -> {
                          if (outcome instanceof RedriveOutcome.Redriven done) {
                            return new Answer(
                                200,
                                new JsonObject()
                                    .put("success", true)
                                    .put("queue", done.queue())
                                    .put("redriven", done.count())
                                    .put("remaining", done.remaining()));
                          }
                          return notRedriven(outcome, "Queue not found");
                        })));
  }

  private void purge(HttpServerRequest request) {
    DeadLetterSelection selection = MessageFilters.selection(request.query());
    Answer.reply(
        request,
        operator
            .purge(selection)
            .map(
                outcome ->
                    removed(
                        outcome,
                        "Queue not found",
                        new JsonObject().put("success", true).put("queue", selection.queue()),
                        "purged")));
  }

  private void clear(HttpServerRequest request, PathParameters path) {
    String queue = Texts.existing("queue", path.get("queue"));
    String given = QueryParameters.parse(request.query(), CLEAR).text("partition");
    Optional<String> partition =
        given.isEmpty() ? Optional.empty() : Optional.of(Texts.existing("partition", given));
    Answer.reply(
        request,
        operator
            .clear(queue, partition)
            .map(
                outcome ->
                    removed(
                        outcome,
                        partition.isPresent() ? "Partition not found" : "Queue not found",
                        new JsonObject()
                            .put("cleared", true)
                            .put("queue", queue)
                            .put("partition", partition.orElse(null)),
                        "deletedMessages")));
  }

  private void deletePartition(HttpServerRequest request, PathParameters path) {
    String queue = Texts.existing("queue", path.get("queue"));
    String partition = Texts.existing("partition", path.get("partition"));
    Answer.reply(
        request,
        operator
            .deletePartition(queue, partition)
            .map(
                outcome -> {
                  if (outcome instanceof PartitionDeletion.Deleted deleted) {
                    return new Answer(
                        200,
                        new JsonObject()
                            .put("deleted", true)
                            .put("queue", queue)
                            .put("partition", partition)
                            .put("partitionId", deleted.partitionId().toString()));
                  }
                  return outcome instanceof PartitionDeletion.Rejected rejected
                      ? Answer.rejected(rejected.problem())
                      : missing("Partition not found");
                }));
  }

  private static Answer removed(
      RemovalOutcome outcome, String missing, JsonObject body, String counter) {
    if (outcome instanceof RemovalOutcome.Removed removed) {
      return new Answer(200, body.put(counter, removed.count()));
    }
    return outcome instanceof RemovalOutcome.Rejected rejected
        ? Answer.rejected(rejected.problem())
        : missing(missing);
  }

  private static Answer notRedriven(RedriveOutcome outcome, String missing) {
    if (outcome instanceof RedriveOutcome.Rejected rejected) {
      return Answer.rejected(rejected.problem());
    }
    if (outcome instanceof RedriveOutcome.KeyMissing) {
      return failed(503, MissingKeyException.TEXT);
    }
    return outcome instanceof RedriveOutcome.Unopenable unopenable
        ? failed(409, "A dead letter cannot be opened. " + unopenable.why())
        : missing(missing);
  }

  private static Answer missing(String error) {
    return failed(404, error);
  }

  private static Answer failed(int status, String error) {
    return new Answer(status, new JsonObject().put("success", false).put("error", error));
  }

  private static JsonObject named(MessageKey key, boolean success) {
    return new JsonObject()
        .put("success", success)
        .put("partitionId", key.partitionId().toString())
        .put("transactionId", key.transactionId());
  }

  private static MessageKey key(PathParameters path) {
    @Nullable UUID partitionId = UuidText.parse(path.get("partitionId"));
    if (partitionId == null) {
      throw HttpProblem.badRequest("partitionId must be a UUID");
    }
    return new MessageKey(partitionId, Texts.id("transactionId", path.get("transactionId")));
  }
}
