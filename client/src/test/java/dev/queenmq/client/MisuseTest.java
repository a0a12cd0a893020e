package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What programs do wrong, and what befalls them, at a server that hands out one message for each
 * pop that the test allows.
 */
class MisuseTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  /** Far above what a call takes that waits for nothing, and far below the limit of a close. */
  private static final Duration AT_ONCE = Duration.ofSeconds(15);

  private static final String POPPED =
      "{\"messages\":[{\"id\":\"i\",\"transactionId\":\"t\",\"partition\":\"p\",\"partitionId\":"
          + "\"f7b7d1f6-0000-4000-8000-000000000001\",\"leaseId\":\"l\",\"data\":1}]}";
  private static final String ACKED = "[{\"success\":true,\"leaseReleased\":true}]";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Queue<String> messages = new ConcurrentLinkedQueue<>();
  private final Queue<String> acks = new ConcurrentLinkedQueue<>();
  private final Queue<String> tokens = new ConcurrentLinkedQueue<>();
  private final CountDownLatch popping = new CountDownLatch(1);
  private final CountDownLatch popEnded = new CountDownLatch(1);
  private volatile int ackStatus = 200;
  private volatile String extended = "";
  private @Nullable HttpServer server;
  private @Nullable QueenClient client;

  @BeforeEach
  void start() throws IOException {
    HttpServer made =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    made.setExecutor(threads);
    made.createContext("/", this::answer);
    made.start();
    server = made;
    client = builder().build();
  }

  private QueenClient.Builder builder() {
    return QueenClient.builder()
        .url("http://127.0.0.1:" + port())
        .retry(RetryPolicy.none())
        .listener(
            new ClientListener() {
              @Override
              public void onAttempt(Attempt attempt) {
                if (attempt.status() == 0) {
                  popEnded.countDown();
                }
              }
            });
  }

  @AfterEach
  void stop() {
    end.countDown();
    client().close(Duration.ZERO);
    if (server != null) {
      server.stop(0);
    }
    threads.shutdownNow();
  }

  private int port() {
    if (server == null) {
      throw new IllegalStateException("not started");
    }
    return server.getAddress().getPort();
  }

  private QueenClient client() {
    if (client == null) {
      throw new IllegalStateException("not started");
    }
    return client;
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")));
      if (exchange.getRequestURI().getPath().startsWith("/api/v1/ack")) {
        acks.add(body);
        reply(exchange, ackStatus, ackStatus == 200 ? ACKED : "{\"error\":\"no\"}");
        return;
      }
      if (exchange.getRequestURI().getPath().startsWith("/api/v1/lease")) {
        reply(exchange, 404, extended);
        return;
      }
      String message = messages.poll();
      if (message == null) {
        popping.countDown();
        end.await();
      } else {
        reply(exchange, 200, message);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void reply(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private Message<Integer> pop() {
    messages.add(POPPED);
    return client().queue("q").pop(Integer.class, PopOptions.batch(1)).get(0);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anErrorInAHandler_failsItsMessage(boolean async) {
    messages.add(POPPED);
    ConsumerBuilder<Integer> builder = client().queue("q").consumer(Integer.class);
    if (async) {
      builder.startAsync(message -> CompletableFuture.failedFuture(new StackOverflowError("deep")));
    } else {
      builder.start(
          message -> {
            throw new StackOverflowError("deep");
          });
    }

    Awaitility.await().atMost(PATIENCE).until(() -> !acks.isEmpty());
    assertThat(acks.element())
        .contains("\"failed\"")
        .contains("java.lang.StackOverflowError: deep");
  }

  @Test
  void aHandlerThatClosesItsConsumer_doesNotWaitForItself() throws Exception {
    messages.add(POPPED);
    CompletableFuture<Duration> took = new CompletableFuture<>();
    AtomicReference<@Nullable QueenConsumer> consumer = new AtomicReference<>();
    CountDownLatch known = new CountDownLatch(1);
    consumer.set(
        client()
            .queue("q")
            .consume(
                Integer.class,
                message -> {
                  known.await();
                  long begun = System.nanoTime();
                  QueenConsumer own = consumer.get();
                  if (own != null) {
                    own.close();
                  }
                  took.complete(Duration.ofNanos(System.nanoTime() - begun));
                }));
    known.countDown();

    assertThat(took.get(1, TimeUnit.MINUTES)).isLessThan(AT_ONCE);
    Awaitility.await().atMost(PATIENCE).until(() -> !acks.isEmpty());
    assertThat(acks.element()).contains("\"completed\"");
    QueenConsumer own = Objects.requireNonNull(consumer.get());
    assertThat(own.stop(PATIENCE)).isTrue();
  }

  @Test
  void aHandlerThatClosesTheClient_isAckedBeforeItEnds() throws Exception {
    messages.add(POPPED);
    CompletableFuture<Duration> took = new CompletableFuture<>();
    client()
        .queue("q")
        .consume(
            Integer.class,
            message -> {
              long begun = System.nanoTime();
              client().close();
              took.complete(Duration.ofNanos(System.nanoTime() - begun));
            });

    assertThat(took.get(1, TimeUnit.MINUTES)).isLessThan(AT_ONCE);
    Awaitility.await().atMost(PATIENCE).until(() -> !acks.isEmpty());
    assertThat(acks.element()).contains("\"completed\"");
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () ->
                assertThatThrownBy(() -> client().queue("q").push(1))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessage("the client is closed"));
  }

  /** Else the broker leases the next message to a pop without a caller. */
  @Test
  void aPopThatIsInterrupted_endsItsRequest() throws Exception {
    Thread popper =
        new Thread(
            () ->
                assertThatThrownBy(
                        () ->
                            client()
                                .queue("q")
                                .pop(Integer.class, PopOptions.batch(1).waitUpTo(PATIENCE)))
                    .isInstanceOf(UnavailableException.class));
    popper.start();
    assertThat(popping.await(1, TimeUnit.MINUTES)).isTrue();

    popper.interrupt();

    assertThat(popEnded.await(AT_ONCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    popper.join();
  }

  @Test
  void aPushThatIsInterrupted_endsItsRequest_andSaysWhatIsStored() throws Exception {
    messages.add("[{\"status\":\"queued\"},{\"status\":\"queued\"}]");
    CompletableFuture<List<PushResult>> known = new CompletableFuture<>();
    try (QueenClient small = builder().pushLimits(2, 1 << 20).build()) {
      Thread pusher =
          new Thread(() -> known.complete(small.queue("q").pushAll(List.of(1, 2, 3, 4, 5))));
      pusher.start();
      assertThat(popping.await(1, TimeUnit.MINUTES)).isTrue();

      pusher.interrupt();

      assertThat(known.get(1, TimeUnit.MINUTES))
          .extracting(PushResult::status)
          .containsExactly(
              PushResult.Status.QUEUED,
              PushResult.Status.QUEUED,
              PushResult.Status.UNKNOWN,
              PushResult.Status.UNKNOWN,
              PushResult.Status.UNSENT);
      assertThat(popEnded.await(AT_ONCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(tokens).as("requests").hasSize(2);
    }
  }

  /** Brokers take texts that are larger than what Jackson reads unless it is told otherwise. */
  @Test
  void largeTexts_areRead() {
    int length = 20_100_000;
    messages.add(POPPED.replace("\"data\":1", "\"data\":\"" + "x".repeat(length) + "\""));

    assertThat(client().queue("q").pop(String.class, PopOptions.batch(1)).get(0).payload())
        .hasSize(length);
  }

  @Test
  void anAckWithoutAnAnswer_canBeRepeated() {
    Message<Integer> message = pop();
    ackStatus = 503;
    assertThatThrownBy(message::ack).isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> client().ack(List.of(message)))
        .isInstanceOf(UnavailableException.class);
    ackStatus = 200;

    message.ack();

    assertThat(acks).hasSize(3);
    assertThatThrownBy(message::ack)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the message is settled already: COMPLETED");
  }

  @Test
  void acksOfSeveral_areSentTogether_orNotAtAll() {
    Message<Integer> open = pop();
    Message<Integer> settled = pop();
    settled.ack();
    assertThatThrownBy(() -> client().ack(List.of(open, settled)))
        .isInstanceOf(IllegalStateException.class);

    open.ack();

    assertThat(acks).hasSize(2);
  }

  @Test
  void aTransactionWhoseAnswerCannotBeRead_settlesNothing() {
    Message<Integer> message = pop();
    messages.add("{\"success\":");
    assertThatThrownBy(() -> client().transaction().ack(message).commit())
        .isInstanceOf(PayloadException.class);

    message.fail("no answer");

    assertThat(acks.element()).contains("\"failed\"");
  }

  @Test
  void aLeaseIsLost_ifTheBrokerSaysSo_andNotBecauseOfAnother404() {
    Message<Integer> message = pop();
    extended = "{\"error\":\"Not Found\"}";
    assertThatThrownBy(() -> message.extend(Duration.ofSeconds(1)))
        .isInstanceOf(RejectedException.class);

    extended = "{\"error\":\"Lease not found\"}";
    assertThatThrownBy(() -> message.extend(Duration.ofSeconds(1)))
        .isInstanceOf(LeaseLostException.class);
  }

  /** Nothing of it can be written as JSON. */
  private static final class Opaque {}

  @Test
  void aTraceThatCannotBeWritten_failsNoMessage() {
    Message<Integer> message = pop();
    TraceEvent data = TraceEvent.info(new Opaque());
    TraceEvent name = TraceEvent.info(1, "half \ud83d");

    message.trace(data);
    message.trace(name);

    assertThat(message.traceAsync(data))
        .failsWithin(PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(PayloadException.class);
    assertThat(message.traceAsync(name))
        .failsWithin(PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aTokenThatIsNone_isSaidToBe_withoutTheToken() {
    messages.add(POPPED);
    String url = "http://127.0.0.1:" + port();
    try (QueenClient fromFile = QueenClient.builder().url(url).token(() -> "abc\n").build()) {
      fromFile.queue("q").pop(Integer.class, PopOptions.batch(1));
      assertThat(tokens).containsExactly("Bearer abc");
    }
    for (String token : List.of("", " ", "sec\nret")) {
      try (QueenClient broken = QueenClient.builder().url(url).token(() -> token).build()) {
        assertThatThrownBy(() -> broken.queue("q").push(1))
            .isInstanceOf(IllegalArgumentException.class)
            .hasMessage("the token is empty or has characters that a header cannot have");
      }
    }
  }

  record Order(int number) {}

  @Test
  void aPayloadOfAnotherType_isSaidToBe_withItsField_butWithoutItsContent() {
    messages.add(POPPED.replace("\"data\":1", "\"data\":{\"number\":\"secret\"}"));
    Message<Order> message = client().queue("q").pop(Order.class, PopOptions.batch(1)).get(0);

    assertThatThrownBy(message::payload)
        .isInstanceOf(PayloadException.class)
        .hasMessageContaining("Order[\"number\"]")
        .hasMessageNotContaining("secret");
  }

  @Test
  void aClosedClient_saysSo_andMayBeClosedAgain() {
    client().close();
    client().close();

    assertThatThrownBy(() -> client().queue("q").push(1)).hasMessage("the client is closed");
    assertThatThrownBy(() -> client().queue("q").consume(Integer.class, message -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the client is closed");
    assertThatThrownBy(() -> client().buffer(BufferOptions.standard()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the client is closed");
    CompletableFuture<Throwable> failed = new CompletableFuture<>();
    client()
        .queue("q")
        .consumer(Integer.class)
        .publisher()
        .subscribe(
            new Flow.Subscriber<>() {
              @Override
              public void onSubscribe(Flow.Subscription subscription) {}

              @Override
              public void onNext(Message<Integer> message) {}

              @Override
              public void onError(Throwable error) {
                failed.complete(error);
              }

              @Override
              public void onComplete() {}
            });
    assertThat(failed)
        .isCompletedWithValueMatching(error -> error instanceof IllegalStateException);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "localhost:6632",
        "localhost",
        "ftp://localhost",
        "http://",
        "http://two words",
        "http://my_broker:6632",
        "http://localhost:6632?x=1",
        "http://localhost:6632#here",
        "http://user:secret@localhost:6632"
      })
  void aUrlThatIsNone_isRefusedAtOnce(String url) {
    assertThatThrownBy(() -> QueenClient.connect(url))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .isNotBlank()
        .doesNotContain("secret");
  }

  @Test
  void aUrl_mayHaveAPath_aSlashAndCapitals() {
    QueenClient.connect("HTTP://localhost:6632/").close();
    QueenClient.connect(" https://localhost/queen/ ").close();
  }
}
