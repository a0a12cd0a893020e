package dev.queenmq.server.http.messages;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.ErrorBody;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.json.JsonOutput;
import dev.queenmq.server.http.json.Texts;
import dev.queenmq.server.http.json.UuidText;
import dev.queenmq.server.http.routing.Answer;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.BodyHandler.Size;
import dev.queenmq.server.http.routing.ContextHandler;
import dev.queenmq.server.http.routing.JsonReply;
import dev.queenmq.server.http.routing.PathParameters;
import dev.queenmq.server.http.routing.QueryParameters;
import dev.queenmq.server.http.routing.QueueScope;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What clients do with messages and queues, as routes. Safe for any event loop. */
public final class BrokerApi {
  private final Broker broker;
  private final PushCodec pushes;
  private final AckCodec acks;
  private final TransactionCodec transactions;
  private final LeaseCodec leases;
  private final ConfigureCodec configurations;
  private final PopQuery popQuery;
  private final PopHandler pops;
  private final BodyHandler bodies;
  private final ObjectBounds bounds;

  /**
   * In front of a broker.
   *
   * @param brokerName as the holders of leases show it
   * @param clock the time of day, of this machine
   */
  public BrokerApi(
      Broker broker,
      String brokerName,
      MessageIds ids,
      HttpLimits limits,
      BodyHandler bodies,
      Encryption encryption,
      PopDefaults popDefaults,
      EmptyPop emptyPop,
      ObjectBounds bounds,
      InstantSource clock) {
    JsonFactory factory = JsonInput.factory(limits.maxDepth());
    ItemList list = new ItemList(limits.maxItems());
    this.broker = broker;
    pushes = new PushCodec(factory, list, ids);
    acks = new AckCodec(factory, list);
    transactions = new TransactionCodec(factory, list, ids);
    leases = new LeaseCodec(factory);
    configurations = new ConfigureCodec(factory, encryption.isPossible());
    popQuery = new PopQuery(limits, popDefaults);
    pops = new PopHandler(broker, brokerName, emptyPop, limits, clock);
    this.bodies = bodies;
    this.bounds = bounds;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        bodies.post("/api/v1/push", Size.MANY, Access.PRODUCE, this::push),
        pop(
            "/api/v1/pop/queue/:queue",
            QueueScope.PATH,
            (request, path, call) -> {
              QueryParameters query = query(request);
              String queue = path.get("queue");
              poll(request, popQuery.queue(query, queue), PopQuery.name(query, queue), call);
            }),
        pop(
            "/api/v1/pop/queue/:queue/partition/:partition",
            QueueScope.PATH,
            (request, path, call) -> {
              QueryParameters query = query(request);
              String queue = path.get("queue");
              poll(
                  request,
                  popQuery.partition(query, queue, path.get("partition")),
                  PopQuery.name(query, queue),
                  call);
            }),
        Route.of(
            HttpMethod.DELETE,
            "/api/v1/pop/queue/:queue/poll/:pollId",
            Access.CONSUME,
            QueueScope.PATH,
            (request, path) -> {
              boolean ended = pops.end(PopQuery.name(path.get("queue"), path.get("pollId")));
              JsonReply.send(request, 200, new JsonObject().put("ended", ended));
            }),
        pop(
            "/api/v1/pop",
            QueueScope.HANDLER,
            (request, path, call) ->
                poll(
                    request,
                    popQuery.label(query(request), call.caller().queues()::allows),
                    Optional.empty(),
                    call)),
        bodies.post(
            "/api/v1/ack",
            Size.FEW,
            Access.CONSUME,
            (body, call) -> ackOne(acks.readOne(body), call)),
        bodies.post(
            "/api/v1/ack/batch",
            Size.SOME,
            Access.CONSUME,
            (body, call) -> ack(acks.readBatch(body), call)),
        Route.calling(
            HttpMethod.POST,
            "/api/v1/transaction",
            Access.EXCHANGE,
            QueueScope.HANDLER,
            (request, path, call) ->
                bodies.answer(request, Size.MANY, body -> transaction(request, body, call))),
        Route.calling(
            HttpMethod.POST,
            "/api/v1/lease/:leaseId/extend",
            Access.CONSUME,
            QueueScope.HANDLER,
            this::extend),
        bodies.post("/api/v1/configure", Size.FEW, Access.MANAGE, this::configure),
        Route.of(
            HttpMethod.DELETE,
            "/api/v1/resources/queues/:queue",
            Access.ADMIN,
            QueueScope.PATH,
            (request, path) -> Answer.reply(request, deleteQueue(path.get("queue")))));
  }

  /** Not {@link Route#read}: a pop changes what others get. */
  private static Route pop(String template, QueueScope scope, ContextHandler handler) {
    return Route.calling(HttpMethod.GET, template, Access.CONSUME, scope, handler);
  }

  private static QueryParameters query(HttpServerRequest request) {
    return QueryParameters.parse(request.query(), PopQuery.PARAMETERS);
  }

  private Future<Answer> push(Body body, RequestContext call) {
    List<Message> messages = call.pushing(pushes.read(body, call.producer()));
    messages.forEach(message -> call.requireQueue(message.queue()));
    Future<Buffer> answer =
        messages.isEmpty()
            ? Future.succeededFuture(PushCodec.write(messages, List.of()))
            : bounds
                .push(messages, call.producer(), call.through(broker)::push)
                .map(outcomes -> pushed(messages, outcomes));
    return answer.map(text -> new Answer(201, text));
  }

  private static Buffer pushed(List<Message> messages, List<PushOutcome> outcomes) {
    if (outcomes.stream().allMatch(PushOutcome.KeyMissing.class::isInstance)) {
      throw new HttpProblem(503, MissingKeyException.TEXT);
    }
    return PushCodec.write(messages, outcomes);
  }

  /** One ack: a group that it cannot be of is an error of the request. */
  private Future<Answer> ackOne(List<AckEntry> entries, RequestContext call) {
    return judged(entries, call)
        .map(
            outcomes -> {
              if (!outcomes.isEmpty() && outcomes.get(0) instanceof AckOutcome.Failed failed) {
                AckCodec.refuse(failed.reason());
              }
              return new Answer(200, AckCodec.write(entries, outcomes));
            });
  }

  private Future<Answer> ack(List<AckEntry> entries, RequestContext call) {
    return judged(entries, call)
        .map(outcomes -> new Answer(200, AckCodec.write(entries, outcomes)));
  }

  private Future<List<AckOutcome>> judged(List<AckEntry> entries, RequestContext call) {
    List<Ack> sent =
        entries.stream()
            .filter(AckEntry.Sent.class::isInstance)
            .map(entry -> ((AckEntry.Sent) entry).ack())
            .toList();
    return sent.isEmpty()
        ? Future.succeededFuture(List.of())
        : call.reachPartitions(sent.stream().map(Ack::partitionId).toList())
            .compose(reached -> call.through(broker).ack(sent));
  }

  private Future<Answer> transaction(HttpServerRequest http, Body body, RequestContext call) {
    UUID id = UUID.randomUUID();
    TransactionRequest request = transactions.read(body, call.producer());
    if (request instanceof TransactionRequest.Unsatisfiable unsatisfiable) {
      return Future.succeededFuture(
          new Answer(200, TransactionAnswer.unsatisfiable(id, unsatisfiable.error())));
    }
    TransactionRequest.Sent sent = (TransactionRequest.Sent) request;
    Transaction transaction =
        sent.transaction()
            .identified(
                id, IdempotencyKeys.read(http, body, sent.idempotencyKey(), call.producer()));
    return requireQueues(transaction, call)
        .compose(reached -> bounds.check(pushes(transaction), call.producer()))
        .compose(free -> call.through(broker).transaction(transaction))
        .map(
            outcome ->
                new Answer(
                    TransactionAnswer.status(outcome),
                    TransactionAnswer.write(id, transaction, outcome)));
  }

  /** A first poll of a group may leave something behind, and that is bounded. */
  private void poll(
      HttpServerRequest http,
      PollRequest request,
      Optional<NamedPolls.Name> name,
      RequestContext call) {
    @Nullable Future<Void> check =
        bounds.group(request.target(), request.group(), call.caller().subject());
    if (check == null) {
      pops.handle(http, request, name, call);
      return;
    }
    check
        .onSuccess(
            free -> {
              try {
                pops.handle(http, request, name, call);
              } catch (RuntimeException e) {
                JsonReply.failure(http, e);
              }
            })
        .onFailure(failure -> JsonReply.failure(http, failure));
  }

  private static List<Message> pushes(Transaction transaction) {
    List<Message> messages = new ArrayList<>();
    for (Operation operation : transaction.operations()) {
      if (operation instanceof Operation.Push push) {
        messages.add(push.message());
      }
    }
    return messages;
  }

  private static Future<Void> requireQueues(Transaction transaction, RequestContext call) {
    List<UUID> partitions = new ArrayList<>();
    for (Operation operation : transaction.operations()) {
      if (operation instanceof Operation.Push push) {
        call.require(Access.PRODUCE);
        call.requireQueue(push.message().queue());
      } else if (operation instanceof Operation.Acknowledge acknowledge) {
        call.require(Access.CONSUME);
        partitions.add(acknowledge.ack().partitionId());
      }
    }
    return call.reachPartitions(partitions);
  }

  private void extend(HttpServerRequest request, PathParameters path, RequestContext call) {
    String leaseId = path.get("leaseId");
    bodies.handle(request, body -> Answer.reply(request, extend(leaseId, leases.read(body), call)));
  }

  private Future<Answer> extend(String leaseId, Duration extension, RequestContext call) {
    UUID lease = UuidText.parse(leaseId);
    Future<RenewOutcome> outcome =
        lease == null
            ? Future.succeededFuture(new RenewOutcome.Missing())
            : call.reachLease(lease)
                .compose(
                    known ->
                        known
                            ? call.through(broker).renew(new Renewal(lease, extension))
                            : Future.succeededFuture(new RenewOutcome.Missing()));
    return outcome.map(done -> renewal(leaseId, done));
  }

  private static Answer renewal(String leaseId, RenewOutcome outcome) {
    if (outcome instanceof RenewOutcome.Renewed renewed) {
      return new Answer(200, LeaseCodec.renewed(leaseId, renewed.expiresAt()));
    } else if (outcome instanceof RenewOutcome.Expired) {
      return new Answer(409, LeaseCodec.failed(leaseId, "Lease already expired"));
    } else if (outcome instanceof RenewOutcome.Rejected rejected) {
      return new Answer(400, LeaseCodec.failed(leaseId, rejected.problem().text()));
    }
    return new Answer(404, LeaseCodec.failed(leaseId, "Lease not found"));
  }

  private Future<Answer> configure(Body body, RequestContext call) {
    QueueConfiguration configuration = configurations.read(body);
    call.note("queue", configuration.queue());
    call.requireQueue(configuration.queue());
    return call.reachLabels(configuration)
        .compose(
            allowed ->
                bounds
                    .checkQueue(allowed.queue(), call.producer())
                    .compose(free -> broker.configure(allowed)))
        .map(
            outcome ->
                outcome instanceof ConfigureOutcome.Configured configured
                    ? new Answer(200, ConfigureCodec.write(configured.settings()))
                    : new Answer(
                        400, ErrorBody.of(((ConfigureOutcome.Rejected) outcome).problem().text())));
  }

  private Future<Answer> deleteQueue(String queue) {
    return broker
        .deleteQueue(Texts.existing("queue", queue))
        .onSuccess(gone -> bounds.deleted(queue))
        .map(
            outcome ->
                outcome instanceof DeleteOutcome.Deleted deleted
                    ? new Answer(200, deleted(queue, deleted.existed()))
                    : new Answer(
                        400, ErrorBody.of(((DeleteOutcome.Rejected) outcome).problem().text())));
  }

  private static Buffer deleted(String queue, boolean existed) {
    return JsonOutput.write(
        json -> {
          json.writeStartObject();
          json.writeBooleanField("deleted", existed);
          json.writeStringField("queue", queue);
          json.writeBooleanField("existed", existed);
          if (!existed) {
            json.writeStringField("message", "Queue not found");
          }
          json.writeEndObject();
        });
  }
}
