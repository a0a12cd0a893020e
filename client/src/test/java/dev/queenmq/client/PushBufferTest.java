package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.testing.StubServer;
import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Callbacks that wait for the buffer whose answers they get, and errors in place of answers. */
@SuppressWarnings("FutureReturnValueIgnored") // What becomes of a flush is looked at otherwise.
class PushBufferTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final BufferOptions UNHURRIED =
      BufferOptions.standard().linger(Duration.ofHours(1));

  private final CountDownLatch gate = new CountDownLatch(1);
  private final CountDownLatch never = new CountDownLatch(1);
  private final Queue<List<String>> requests = new ConcurrentLinkedQueue<>();
  private final AtomicInteger refusals = new AtomicInteger();
  private final StubServer server = new StubServer(this::answer);
  private final QueenClient client = builder().build();
  private final QueueRef queue = client.queue("q");

  PushBufferTest() throws IOException {}

  private QueenClient.Builder builder() {
    return QueenClient.builder()
        .url(server.url())
        .requestTimeout(Duration.ofMinutes(10))
        .retry(new RetryPolicy(PATIENCE, Duration.ofMillis(20), Duration.ofMillis(20)));
  }

  private StubServer.Answer answer(String method, String path, String body) throws Exception {
    List<String> payloads = StubServer.payloads(body);
    requests.add(payloads);
    gate.await();
    if (payloads.contains("lost")) {
      never.await();
    }
    if (refusals.getAndDecrement() > 0) {
      return new StubServer.Answer(503, "{\"error\":\"away\"}");
    }
    return payloads.contains("bad")
        ? new StubServer.Answer(400, "{\"error\":\"a bad payload\"}")
        : StubServer.queued(body);
  }

  @AfterEach
  void stop() {
    gate.countDown();
    never.countDown();
    client.close(Duration.ZERO);
    server.close();
  }

  /** What a callback may do with its buffer. */
  enum Use {
    PUSH_AND_WAIT {
      @Override
      void use(PushBuffer buffer, QueueRef queue) {
        CompletableFuture<PushResult> result = buffer.push(queue, "c");
        buffer.flush();
        assertThat(result.join().isAccepted()).isTrue();
      }
    },
    PUSH_WHEN_FULL {
      @Override
      void use(PushBuffer buffer, QueueRef queue) {
        for (String each : List.of("c", "d", "e")) {
          buffer.push(queue, each);
        }
      }
    },
    FLUSH {
      @Override
      void use(PushBuffer buffer, QueueRef queue) {
        buffer.flush().join();
      }
    },
    CLOSE {
      @Override
      void use(PushBuffer buffer, QueueRef queue) {
        assertThat(buffer.close(PATIENCE)).isEmpty();
      }
    };

    abstract void use(PushBuffer buffer, QueueRef queue);
  }

  @ParameterizedTest
  @EnumSource
  void aCallback_mayWaitForItsBuffer(Use use) throws Exception {
    try (QueenClient pairs = builder().pushLimits(2, 1 << 20).build()) {
      PushBuffer buffer = pairs.buffer(UNHURRIED.limit(2, 1 << 20).blockWhenFull(PATIENCE));
      CompletableFuture<PushResult> first = buffer.push(queue, "a");
      CompletableFuture<Void> used = first.thenAccept(result -> use.use(buffer, queue));
      CompletableFuture<PushResult> second = buffer.push(queue, "b");
      assertThat(used).isNotDone();

      gate.countDown();

      used.get(2, TimeUnit.MINUTES);
      assertThat(second.get(1, TimeUnit.MINUTES).isAccepted()).isTrue();
    }
  }

  @Test
  void aCallback_mayWaitForTheRest_ofARequestThatWasRefused() throws Exception {
    PushBuffer buffer = client.buffer(UNHURRIED);
    CompletableFuture<PushResult> first = buffer.push(queue, "a");
    CompletableFuture<PushResult> bad = buffer.push(queue, "bad");
    CompletableFuture<PushResult> last = buffer.push(queue, "b");
    CompletableFuture<Void> waited = first.thenAccept(result -> buffer.flush().join());
    buffer.flush();

    gate.countDown();

    waited.get(1, TimeUnit.MINUTES);
    assertThat(bad).isCompletedExceptionally();
    assertThat(last.join().isAccepted()).isTrue();
    assertThat(requests)
        .containsExactly(List.of("a", "bad", "b"), List.of("a"), List.of("bad"), List.of("b"));
  }

  @Test
  void messagesThatAreStored_areNotUnsent_whileCallbacksBlock() throws Exception {
    PushBuffer buffer = client.buffer(UNHURRIED);
    CompletableFuture<PushResult> first = buffer.push(queue, "a");
    CompletableFuture<Void> blocked = first.thenAccept(result -> awaitForEver());
    CompletableFuture<PushResult> second = buffer.push(queue, "b");
    buffer.flush();
    gate.countDown();

    assertThat(buffer.close(PATIENCE)).isEmpty();

    assertThat(second).isCompletedWithValueMatching(PushResult::isAccepted);
    assertThat(blocked).isNotDone();
    assertThat(buffer.size()).isZero();
  }

  private void awaitForEver() {
    try {
      never.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aCallbackOfWhatCouldNotBeSent_mayWaitForTheOthers() throws Exception {
    gate.countDown();
    PushBuffer buffer = client.buffer(UNHURRIED);
    CompletableFuture<PushResult> first = buffer.push(queue, "lost");
    CompletableFuture<PushResult> second = buffer.push(queue, "b");
    CompletableFuture<Void> waited =
        first.handle((result, failure) -> buffer.flush()).thenAccept(CompletableFuture::join);
    buffer.flush();
    Awaitility.await().atMost(PATIENCE).until(() -> !requests.isEmpty());
    CompletableFuture<List<UnsentMessage>> unsent = new CompletableFuture<>();
    Thread closer = new Thread(() -> unsent.complete(buffer.close(Duration.ZERO)));
    closer.setDaemon(true);

    closer.start();

    assertThat(unsent.get(1, TimeUnit.MINUTES))
        .extracting(each -> each.message().payload())
        .containsExactly("lost", "b");
    waited.get(1, TimeUnit.MINUTES);
    assertThat(second).isCompletedExceptionally();
    assertThat(buffer.size()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void anErrorInPlaceOfAnAnswer_failsItsMessages_andTheNextOnesAreSent(int attempt)
      throws Exception {
    gate.countDown();
    refusals.set(attempt - 1);
    AtomicInteger attempts = new AtomicInteger();
    try (QueenClient broken =
        builder()
            .interceptor(
                request -> {
                  if (attempts.incrementAndGet() == attempt) {
                    throw new StackOverflowError("deep");
                  }
                })
            .build()) {
      PushBuffer buffer = broken.buffer(UNHURRIED);
      CompletableFuture<PushResult> first = buffer.push(queue, "a");
      buffer.flush();
      Awaitility.await().atMost(PATIENCE).until(first::isDone);
      assertThat(first.handle((result, failure) -> failure).join())
          .isInstanceOf(StackOverflowError.class);

      CompletableFuture<PushResult> second = buffer.push(queue, "b");
      buffer.flush();

      assertThat(second.get(1, TimeUnit.MINUTES).isAccepted()).isTrue();
      assertThat(buffer.size()).isZero();
    }
  }

  @Test
  void durations_mayBeForEver() {
    gate.countDown();
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    BufferOptions options =
        BufferOptions.standard().limit(1, 1 << 20).linger(forEver).blockWhenFull(forEver);
    PushBuffer buffer = client.buffer(options);
    CompletableFuture<PushResult> first = buffer.push(queue, "a");
    buffer.flush();
    CompletableFuture<PushResult> second = buffer.push(queue, "b");
    assertThat(buffer.close(forEver)).isEmpty();
    CompletableFuture<PushResult> third = client.buffer(options).push(queue, "c");

    assertThat(client.close(forEver)).isEmpty();

    assertThat(List.of(first, second, third)).allMatch(result -> result.join().isAccepted());
    assertThatThrownBy(() -> queue.push("d")).hasMessage("the client is closed");
  }
}
