package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.AuditClient.Sending;
import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Names;
import dev.queenmq.bench.audit.ledger.PushTrouble;
import dev.queenmq.bench.audit.ledger.Through;
import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.RefusedException;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** Clients that come through HTTP, to any of several brokers. */
final class HttpFront extends FrontEnd {
  private static final int TRIES = 5;
  private static final Duration BETWEEN_TRIES = Duration.ofSeconds(1);
  private static final int PAGE = 1000;
  private static final String NO_GROUP = "__QUEUE_MODE__";
  private static final String READ = "batch=1000&autoAck=true&consumerGroup=witness";

  private final AuditedBrokers brokers;
  private Random random = new Random();
  private int clients;

  @SuppressWarnings("NullAway.Init")
  private AuditContext audit;

  HttpFront(AuditedBrokers brokers) {
    this.brokers = brokers;
  }

  @Override
  Through through() {
    return Through.HTTP;
  }

  @Override
  void open(AuditContext opened) {
    audit = opened;
    random = new Random(~audit.settings().seed());
    JsonObject body =
        new JsonObject()
            .put("queue", audit.names().queue())
            .put(
                "options",
                new JsonObject()
                    .put("leaseTime", audit.settings().leaseSeconds())
                    .put("retryLimit", audit.settings().behaviour().retryLimit())
                    .put("retryDelay", 0));
    // A broker that has just started on a busy machine may close its first connections.
    use(
        client ->
            again(TRIES, () -> client.post("/api/v1/configure", body.toBuffer(), Sending.WHOLE)));
  }

  private <T> T use(Function<HttpClient, Future<T>> work) {
    return audit
        .loop()
        .await(
            () -> {
              HttpClient client = newClient(new Random(random.nextLong()));
              return work.apply(client).eventually(client::close);
            });
  }

  /** For what may be done twice: a broker that has just had trouble may have time. */
  private Future<Reply> again(int tries, Supplier<Future<Reply>> call) {
    return call.get()
        .map(Reply::orThrow)
        .recover(
            failure ->
                tries > 1
                    ? audit.loop().pause(BETWEEN_TRIES).compose(rested -> again(tries - 1, call))
                    : Future.failedFuture(failure));
  }

  @Override
  HttpClient newClient(Random own) {
    List<BrokerUrl> urls = brokers.urls();
    ClientBehaviour.Choosing choosing = audit.settings().behaviour().choosing();
    // In turn, so that none is without clients; not in step with the groups, which come in turn
    // too.
    int turn = clients + clients / urls.size();
    clients++;
    int first =
        choosing == ClientBehaviour.Choosing.AT_HOME
            ? turn % urls.size()
            : random.nextInt(urls.size());
    BrokerChoice choice = new BrokerChoice(urls, first, choosing, new Random(random.nextLong()));
    return new HttpClient(audit, brokers, choice, own);
  }

  @Override
  Failure classify(Throwable failure) {
    if (failure instanceof HttpClient.CutException) {
      return Failure.CUT;
    }
    boolean refused =
        failure instanceof RefusedException
            && !String.valueOf(failure.getMessage()).startsWith(PushTrouble.UNAVAILABLE);
    return refused || !(failure instanceof Exception) || failure instanceof IllegalStateException
        ? Failure.UNEXPECTED
        : Failure.PROVOKED;
  }

  @Override
  void settle() {
    brokers.settling().run();
  }

  @Override
  long left() {
    return audit.loop().on(() -> audit.ledger().open(false));
  }

  /** Reads in a group of its own. */
  @Override
  List<List<AuditedMessage>> read() {
    List<List<AuditedMessage>> partitions = new ArrayList<>();
    String copies = audit.names().copies();
    use(
        client -> {
          Future<Void> all = Future.succeededFuture();
          for (int i = 0; i < audit.settings().partitions(); i++) {
            List<AuditedMessage> stored = new ArrayList<>();
            partitions.add(stored);
            String path = HttpClient.path(audit.names().queue(), i, READ);
            all = all.compose(read -> read(client, path, popped -> note(popped, stored)));
            String copied = HttpClient.path(copies, i, READ);
            if (audit.settings().behaviour().copying()) {
              all =
                  all.compose(
                      read ->
                          read(
                              client,
                              copied,
                              copy -> audit.ledger().copied(copy.transactionId(), copy.number())));
            }
          }
          return all.compose(read -> readDeadLetters(client, 0));
        });
    return partitions;
  }

  private static Future<Void> read(HttpClient client, String path, Consumer<PopMessage> note) {
    return client
        .get(path, Sending.WHOLE)
        .map(Answers::pop)
        .compose(
            messages -> {
              messages.forEach(note);
              return messages.isEmpty() ? Future.succeededFuture() : read(client, path, note);
            });
  }

  private void note(PopMessage popped, List<AuditedMessage> stored) {
    audit
        .ledger()
        .find(popped.transactionId(), popped.partition(), popped.id(), popped.number())
        .ifPresent(message -> audit.ledger().stored(message, stored));
  }

  private Future<Void> readDeadLetters(HttpClient client, int offset) {
    String path =
        "/api/v1/dlq?queue=%s&limit=%d&offset=%d"
            .formatted(BrokerUrl.encode(audit.names().queue()), PAGE, offset);
    return again(TRIES, () -> client.get(path, Sending.WHOLE))
        .compose(
            reply -> {
              JsonArray letters = new JsonObject(reply.body()).getJsonArray("messages");
              letters.forEach(letter -> noteDead((JsonObject) letter));
              return letters.size() < PAGE
                  ? Future.succeededFuture()
                  : readDeadLetters(client, offset + PAGE);
            });
  }

  private void noteDead(JsonObject letter) {
    String group = letter.getString("consumerGroup", "");
    audit
        .ledger()
        .deadLetter(
            letter.getString("transactionId", ""),
            group.equals(NO_GROUP) ? 0 : Names.groupIndex(group),
            String.valueOf(letter.getValue("data")));
  }
}
