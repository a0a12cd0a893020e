package dev.queenmq.bench.audit;

import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.HeldBatch;
import dev.queenmq.bench.audit.ledger.Names;
import dev.queenmq.bench.audit.ledger.PushTrouble;
import dev.queenmq.bench.broker.AckResult;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.PushResult;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A client with at most one connection to each broker, which can be cut at any moment; the next
 * request makes a new one, after trouble to another broker if there are several.
 */
final class HttpClient implements AuditClient {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(500);
  private static final int SHORTEST_WAIT = 200;
  private static final int UNAVAILABLE = 503;
  // Answers to an extension of a lease that is over.
  private static final int GONE = 404;
  private static final int EXPIRED = 409;
  private static final String DUPLICATE = "duplicate key";
  private static final String NEVER_PUSHED = "never-pushed";

  /** The connection was cut on purpose: the outcome of the request is unknown. */
  static final class CutException extends RuntimeException {
    CutException() {
      super("cut", null, false, false);
    }
  }

  private final AuditContext audit;
  private final AuditedBrokers brokers;
  private final BrokerChoice choice;
  private final Random random;
  private final Map<BrokerUrl, BrokerClient> clients = new HashMap<>();
  private BrokerUrl last;
  private boolean toldWhen;
  private @Nullable HttpConnection connection;

  HttpClient(AuditContext audit, AuditedBrokers brokers, BrokerChoice choice, Random random) {
    this.audit = audit;
    this.brokers = brokers;
    this.choice = choice;
    this.random = random;
    last = choice.current();
  }

  @Override
  public Future<List<PushResult>> push(List<AuditedMessage> messages, Sending how) {
    Bodies body = Bodies.push();
    for (AuditedMessage message : messages) {
      body.item(
          audit.names().queue(),
          Names.partition(message.partition()),
          message.transactionId(),
          message.payload());
    }
    return post(BrokerClient.PUSH, body.finish(), how).map(Answers::push);
  }

  @Override
  public Future<List<HeldBatch>> pop(int group) {
    boolean misbehaving = audit.isRunning();
    AuditSettings settings = audit.settings();
    // Shorter than a lease: see HeldBatch.surelyAfter.
    int longest = Math.max(SHORTEST_WAIT + 1, (int) settings.lease().toMillis() / 2);
    String query =
        "wait=true&batch=%d&timeout=%d"
            .formatted(
                1 + random.nextInt(30),
                misbehaving ? random.nextInt(SHORTEST_WAIT, longest) : SHORTEST_WAIT);
    int restless = settings.behaviour().chances().restless();
    String path =
        misbehaving && chance(restless)
            ? path(audit.names().queue(), random.nextInt(settings.partitions()), query)
            : BrokerClient.popPath(audit.names().queue())
                + "?"
                + query
                + "&partitions="
                + (1 + random.nextInt(4));
    Sending how =
        misbehaving && chance(restless) ? Sending.cutAfter(1 + random.nextInt(150)) : Sending.WHOLE;
    long sent = System.nanoTime();
    return get(path + forGroup(group), how)
        .onFailure(
            failure -> {
              if (failure instanceof CutException) {
                audit.ledger().add(Count.WAITS_CUT);
              }
            })
        .map(reply -> received(Answers.pop(reply), group, sent));
  }

  /** The path of a pop from one partition. */
  static String path(String queue, int partition, String query) {
    return BrokerClient.popPath(queue) + "/partition/" + Names.partition(partition) + "?" + query;
  }

  /** The first group has no name. */
  static String forGroup(int group) {
    return group == 0 ? "" : "&consumerGroup=" + Names.group(group);
  }

  private boolean chance(int perMille) {
    return random.nextInt(1000) < perMille;
  }

