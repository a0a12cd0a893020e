package dev.queenmq.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.broker.BrokerProcess;
import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/** Three broker processes on one PostgreSQL, with UDP that can be blocked. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterIT {
  private static final Duration CEILING = Duration.ofSeconds(1);
  private static final Duration REFRESH = Duration.ofSeconds(3);

  /** What a busy machine may add. */
  private static final Duration SLACK = Duration.ofSeconds(2);

  private final HttpClient client = HttpClient.newHttpClient();

  @SuppressWarnings("NullAway.Init")
  private Cluster cluster;

  ClusterIT() {}

  @BeforeAll
  void start() throws InterruptedException {
    cluster =
        Cluster.start(
            BenchPostgresExtension.options(),
            new Cluster.Plan(
                BrokerProcess.builtJar(),
                3,
                Sync.PROXIED,
                Map.of(
                    "QUEEN_CACHE_REFRESH_INTERVAL_MS",
                    Long.toString(REFRESH.toMillis()),
                    "NUM_WORKERS",
                    "1"),
                1));
    open();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  @Order(1)
  void aPushOnOneBroker_wakesALongPollOnAnother() throws Exception {
    Histogram nanos = new Histogram(3);
    for (int i = 0; i < 40; i++) {
      CompletableFuture<HttpResponse<String>> poll = poll(1, "wake");
      Thread.sleep(60);
      long sent = System.nanoTime();
      push(0, "wake");
      assertThat(body(poll, CEILING.plus(SLACK))).contains("\"success\":true");
      nanos.recordValue(System.nanoTime() - sent);
    }
    System.out.printf(
        "wake-up at another broker, push sent to poll answered: p50 %.1f ms, p99 %.1f ms%n",
        nanos.getValueAtPercentile(50) / 1e6, nanos.getValueAtPercentile(99) / 1e6);
    // Without packets it would take half of the ceiling on average.
    assertThat(nanos.getValueAtPercentile(50)).isLessThan(TimeUnit.MILLISECONDS.toNanos(150));
  }

  @Test
  @Order(2)
  void aPushToAQueueWithoutRemoteConsumers_sendsNothing() throws Exception {
    SharedState before = SharedState.of(url(0));
    for (int i = 0; i < 20; i++) {
      push(0, "nobody-waits");
    }
    SharedState since = SharedState.of(url(0)).since(before);

    assertThat(since.numbers())
        .doesNotContainKeys(
            "consumer_presence.notifications_targeted",
            "consumer_presence.notifications_broadcast");
    // No more than heartbeats.
    assertThat(since.numbers().getOrDefault("transport.messages_sent", 0.0)).isLessThan(20);
  }

  @Test
  @Order(3)
  void aConfigChange_isVisibleOnTheOthersAtOnce() throws Exception {
    assertThat(untilADelayEnds("delayed")).isLessThan(REFRESH.minusMillis(500));
  }

  @Test
  @Order(4)
  void withUdpBlocked_aPushOnOneBrokerWakesALongPollOnAnother_withinTheBackOffCeiling()
      throws Exception {
    block();
    CompletableFuture<HttpResponse<String>> poll = poll(1, "blocked");
    Thread.sleep(1500);
    push(0, "blocked");

    assertThat(body(poll, CEILING.plus(SLACK))).contains("\"success\":true");
  }

  @Test
  @Order(5)
  void withUdpBlocked_aConfigChangeIsVisibleOnTheOthers_afterTheRefresh() throws Exception {
    block();

    assertThat(untilADelayEnds("delayed-2")).isLessThan(REFRESH.plus(SLACK).plus(CEILING));
  }

  @Test
  @Order(6)
  void theOthersNoticeWithinSixSeconds_thatABrokerWasKilled() throws Exception {
    open();
    CompletableFuture<HttpResponse<String>> poll = poll(1, "survivors");

    cluster.members().get(2).kill();
    long killed = System.nanoTime();
    while (SharedState.of(url(0)).alive().orElse(2) > 1) {
      assertThat(Duration.ofNanos(System.nanoTime() - killed)).isLessThan(Duration.ofSeconds(8));
      Thread.sleep(100);
    }
    System.out.printf(
        "a killed broker was noticed after %.1f s%n", (System.nanoTime() - killed) / 1e9);
    // Who waits elsewhere goes on.
    push(0, "survivors");
    assertThat(body(poll, CEILING.plus(SLACK))).contains("\"success\":true");
  }

  /** A message lies at the second broker, put off for an hour; the first one ends that. */
  private Duration untilADelayEnds(String queue) throws Exception {
    configure(0, queue, 3600);
    push(0, queue);
    CompletableFuture<HttpResponse<String>> poll = poll(1, queue);
    Thread.sleep(700);
    assertThat(poll).isNotDone();
    long changed = System.nanoTime();
    configure(0, queue, 0);
    assertThat(body(poll, REFRESH.plus(SLACK).plus(CEILING))).contains("\"success\":true");
    return Duration.ofNanos(System.nanoTime() - changed);
  }

  private void block() throws InterruptedException {
    cluster.chaos().orElseThrow().let(UdpChaos.Mode.NOTHING);
    awaitAlive(0);
  }

  private void open() throws InterruptedException {
    cluster.chaos().orElseThrow().let(UdpChaos.Mode.ALL);
    awaitAlive(2);
  }

  private void awaitAlive(int others) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    for (int i = 0; i < 2; i++) {
      while (SharedState.of(url(i)).alive().orElse(-1) != others) {
        assertThat(System.nanoTime()).as("brokers that know each other").isLessThan(deadline);
        Thread.sleep(100);
      }
    }
    // One more heartbeat, for the lists of who waits.
    Thread.sleep(1200);
  }

  private BrokerUrl url(int broker) {
    return cluster.urls().get(broker);
  }

  private void push(int broker, String queue) throws IOException, InterruptedException {
    post(
        broker,
        "/api/v1/push",
        "{\"items\":[{\"queue\":\"" + queue + "\",\"partition\":\"p\",\"payload\":1}]}");
  }

  private void configure(int broker, String queue, int delay)
      throws IOException, InterruptedException {
    post(
        broker,
        "/api/v1/configure",
        new JsonObject()
            .put("queue", queue)
            .put("options", new JsonObject().put("delayedProcessing", delay))
            .encode());
  }

  private void post(int broker, String path, String body) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(
            HttpRequest.newBuilder(URI.create(url(broker) + path))
                .POST(BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isBetween(200, 201);
  }

  private CompletableFuture<HttpResponse<String>> poll(int broker, String queue) {
    return client.sendAsync(
        HttpRequest.newBuilder(
                URI.create(
                    url(broker)
                        + "/api/v1/pop/queue/"
                        + queue
                        + "?autoAck=true&wait=true&timeout=20000"))
            .build(),
        BodyHandlers.ofString());
  }

  private static String body(CompletableFuture<HttpResponse<String>> poll, Duration limit)
      throws InterruptedException, ExecutionException, TimeoutException {
    return poll.get(limit.toMillis(), TimeUnit.MILLISECONDS).body();
  }
}
