package dev.queenmq.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.MissingKeyException;
import dev.queenmq.server.sidecar.Broker;
import dev.queenmq.server.store.Ack;
import dev.queenmq.server.store.AckOutcome;
import dev.queenmq.server.store.ConfigureOutcome;
import dev.queenmq.server.store.DeleteOutcome;
import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.MessageIds;
import dev.queenmq.server.store.PushOutcome;
import dev.queenmq.server.store.RenewOutcome;
import dev.queenmq.server.store.Renewal;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

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
  private final Uploads uploads;

  /** In front of a broker. */
  public BrokerApi(
      Broker broker,
      MessageIds ids,
      HttpLimits limits,
      Encryption encryption,
      PopDefaults popDefaults,
      EmptyPop emptyPop) {
    JsonFactory factory = JsonInput.factory(limits.maxDepth());
    ItemList list = new ItemList(limits.maxItems());
    this.broker = broker;
    pushes = new PushCodec(factory, list, ids);
    acks = new AckCodec(factory, list);
    transactions = new TransactionCodec(factory, list, ids);
    leases = new LeaseCodec(factory);
    configurations = new ConfigureCodec(factory, encryption.isPossible());
    popQuery = new PopQuery(limits, popDefaults);
    pops = new PopHandler(broker, emptyPop);
    uploads = new Uploads(limits.maxBodyBytes());
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        post("/api/v1/push", this::push),
        get(
            "/api/v1/pop/queue/:queue",
            (request, path) ->
                pops.handle(request, popQuery.queue(query(request), path.get("queue")))),
        get(
            "/api/v1/pop/queue/:queue/partition/:partition",
            (request, path) ->
                pops.handle(
                    request,
                    popQuery.partition(query(request), path.get("queue"), path.get("partition")))),
        get("/api/v1/pop", (request, path) -> pops.handle(request, popQuery.label(query(request)))),
        post("/api/v1/ack", body -> ack(acks.readOne(body))),
        post("/api/v1/ack/batch", body -> ack(acks.readBatch(body))),
        post("/api/v1/transaction", this::transaction),
        Route.of(HttpMethod.POST, "/api/v1/lease/:leaseId/extend", this::extend),
        post("/api/v1/configure", this::configure),
        Route.of(
            HttpMethod.DELETE,
            "/api/v1/resources/queues/:queue",
            (request, path) -> reply(request, deleteQueue(path.get("queue")))));
  }

  /** Not {@link Route#read}: a pop changes what others get. */
  private static Route get(String template, RouteHandler handler) {
    return Route.of(HttpMethod.GET, template, handler);
  }

  private Route post(String template, Function<Body, Future<Answer>> operation) {
    return Route.of(
        HttpMethod.POST,
        template,
        (request, path) -> uploads.handle(request, body -> reply(request, operation.apply(body))));
  }

  private static QueryParameters query(HttpServerRequest request) {
    return QueryParameters.parse(request.query());
  }

  private record Answer(int status, Buffer body) {}

  private static void reply(HttpServerRequest request, Future<Answer> answer) {
    answer
        .onSuccess(
            done -> {
              if (!request.response().closed()) {
                JsonReply.send(request, done.status(), done.body());
              }
            })
        .onFailure(failure -> JsonReply.failure(request, failure));
  }

  private Future<Answer> push(Body body) {
    List<Message> messages = pushes.read(body);
    Future<Buffer> answer =
        messages.isEmpty()
            ? Future.succeededFuture(PushCodec.write(messages, List.of()))
            : broker.push(messages).map(outcomes -> pushed(messages, outcomes));
    return answer.map(text -> new Answer(201, text));
  }

  private static Buffer pushed(List<Message> messages, List<PushOutcome> outcomes) {
    if (outcomes.stream().allMatch(PushOutcome.KeyMissing.class::isInstance)) {
      throw new HttpProblem(503, MissingKeyException.TEXT);
    }
    return PushCodec.write(messages, outcomes);
  }

  private Future<Answer> ack(List<AckEntry> entries) {
    List<Ack> sent =
        entries.stream()
            .filter(AckEntry.Sent.class::isInstance)
            .map(entry -> ((AckEntry.Sent) entry).ack())
            .toList();
    Future<List<AckOutcome>> outcomes =
        sent.isEmpty() ? Future.succeededFuture(List.of()) : broker.ack(sent);
    return outcomes.map(done -> new Answer(200, AckCodec.write(entries, done)));
  }

  private Future<Answer> transaction(Body body) {
    UUID id = UUID.randomUUID();
    TransactionRequest request = transactions.read(body);
    if (request instanceof TransactionRequest.Hopeless hopeless) {
      return Future.succeededFuture(
          new Answer(200, TransactionAnswer.hopeless(id, hopeless.error())));
    }
    TransactionRequest.Sent sent = (TransactionRequest.Sent) request;
    return broker
        .transaction(sent.transaction())
        .map(
            outcome ->
                new Answer(
                    TransactionAnswer.status(outcome),
                    TransactionAnswer.write(id, sent.transaction(), outcome)));
  }

  private void extend(HttpServerRequest request, PathParameters path) {
    String leaseId = path.get("leaseId");
    uploads.handle(request, body -> reply(request, extend(leaseId, leases.read(body))));
  }

  private Future<Answer> extend(String leaseId, Duration extension) {
    UUID lease = UuidText.parse(leaseId);
    Future<RenewOutcome> outcome =
        lease == null
            ? Future.succeededFuture(new RenewOutcome.Missing())
            : broker.renew(new Renewal(lease, extension));
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

  private Future<Answer> configure(Body body) {
    return broker
        .configure(configurations.read(body))
        .map(
            outcome ->
                outcome instanceof ConfigureOutcome.Configured configured
                    ? new Answer(200, ConfigureCodec.write(configured.settings()))
                    : new Answer(
                        400, ErrorBody.of(((ConfigureOutcome.Rejected) outcome).problem().text())));
  }

  private Future<Answer> deleteQueue(String queue) {
    return broker
        .deleteQueue(Texts.name("queue", queue))
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
          json.writeBooleanField("deleted", true);
          json.writeStringField("queue", queue);
          json.writeBooleanField("existed", existed);
          json.writeEndObject();
        });
  }
}