  private List<HeldBatch> received(List<PopMessage> messages, int group, long sent) {
    Map<PopMessage, List<AuditedMessage>> byPartition = new LinkedHashMap<>();
    Map<String, PopMessage> first = new HashMap<>();
    for (PopMessage popped : messages) {
      first.putIfAbsent(popped.partitionId(), popped);
      audit
          .ledger()
          .find(popped.transactionId(), popped.partition(), popped.id(), popped.number())
          .ifPresent(
              message ->
                  byPartition
                      .computeIfAbsent(
                          first.getOrDefault(popped.partitionId(), popped),
                          key -> new ArrayList<>())
                      .add(message));
    }
    List<HeldBatch> batches = new ArrayList<>();
    byPartition.forEach(
        (popped, held) -> {
          HeldBatch batch =
              new HeldBatch(
                  popped.leaseId(),
                  popped.partitionId(),
                  held.get(0).partition(),
                  group,
                  held,
                  sent,
                  OptionalLong.empty(),
                  audit.settings().lease());
          audit.ledger().delivered(batch);
          batches.add(batch);
        });
    return batches;
  }

  @Override
  public Future<List<AckResult>> ack(int group, List<Said> acks, Sending how) {
    Bodies body = Bodies.acks(group == 0 ? "" : Names.group(group));
    for (Said said : acks) {
      body.ack(
          said.message().transactionId(),
          said.batch().partitionId(),
          said.batch().leaseId(),
          said.status());
    }
    return post(BrokerClient.ACK_BATCH, body.finish(), how).map(Answers::ack);
  }

  @Override
  public Future<Boolean> extend(String leaseId) {
    JsonObject body = new JsonObject().put("seconds", audit.settings().leaseSeconds());
    return post("/api/v1/lease/" + leaseId + "/extend", body.toBuffer(), Sending.WHOLE)
        .map(
            reply -> {
              boolean over = reply.status() == GONE || reply.status() == EXPIRED;
              return !over && reply.orThrow().isSuccess();
            });
  }

  @Override
  public Future<TransactionResult> copy(int group, List<Said> acks, boolean spoil) {
    JsonArray operations = new JsonArray();
    for (Said said : acks) {
      operations.add(ack(group, said, said.message().transactionId()));
      operations.add(
          new JsonObject()
              .put("type", "push")
              .put("queue", audit.names().copies())
              .put("partition", Names.partition(said.message().partition()))
              .put("transactionId", said.message().transactionId())
              .put("payload", new JsonObject(said.message().payload())));
    }
    if (spoil) {
      operations.add(ack(group, acks.get(0), NEVER_PUSHED));
    }
    JsonObject body = new JsonObject().put("operations", operations);
    return post("/api/v1/transaction", body.toBuffer(), Sending.WHOLE)
        .map(reply -> result(new JsonObject(reply.orThrow().body())));
  }

  private static JsonObject ack(int group, Said said, String transactionId) {
    JsonObject ack =
        new JsonObject()
            .put("type", "ack")
            .put("transactionId", transactionId)
            .put("partitionId", said.batch().partitionId())
            .put("leaseId", said.batch().leaseId())
            .put("status", said.status());
    return group == 0 ? ack : ack.put("consumerGroup", Names.group(group));
  }

  private static TransactionResult result(JsonObject answer) {
    String error = answer.getString("error", "");
    TransactionResult.Kind kind = TransactionResult.Kind.OTHER;
    if (answer.getBoolean("success", false)) {
      kind = TransactionResult.Kind.COMMITTED;
    } else if (error.contains(DUPLICATE)) {
      kind = TransactionResult.Kind.DUPLICATE;
    } else if (error.contains(AckResult.LEASE_LOST)) {
      kind = TransactionResult.Kind.LEASE_LOST;
    }
    return new TransactionResult(kind, answer.encode());
  }

  @Override
  public Future<Void> die(List<HeldBatch> batches) {
    batches.forEach(batch -> batch.releasing(System.nanoTime()));
    return cut();
  }

  @Override
  public String broker() {
    return last.toString();
  }

