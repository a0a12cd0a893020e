package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.internal.Json;
import dev.queenmq.client.testing.StubServer;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A consumer goes on after failures that lie in the program, or in what it sends. */
class ConsumerFailuresTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch end = new CountDownLatch(1);
  private final Queue<String> pops = new ConcurrentLinkedQueue<>();
  private final Queue<JsonNode> acks = new ConcurrentLinkedQueue<>();
  private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
  private final CountDownLatch firstAck = new CountDownLatch(1);
  private volatile int acksPerRequest = Integer.MAX_VALUE;
  private volatile String refusedAck = "";
  private @Nullable StubServer server;
  private @Nullable QueenClient client;

  @BeforeEach
  void start() throws IOException {
    StubServer made = new StubServer((method, path, body) -> answer(path, body));
    server = made;
    client =
        QueenClient.builder()
            .url(made.url())
            .listener(
                new ClientListener() {
                  @Override
                  public void onConsumerError(String queue, String group, Throwable error) {
                    errors.add(error);
                  }
                })
            .build();
  }

  @AfterEach
  void stop() {
    firstAck.countDown();
    end.countDown();
    Objects.requireNonNull(client).close(Duration.ZERO);
    Objects.requireNonNull(server).close();
    threads.shutdownNow();
  }

  private QueueRef queue() {
    return Objects.requireNonNull(client).queue("q");
  }

  private StubServer.Answer answer(String path, String body) throws Exception {
    if (path.startsWith("/api/v1/ack")) {
      return ack(Json.MAPPER.readTree(body).path("acknowledgments"));
    }
    String messages = path.startsWith("/api/v1/pop") ? pops.poll() : null;
    if (messages != null) {
      return new StubServer.Answer(200, messages);
    }
    end.await();
    return new StubServer.Answer(204, "");
  }

  private StubServer.Answer ack(JsonNode list) throws InterruptedException {
    if (list.size() > acksPerRequest) {
      return new StubServer.Answer(
          400, "{\"error\":\"acknowledgments has more elements than the limit\"}");
    }
    StringBuilder answer = new StringBuilder();
    for (JsonNode each : list) {
      if (each.path("transactionId").asText().equals(refusedAck)) {
        return new StubServer.Answer(400, "{\"error\":\"no\"}");
      }
      answer.append(answer.isEmpty() ? "[" : ",").append("{\"success\":true}");
    }
    list.forEach(acks::add);
    firstAck.await();
    return new StubServer.Answer(200, answer + "]");
  }

  /** Messages with these transaction ids, each of a partition of its own. */
  private static String popped(String... ids) {
    StringBuilder messages = new StringBuilder();
    for (String id : ids) {
      messages
          .append(messages.isEmpty() ? "{\"messages\":[" : ",")
          .append("{\"id\":\"i\",\"transactionId\":\"")
          .append(id)
          .append("\",\"partition\":\"p-")
          .append(id)
          .append("\",\"partitionId\":\"id-")
          .append(id)
          .append("\",\"leaseId\":\"l\",\"data\":1}");
    }
    return messages + "]}";
  }

  private JsonNode acked(String id) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> acks.stream().anyMatch(ack -> ack.path("transactionId").asText().equals(id)));
    return acks.stream()
        .filter(ack -> ack.path("transactionId").asText().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void halfASurrogatePairInAnError_isReplaced() {
    firstAck.countDown();
    pops.add(popped("thrown", "cut", "failed", "dead"));
    queue()
        .consume(
            Integer.class,
            message -> {
              switch (message.transactionId()) {
                case "thrown" -> throw new IllegalStateException("cut here: \ud83d");
                // One of these texts is cut in the middle of a pair, the other is not.
                case "cut" -> throw new TextOfItsOwn("😀".repeat(2_000));
                case "failed" -> message.fail("x" + "😀".repeat(2_000) + "\ude00");
                default -> message.deadLetter("\ude00 here");
              }
            });

    assertThat(acked("thrown").path("error").asText())
        .isEqualTo("java.lang.IllegalStateException: cut here: \ufffd");
    assertThat(acked("cut").path("error").asText()).isEqualTo("x" + "😀".repeat(999));
    assertThat(acked("failed").path("error").asText()).endsWith("😀\ufffd");
    assertThat(acked("dead").path("error").asText()).isEqualTo("\ufffd here");
  }

  @SuppressWarnings("OverrideThrowableToString") // What is cut is the text of toString.
  private static final class TextOfItsOwn extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TextOfItsOwn(String text) {
      super(text);
    }

    @Override
    public String toString() {
      return "x" + getMessage();
    }
  }

  /** Names are not changed: two of them could become the same. */
  @Test
  void anAckThatCannotBeWritten_isAnError_thatIsTriedAgain() {
    firstAck.countDown();
    pops.add(popped("t"));
    queue().group("\ud83d").consume(Integer.class, message -> {});

    Awaitility.await().atMost(PATIENCE).until(() -> errors.size() >= 2);
    assertThat(errors).allMatch(IllegalArgumentException.class::isInstance);
  }

  @Test
  void aHandlerWithoutAThread_isCalledLater_andTheNextOnesNow() throws Exception {
    firstAck.countDown();
    pops.add(popped("a", "b"));
    AtomicBoolean full = new AtomicBoolean(true);
    CompletableFuture<String> handled = new CompletableFuture<>();
    queue()
        .consumer(Integer.class)
        .executor(
            task -> {
              if (full.getAndSet(false)) {
                throw new OutOfMemoryError("unable to create native thread");
              }
              threads.execute(task);
            })
        .start(message -> handled.complete(message.transactionId()));

    assertThat(handled.get(1, TimeUnit.MINUTES)).isEqualTo("b");
    assertThat(acked("a").path("status").asText()).isEqualTo("retry");
  }

  @Test
  void durationsForEver_areLong_andNoFailure() {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    firstAck.countDown();
    // The first is no object, which fails the pop.
    pops.addAll(List.of("[]", popped("a")));
    QueenConsumer consumer =
        queue().consumer(Integer.class).backOff(Duration.ofMillis(1), forEver).start(message -> {});
    acked("a");
    end.countDown();
    assertThat(consumer.stop(forEver)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aConsumerThatRenewsOrWaitsForEver_handlesMessages(boolean renews) {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    firstAck.countDown();
    pops.add(popped("a"));
    ConsumerBuilder<Integer> builder = queue().consumer(Integer.class);
    (renews ? builder.renewLeasesFor(forEver) : builder.longPoll(forEver)).start(message -> {});

    assertThat(acked("a").path("status").asText()).isEqualTo("completed");
  }

  @Test
  void negativeDurations_areRefused() {
    ConsumerBuilder<Integer> builder = queue().consumer(Integer.class);
    Duration negative = Duration.ofMillis(-1);

    assertThatThrownBy(() -> builder.renewLeasesFor(negative))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("PT-0.001S is negative");
    assertThatThrownBy(() -> builder.backOff(negative, Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> builder.backOff(Duration.ZERO, negative))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The application's code must not hold up the one timer of the client. */
  @Test
  void popsAfterAnError_areNotSentByTheTimer() {
    Queue<String> senders = new ConcurrentLinkedQueue<>();
    try (QueenClient watched =
        QueenClient.builder()
            .url(Objects.requireNonNull(server).url())
            .interceptor(request -> senders.add(Thread.currentThread().getName()))
            .build()) {
      // What is no object fails the pop.
      pops.addAll(List.of("[]", "[]", "[]"));
      QueenConsumer consumer = watched.queue("q").consume(Integer.class, message -> {});
      Awaitility.await().atMost(PATIENCE).until(() -> senders.size() >= 4);
      assertThat(List.copyOf(senders)).noneMatch(name -> name.startsWith("queen-timer-"));
      end.countDown();
      assertThat(consumer.stop(PATIENCE)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void acksThatAreTooManyForARequest_areSentInSeveral(int limit) {
    acksPerRequest = limit;
    String[] ids = {"a", "b", "c", "d", "e", "f", "g", "h", "i"};
    refusedAck = "e";
    pops.add(popped(ids));
    AtomicInteger handled = new AtomicInteger();
    Queue<CompletableFuture<Void>> settled = new ConcurrentLinkedQueue<>();
    queue()
        .consumer(Integer.class)
        .concurrency(ids.length)
        .start(
            message -> {
              CompletableFuture<Void> done = message.ackAsync();
              if (message.transactionId().equals(refusedAck)) {
                settled.add(done);
              }
              handled.incrementAndGet();
            });
    Awaitility.await().atMost(PATIENCE).until(() -> handled.get() == ids.length);
    firstAck.countDown();

    for (String id : ids) {
      if (!id.equals(refusedAck)) {
        assertThat(acked(id).path("status").asText()).isEqualTo("completed");
      }
    }
    Awaitility.await().atMost(PATIENCE).until(() -> settled.element().isDone());
    assertThat(settled.element())
        .as("the message that is to blame")
        .failsWithin(PATIENCE)
        .withThrowableOfType(ExecutionException.class)
        .withCauseInstanceOf(RejectedException.class);
    assertThat(List.copyOf(acks)).as("each once").hasSize(ids.length - 1);
  }
}
