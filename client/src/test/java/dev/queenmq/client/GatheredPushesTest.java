package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Pushes that meet, at servers that keep back their answers until the test lets them go. They
 * refuse a request with a message for the lane {@code bad}, answer 503 to one for the lane {@code
 * away}, and fail a message {@code 13}.
 */
class GatheredPushesTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int MOST = PushGatherer.MOST_REQUESTS;

  private final ObjectMapper json = new ObjectMapper();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final Queue<Received> requests = new ConcurrentLinkedQueue<>();
  private final List<String> stored = new ArrayList<>();
  private final Set<String> ids = new HashSet<>();
  private final List<HttpServer> servers = new ArrayList<>();
  private final List<CompletableFuture<PushResult>> first = new ArrayList<>();
  private @Nullable QueenClient client;

  private record Received(int port, List<JsonNode> items, String token, String number) {
    List<String> payloads() {
      return items.stream().map(item -> item.path("payload").asText()).toList();
    }
  }

  @BeforeEach
  void start() throws IOException {
    for (int i = 0; i < 2; i++) {
      HttpServer server =
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.setExecutor(threads);
      server.createContext("/", this::answer);
      server.start();
      servers.add(server);
    }
  }

  @AfterEach
  void stop() {
    gate.countDown();
    if (client != null) {
      client.close(Duration.ZERO);
    }
    servers.forEach(server -> server.stop(0));
    threads.shutdownNow();
  }

  private String url(int server) {
    return "http://127.0.0.1:" + servers.get(server).getAddress().getPort();
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode body = json.readTree(exchange.getRequestBody());
      List<JsonNode> items = new ArrayList<>();
      body.path("items").forEach(items::add);
      requests.add(
          new Received(
              exchange.getLocalAddress().getPort(),
              items,
              String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")),
              String.valueOf(exchange.getRequestHeaders().getFirst("X-Number"))));
      gate.await();
      if (items.stream().anyMatch(item -> item.path("partition").asText().equals("bad"))) {
        reply(exchange, 400, "{\"error\":\"a bad lane\"}");
      } else if (items.stream().anyMatch(item -> item.path("partition").asText().equals("away"))) {
        reply(exchange, 503, "{\"error\":\"away\"}");
      } else {
        reply(exchange, 201, store(items).toString());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private ArrayNode store(List<JsonNode> items) {
    ArrayNode answers = json.createArrayNode();
    synchronized (stored) {
      for (JsonNode item : items) {
        String payload = item.path("payload").asText();
        if (payload.equals("13")) {
          answers.addObject().put("status", "failed").put("error", "unlucky");
        } else if (ids.add(item.path("transactionId").asText())) {
          stored.add(item.path("partition").asText() + " " + payload);
          answers.addObject().put("status", "queued").put("message_id", "id-" + payload);
        } else {
          answers.addObject().put("status", "duplicate").put("message_id", "id-" + payload);
        }
      }
    }
    return answers;
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  /** A client with as many requests under way as it sends before it gathers. */
  private QueueRef busy(QueenClient.Builder builder) {
    QueenClient made = builder.build();
    client = made;
    QueueRef queue = made.queue("q");
    for (int i = 0; i < MOST; i++) {
      first.add(queue.pushAsync("first-" + i));
    }
    Awaitility.await().atMost(PATIENCE).until(() -> requests.size() == MOST);
    return queue;
  }

  private QueenClient.Builder builder() {
    return QueenClient.builder().url(url(0)).retry(RetryPolicy.none());
  }

  private static List<String> texts(int count) {
    return IntStream.range(0, count).mapToObj(i -> "m" + i).toList();
  }

  private List<Received> gathered() {
    return requests.stream().skip(MOST).toList();
  }

  @Test
  void pushesThatMeet_shareARequest_inTheirOrder_andEachGetsItsOwnResult() {
    QueueRef queue = busy(builder());
    List<CompletableFuture<PushResult>> results = new ArrayList<>();
    texts(30).forEach(text -> results.add(queue.partition("p").pushAsync(text)));
    CompletableFuture<List<PushResult>> one = queue.pushAllAsync(List.of("one"));
    gate.countDown();

    for (int i = 0; i < 30; i++) {
      assertThat(results.get(i))
          .succeedsWithin(PATIENCE)
          .extracting(PushResult::messageId)
          .isEqualTo("id-m" + i);
    }
    assertThat(one).succeedsWithin(PATIENCE);
    assertThat(one.join()).extracting(PushResult::messageId).containsExactly("id-one");
    assertThat(first).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
    List<String> expected = new ArrayList<>(texts(30));
    expected.add("one");
    assertThat(gathered())
        .singleElement()
        .satisfies(only -> assertThat(only.payloads()).isEqualTo(expected));
  }

  @Test
  void aRefusedPush_failsAlone_andTheOthersKeepTheirOrder() {
    QueueRef queue = busy(builder());
    Map<String, CompletableFuture<PushResult>> good = new LinkedHashMap<>();
    List<CompletableFuture<PushResult>> bad = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      if (i % 17 == 5) {
        bad.add(queue.partition("bad").pushAsync(i));
      } else {
        good.put("p" + i % 3 + " x" + i, queue.partition("p" + i % 3).pushAsync("x" + i));
      }
    }
    gate.countDown();

    assertThat(good.values()).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
    assertThat(bad)
        .hasSize(3)
        .allSatisfy(
            each ->
                assertThat(each)
                    .failsWithin(PATIENCE)
                    .withThrowableThat()
                    .withCauseInstanceOf(RejectedException.class)
                    .withMessageContaining("a bad lane"));
    synchronized (stored) {
      assertThat(stored.stream().filter(each -> each.startsWith("p")))
          .as("in order, none missing, none twice")
          .isEqualTo(List.copyOf(good.keySet()));
    }
  }

  @Test
  void aMessageThatFails_failsItsCallerOnly() {
    QueueRef queue = busy(builder());
    CompletableFuture<PushResult> before = queue.pushAsync("12");
    CompletableFuture<PushResult> failed = queue.pushAsync("13");
    CompletableFuture<PushResult> after = queue.pushAsync("14");
    gate.countDown();

    assertThat(before).succeedsWithin(PATIENCE);
    assertThat(after).succeedsWithin(PATIENCE);
    assertThat(failed)
        .failsWithin(PATIENCE)
        .withThrowableThat()
        .withCauseInstanceOf(RejectedException.class)
        .withMessageContaining("unlucky");
    assertThat(gathered()).hasSize(1);
  }

  @Test
  void aPushThatHasWaitedForItsTurn_hasLessTimeForRetries() {
    Duration giveUp = Duration.ofMillis(200);
    QueueRef queue =
        busy(builder().retry(new RetryPolicy(giveUp, Duration.ofMillis(1), Duration.ofMillis(1))));
    CompletableFuture<PushResult> waiting = queue.partition("away").pushAsync("w");
    long called = System.nanoTime();
    Awaitility.await().until(() -> System.nanoTime() - called > giveUp.toNanos());
    gate.countDown();

    assertThat(failure(waiting)).hasMessageContaining("away");
    assertThat(gathered()).as("one attempt").hasSize(1);
    assertThat(first).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
  }

  @Test
  void requests_keepTheLimitsOfAPush() {
    QueueRef queue = busy(builder().pushLimits(3, 1000));
    List<CompletableFuture<PushResult>> results = new ArrayList<>();
    texts(10).forEach(text -> results.add(queue.pushAsync(text)));
    results.add(queue.pushAsync("x".repeat(600)));
    results.add(queue.pushAsync("y".repeat(600)));
    results.add(queue.pushAsync("z".repeat(2000)));
    gate.countDown();

    assertThat(results).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
    assertThat(gathered()).filteredOn(each -> each.items().size() > 1).isNotEmpty();
    assertThat(gathered())
        .filteredOn(each -> each.items().size() > 1)
        .allSatisfy(
            each -> {
              assertThat(each.items()).hasSizeLessThanOrEqualTo(3);
              assertThat(each.items().toString()).hasSizeLessThan(1010);
            });
  }

  @Test
  void withALimitOfOne_nothingIsGathered_andNothingWaits() {
    QueueRef queue = busy(builder().pushLimits(1, 1 << 20));
    List<CompletableFuture<PushResult>> results = new ArrayList<>();
    texts(10).forEach(text -> results.add(queue.pushAsync(text)));

    Awaitility.await().atMost(PATIENCE).until(() -> requests.size() == MOST + 10);
    assertThat(gathered()).allMatch(each -> each.items().size() == 1);
    gate.countDown();
    assertThat(results).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
  }

  @Test
  void aBatch_hasARequestOfItsOwn_andDoesNotWait() {
    QueueRef queue = busy(builder());
    CompletableFuture<PushResult> waiting = queue.pushAsync("w");
    CompletableFuture<List<PushResult>> batch = queue.pushAllAsync(List.of("a", "b"));

    Awaitility.await().atMost(PATIENCE).until(() -> requests.size() == MOST + 1);
    assertThat(gathered().get(0).payloads()).containsExactly("a", "b");
    gate.countDown();
    assertThat(batch).succeedsWithin(PATIENCE);
    assertThat(waiting).succeedsWithin(PATIENCE);
  }

  @Test
  void anotherQueue_doesNotWait() {
    QueueRef queue = busy(builder());
    CompletableFuture<PushResult> waiting = queue.pushAsync("w");
    QueenClient own = Objects.requireNonNull(client);
    CompletableFuture<PushResult> other = own.queue("other").pushAsync("o");

    Awaitility.await().atMost(PATIENCE).until(() -> requests.size() == MOST + 1);
    assertThat(gathered().get(0).payloads()).containsExactly("o");
    gate.countDown();
    assertThat(waiting).succeedsWithin(PATIENCE);
    assertThat(other).succeedsWithin(PATIENCE);
  }

  @Test
  void everyRequest_hasTheTokenAndPassesInterceptors_andEveryMessageHasTheTraceOfItsCaller() {
    AtomicInteger number = new AtomicInteger();
    AtomicReference<@Nullable String> span = new AtomicReference<>();
    QueueRef queue =
        busy(
            builder()
                .token(() -> "secret")
                .interceptor(
                    request -> request.header("X-Number", String.valueOf(number.incrementAndGet())))
                .tracing(
                    new Tracing() {
                      @Override
                      public @Nullable String current() {
                        return span.get();
                      }

                      @Override
                      public Span handling(List<? extends Message<?>> messages) {
                        throw new IllegalStateException("nothing is consumed");
                      }
                    }));
    List<CompletableFuture<PushResult>> results = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      span.set("00-" + String.valueOf(i).repeat(32) + "-" + String.valueOf(i).repeat(16) + "-01");
      results.add(queue.pushAsync(String.valueOf(i)));
    }
    span.set(null);
    gate.countDown();

    assertThat(results).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
    assertThat(requests).allMatch(each -> each.token().equals("Bearer secret"));
    assertThat(requests).hasSize(MOST + 1).extracting(Received::number).doesNotHaveDuplicates();
    assertThat(number).hasValue(MOST + 1);
    assertThat(gathered().get(0).items())
        .hasSize(5)
        .allSatisfy(
            item -> {
              String digit = item.path("payload").asText();
              assertThat(item.path("traceId").asText().replace("-", ""))
                  .isEqualTo(digit.repeat(32));
              assertThat(item.path("transactionId").asText()).contains(digit.repeat(16));
            });
  }

  @Test
  void eachLane_staysAtItsBroker() {
    QueenClient two =
        QueenClient.builder().urls(List.of(url(0), url(1))).retry(RetryPolicy.none()).build();
    client = two;
    List<CompletableFuture<PushResult>> results = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      results.add(two.queue("q").partition("p" + i % 20).pushAsync("m" + i));
    }
    gate.countDown();

    assertThat(results).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
    Map<String, Set<Integer>> brokers = new LinkedHashMap<>();
    for (Received request : requests) {
      for (JsonNode item : request.items()) {
        brokers
            .computeIfAbsent(item.path("partition").asText(), lane -> new HashSet<>())
            .add(request.port());
      }
    }
    assertThat(brokers).hasSize(20).allSatisfy((lane, ports) -> assertThat(ports).hasSize(1));
    assertThat(requests).extracting(Received::port).contains(port(0), port(1));
    assertThat(requests).hasSizeLessThan(100);
  }

  private int port(int server) {
    return servers.get(server).getAddress().getPort();
  }

  @Test
  void callbacks_mayWaitForOtherPushes() {
    QueueRef queue = busy(builder());
    List<CompletableFuture<?>> done = new ArrayList<>();
    first.forEach(each -> done.add(each.thenApply(result -> queue.push("again"))));
    CompletableFuture<PushResult> one = queue.pushAsync("one");
    CompletableFuture<PushResult> other = queue.pushAsync("other");
    done.add(one.thenApply(result -> other.join()));
    done.add(other);
    gate.countDown();

    assertThat(done).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
  }

  @Test
  void close_endsThoseThatWait_andSaysThatTheyWereNotSent() {
    QueueRef queue = busy(builder());
    List<CompletableFuture<PushResult>> waiting = new ArrayList<>();
    texts(5).forEach(text -> waiting.add(queue.pushAsync(text)));

    Objects.requireNonNull(client).close();

    assertThat(first).allSatisfy(each -> assertThat(failure(each).mayHaveHappened()).isTrue());
    assertThat(waiting).allSatisfy(each -> assertThat(failure(each).mayHaveHappened()).isFalse());
    assertThat(waiting)
        .allSatisfy(
            each ->
                assertThat(failure(each)).hasMessage("the client was closed before it was sent"));
    assertThat(failure(queue.pushAsync("late"))).hasMessage("the client is closed");
    assertThat(requests).hasSize(MOST);
  }

  private static UnavailableException failure(CompletableFuture<PushResult> push) {
    Throwable failure =
        push.handle((result, thrown) -> thrown)
            .orTimeout(PATIENCE.toSeconds(), TimeUnit.SECONDS)
            .join();
    return (UnavailableException) Objects.requireNonNull(failure.getCause());
  }
}
