package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Member;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.core.ConditionTimeoutException;

/** Three brokers of a cluster, and short ways to say what tests say to them and wait for. */
final class Brokers implements AutoCloseable {
  static final int A = 0;
  static final int B = 1;
  static final int C = 2;

  /**
   * In milliseconds, longer than any test waits. A looks so rarely into the database for what its
   * polls wait for, and A and B read all settings rarely: what they know sooner came by UDP.
   */
  static final String NEVER = "600000";

  /** How often C reads all settings. */
  static final Duration REFRESH_OF_C = Duration.ofSeconds(2);

  /** Much longer than anything takes, and less than a minute, for which polls wait. */
  static final Duration LIMIT = Duration.ofSeconds(55);

  private static final Duration SOON = Duration.ofSeconds(5);

  static final String TARGETED = "consumer_presence.notifications_targeted";
  static final String BROADCAST = "consumer_presence.notifications_broadcast";
  static final String REGISTRATIONS = "consumer_presence.registrations";

  /** Beside each broker there are two others and the liar, which lives without lying. */
  private static final int OTHERS = 3;

  /** Before a queue, or a queue/partition/name. */
  private static final String POP = "/api/v1/pop/queue/";

  private static final String TAKE = "autoAck=true&timeout=60000";
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

  private final Cluster cluster;
  private final HttpClient client = HttpClient.newHttpClient();
  private final AtomicLong numbers = new AtomicLong();

  /** Polls of this class, at each broker. */
  private final AtomicIntegerArray unanswered = new AtomicIntegerArray(C + 1);

  Brokers(Cluster cluster) {
    this.cluster = cluster;
  }

  static String name(int broker) {
    return Character.toString('a' + broker);
  }

  Cluster cluster() {
    return cluster;
  }

  UdpChaos network() {
    return cluster.chaos().orElseThrow();
  }

  Member member(int broker) {
    return cluster.members().get(broker);
  }

  BrokerUrl url(int broker) {
    return cluster.urls().get(broker);
  }

  /** Ends whatever a test has done to them. */
  void repair() {
    network().let(UdpChaos.Mode.ALL);
    network().unmute();
    cluster.lie(false);
    cluster.members().stream().filter(member -> !member.isUp()).forEach(Member::start);
    for (int broker = A; broker <= C; broker++) {
      untilAlive(broker, OTHERS);
    }
  }

  /** Waits until a broker counts this number of others as alive. */
  void untilAlive(int broker, int others) {
    await("brokers that " + name(broker) + " believes to be alive")
        .pollInterval(POLL_INTERVAL)
        .atMost(LIMIT)
        .until(() -> state(broker).alive().orElse(-1), alive -> alive == others);
  }

  /** One message, acknowledged; its transaction id. */
  String push(int broker, String queue, String partition) {
    String id = queue + "-" + numbers.incrementAndGet();
    post(broker, BrokerClient.PUSH, Bodies.push().item(queue, partition, id, "1").finish());
    return id;
  }

  void configure(int broker, String queue, String option, int value) {
    post(
        broker,
        "/api/v1/configure",
        new JsonObject()
            .put("queue", queue)
            .put("options", new JsonObject().put(option, value))
            .toBuffer());
  }

  void delete(int broker, String queue) {
    reply(
            send(
                request(broker, "/api/v1/resources/queues/" + BrokerUrl.encode(queue))
                    .DELETE()
                    .build()))
        .orThrow();
  }

  /** What is there now, leased. */
  List<PopMessage> pop(int broker, String where) {
    return Answers.pop(reply(send(request(broker, POP + where).build())));
  }

  /** Waits for a message and takes it; the broker counts it as waiting when this returns. */
  CompletableFuture<List<PopMessage>> poll(int broker, String where) {
    return poll(broker, where, TAKE);
  }

  /** The same with another query. */
  CompletableFuture<List<PopMessage>> poll(int broker, String where, String query) {
    // A poll that has been answered is counted for a moment longer.
    await("polls that were answered at " + name(broker))
        .pollInterval(POLL_INTERVAL)
        .atMost(LIMIT)
        .until(() -> waiting(broker) <= unanswered.get(broker));
    double before = waiting(broker);
    unanswered.incrementAndGet(broker);
    CompletableFuture<List<PopMessage>> answer =
        client
            .sendAsync(
                request(broker, POP + where + "?wait=true&" + query).build(),
                BodyHandlers.ofByteArray())
            .thenApply(response -> Answers.pop(reply(response)))
            .whenComplete((messages, failure) -> unanswered.decrementAndGet(broker));
    await("a poll that waits at " + name(broker))
        .pollInterval(POLL_INTERVAL)
        .atMost(LIMIT)
        .until(() -> waiting(broker) > before || answer.isDone());
    return answer;
  }