  @Override
  public Optional<PushTrouble> trouble(Throwable failure) {
    return Optional.of(PushTrouble.of(failure, toldWhen, brokers.up().test(last)));
  }

  @Override
  public Future<Void> close() {
    return Future.join(clients.values().stream().map(BrokerClient::close).toList()).mapEmpty();
  }

  Future<Reply> get(String path, Sending how) {
    return open(HttpMethod.GET, path).compose(request -> send(request, Buffer.buffer(), how));
  }

  Future<Reply> post(String path, Buffer body, Sending how) {
    return open(HttpMethod.POST, path)
        .compose(
            request -> how.cutAfter().isZero() ? half(request, body) : send(request, body, how));
  }

  /** Cuts the connection in the middle of the body. */
  private Future<Reply> half(HttpClientRequest request, Buffer body) {
    request.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
    // The cut is no news.
    request.exceptionHandler(cut -> {});
    return request
        .write(body.slice(0, body.length() / 2))
        .transform(written -> cut())
        .transform(done -> Future.failedFuture(new CutException()));
  }

  private Future<Void> cut() {
    HttpConnection current = connection;
    connection = null;
    return current == null
        ? Future.succeededFuture()
        : current.close().transform(closed -> Future.succeededFuture());
  }

  private Future<HttpClientRequest> open(HttpMethod method, String path) {
    choice.next();
    Duration rest = choice.rest();
    return !rest.isZero() && choice.isFree()
        ? EventLoop.pause(audit.loop().context(), rest).compose(rested -> openNow(method, path))
        : openNow(method, path);
  }

  private Future<HttpClientRequest> openNow(HttpMethod method, String path) {
    last = choice.current();
    toldWhen = false;
    return clients
        .computeIfAbsent(last, url -> new BrokerClient(audit.loop().vertx(), url, 1))
        .request(method, path)
        .onSuccess(request -> connection = request.connection())
        .onFailure(failure -> elsewhere(AFTER_FAILURE));
  }

  private Future<Reply> send(HttpClientRequest request, Buffer body, Sending how) {
    HttpConnection used = request.connection();
    Future<Reply> answer =
        request
            .send(body)
            .compose(BrokerClient::reply)
            .onSuccess(
                reply -> {
                  toldWhen = !reply.retryAfter().isEmpty();
                  if (reply.status() == UNAVAILABLE) {
                    elsewhere(rest(reply.retryAfter()));
                  }
                })
            .timeout(audit.settings().behaviour().patience().toMillis(), TimeUnit.MILLISECONDS)
            .onFailure(
                failure -> {
                  // A connection that we have cut ourselves says nothing about its broker.
                  if (used == connection) {
                    elsewhere(AFTER_FAILURE);
                  }
                });
    return how.cutAfter().isNegative() ? answer : orCut(answer, how.cutAfter());
  }

  private static Duration rest(String seconds) {
    try {
      return Duration.ofSeconds(Long.parseLong(seconds.strip()));
    } catch (NumberFormatException e) {
      return AFTER_FAILURE;
    }
  }

  /** Uses another broker from now on, and this one not before a time. */
  private void elsewhere(Duration rest) {
    if (choice.isFree()) {
      BrokerClient left = clients.remove(choice.current());
      if (left != null) {
        left.close();
      }
      connection = null;
      choice.elsewhere(rest);
    }
  }

  private Future<Reply> orCut(Future<Reply> answer, Duration patience) {
    Promise<Reply> result = Promise.promise();
    long timer =
        audit
            .loop()
            .vertx()
            .setTimer(
                Math.max(1, patience.toMillis()),
                fired -> {
                  if (result.tryFail(new CutException())) {
                    cut();
                  }
                });
    answer.onComplete(
        done -> {
          audit.loop().vertx().cancelTimer(timer);
          if (done.succeeded()) {
            result.tryComplete(done.result());
          } else {
            result.tryFail(done.cause());
          }
        });
    return result.future();
  }
}
