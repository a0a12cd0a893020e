package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.FaultProxy;
import dev.queenmq.client.testing.TestBroker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** When a buffer sends by itself, and what it does when it is full. */
@ExtendWith(BrokerExtension.class)
@SuppressWarnings("FutureReturnValueIgnored") // What becomes of a flush is looked at otherwise.
class BufferIT {
  private static final Duration NEVER = Duration.ofHours(1);
  private static final BufferOptions PATIENT = BufferOptions.standard().linger(NEVER);

  private final String name = "buffer-" + UUID.randomUUID();

  @Test
  void itSends_afterItsTime(TestBroker broker) throws Exception {
    try (QueenClient client = broker.client();
        PushBuffer buffer = client.buffer(BufferOptions.standard().linger(Duration.ofMillis(10)))) {
      assertThat(buffer.push(client.queue(name), 1).get(1, TimeUnit.MINUTES).isAccepted()).isTrue();
    }
  }

  @Test
  void itSends_whenItHasAsManyAsARequestTakes(TestBroker broker) throws Exception {
    try (QueenClient client = QueenClient.builder().url(broker.url()).pushLimits(3, 9999).build();
        PushBuffer buffer = client.buffer(PATIENT)) {
      List<CompletableFuture<PushResult>> results = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        results.add(buffer.push(client.queue(name), i));
      }
      for (CompletableFuture<PushResult> result : results) {
        assertThat(result.get(1, TimeUnit.MINUTES).isAccepted()).isTrue();
      }
      assertThat(buffer.push(client.queue(name), 3)).isNotDone();
    }
  }

  @Test
  void itSends_whenItHasAsManyBytesAsARequestTakes(TestBroker broker) throws Exception {
    try (QueenClient client = QueenClient.builder().url(broker.url()).pushLimits(99, 500).build();
        PushBuffer buffer = client.buffer(PATIENT)) {
      assertThat(buffer.push(client.queue(name), "x")).isNotDone();
      CompletableFuture<PushResult> large = buffer.push(client.queue(name), "x".repeat(500));
      assertThat(buffer.flush()).succeedsWithin(Duration.ofMinutes(1));
      assertThat(large.join().isAccepted()).isTrue();
      CompletableFuture<PushResult> alone = buffer.push(client.queue(name), "x".repeat(500));
      assertThat(alone.get(1, TimeUnit.MINUTES).isAccepted()).isTrue();
    }
  }

  @Test
  void aFullBuffer_makesItsCallersWait_untilABrokerAnswers(TestBroker broker) throws Exception {
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient client =
            QueenClient.builder()
                .url(line.url())
                .retry(
                    new RetryPolicy(
                        Duration.ofMillis(50), Duration.ofMillis(5), Duration.ofMillis(50)))
                .build();
        PushBuffer buffer =
            client.buffer(PATIENT.limit(2, 1 << 20).blockWhenFull(Duration.ofMinutes(1)))) {
      line.set(FaultProxy.Fault.CLOSED);
      CompletableFuture<Void> pushing =
          CompletableFuture.runAsync(
              () ->
                  IntStream.range(0, 10)
                      .mapToObj(i -> buffer.push(client.queue(name).partition("p"), i))
                      .forEach(result -> assertThat(result).isNotNull()));
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                // Again and again: there may be nothing in it yet.
                buffer.flush();
                return buffer.size() == 2 && line.hits() > 3;
              });
      assertThat(pushing).isNotDone();
      assertThat(buffer.size()).as("it holds no more than it may").isEqualTo(2);
      line.set(FaultProxy.Fault.NONE);
      Awaitility.await()
          .atMost(Duration.ofMinutes(1))
          .until(
              () -> {
                buffer.flush();
                return pushing.isDone() && buffer.size() == 0;
              });
      pushing.join();

      List<Message<Integer>> got = client.queue(name).pop(Integer.class, PopOptions.batch(20));
      assertThat(got)
          .extracting(Message::payload)
          .isEqualTo(IntStream.range(0, 10).boxed().toList());
      client.ack(got);
    }
  }

  @Test
  void aFullBuffer_failsItsCallers_whenTheyHaveWaitedLongEnough(TestBroker broker) {
    try (QueenClient client = broker.client();
        PushBuffer buffer =
            client.buffer(PATIENT.limit(99, 300).blockWhenFull(Duration.ofMillis(20)))) {
      CompletableFuture<PushResult> first = buffer.push(client.queue(name), "x".repeat(200));
      assertThatThrownBy(() -> buffer.push(client.queue(name), "x".repeat(200)))
          .isInstanceOf(BufferFullException.class)
          .hasMessageContaining("holds 1 messages");
      assertThat(first).isNotDone();
    }
  }

  @Test
  void close_sendsWhatIsThere(TestBroker broker) {
    try (QueenClient client = broker.client()) {
      PushBuffer buffer = client.buffer(PATIENT);
      List<CompletableFuture<PushResult>> results = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        results.add(buffer.push(client.queue(name), i));
      }

      assertThat(buffer.close(Duration.ofMinutes(1))).isEmpty();

      assertThat(results).allMatch(result -> result.join().isAccepted());
    }
  }

  @Test
  void close_saysWhatItCouldNotSend_underWayOrNot(TestBroker broker) throws Exception {
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient client = QueenClient.connect(line.url())) {
      line.set(FaultProxy.Fault.SILENT);
      PushBuffer buffer = client.buffer(PATIENT);
      List<CompletableFuture<PushResult>> results = new ArrayList<>();
      results.add(buffer.push(client.queue(name).partition("a"), "under way"));
      buffer.flush();
      Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> line.hits() > 0);
      results.add(buffer.push(client.queue(name).partition("b"), "waiting"));

      List<UnsentMessage> unsent = buffer.close(Duration.ofMillis(1));

      assertThat(unsent).extracting(UnsentMessage::partition).containsExactly("a", "b");
      assertThat(unsent)
          .extracting(each -> each.message().payload())
          .containsExactly("under way", "waiting");
      assertThat(results).allMatch(CompletableFuture::isCompletedExceptionally);
    }
  }
}