  /** The same at another broker; A knows of it when this returns. */
  CompletableFuture<List<PopMessage>> pollKnownToA(int broker, String where) {
    return pollKnownToA(broker, where, TAKE);
  }

  /** The same with another query. */
  CompletableFuture<List<PopMessage>> pollKnownToA(int broker, String where, String query) {
    return pollKnownTo(A, broker, where, query);
  }

  /** The same; another broker knows of it when this returns. */
  CompletableFuture<List<PopMessage>> pollKnownTo(int other, int broker, String where) {
    return pollKnownTo(other, broker, where, TAKE);
  }

  private CompletableFuture<List<PopMessage>> pollKnownTo(
      int other, int broker, String where, String query) {
    SharedState before = state(other);
    CompletableFuture<List<PopMessage>> answer = poll(broker, where, query);
    await(name(other) + " knows who waits")
        .pollInterval(POLL_INTERVAL)
        .atMost(LIMIT)
        .until(() -> state(other).since(before).numbers().containsKey(REGISTRATIONS));
    return answer;
  }

  /** The transaction ids that a poll brings in the end. */
  static List<String> ids(CompletableFuture<List<PopMessage>> poll) {
    return ids(poll.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join());
  }

  static List<String> ids(List<PopMessage> messages) {
    return messages.stream().map(PopMessage::transactionId).toList();
  }

  void ack(int broker, List<PopMessage> messages) {
    Reply reply = post(broker, BrokerClient.ACK_BATCH, Bodies.acks("", messages).finish());
    assertThat(Answers.ack(reply)).allMatch(result -> result.success());
  }

  SharedState state(int broker) {
    return SharedState.of(url(broker));
  }

  /** One of its figures now; 0 if it has none. */
  double figure(int broker, String path) {
    return state(broker).numbers().getOrDefault(path, 0.0);
  }

  /** Waits for a figure to be so large. */
  void untilFigure(int broker, String path, double least) {
    await(path + " of " + name(broker))
        .pollInterval(POLL_INTERVAL)
        .atMost(LIMIT)
        .until(() -> figure(broker, path), value -> value >= least);
  }

  /** Whether a figure is so large soon, if what makes it so need not arrive. */
  boolean reaches(int broker, String path, double least) {
    try {
      await().pollInterval(POLL_INTERVAL).atMost(SOON).until(() -> figure(broker, path) >= least);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  /** Waits until a broker has listened long enough to send news only to brokers that need it. */
  void untilTargeted(int broker) {
    await("a push without a broadcast")
        .pollInterval(Duration.ofMillis(100))
        .atMost(LIMIT)
        .until(
            () -> {
              SharedState before = state(broker);
              push(broker, "never-pushed", "p");
              return !state(broker).since(before).numbers().containsKey(BROADCAST);
            });
  }

  /** A sample of its Prometheus page, named with its labels. */
  double sample(int broker, String name) {
    // Another query each time: a page that is asked for often is up to a second old.
    String text = text(broker, "/metrics/prometheus?look=" + numbers.incrementAndGet());
    return text.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no " + name + " in\n" + text));
  }

  String text(int broker, String path) {
    return reply(send(request(broker, path).build())).orThrow().body().toString();
  }

  private double waiting(int broker) {
    return sample(broker, "queen_waiting_polls");
  }

  private HttpRequest.Builder request(int broker, String path) {
    return HttpRequest.newBuilder(URI.create(url(broker) + path));
  }

  private Reply post(int broker, String path, Buffer body) {
    return reply(
            send(
                request(broker, path)
                    .POST(BodyPublishers.ofByteArray(body.getBytes()))
                    .header("Content-Type", "application/json")
                    .build()))
        .orThrow();
  }

  private HttpResponse<byte[]> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private static Reply reply(HttpResponse<byte[]> response) {
    return new Reply(response.statusCode(), Buffer.buffer(response.body()), "");
  }

  @Override
  public void close() {
    cluster.close();
  }
}
