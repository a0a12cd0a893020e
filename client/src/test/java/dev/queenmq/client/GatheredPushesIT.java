package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.FaultProxy;
import dev.queenmq.client.testing.TestBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pushes that share requests, at a real broker. */
@ExtendWith(BrokerExtension.class)
class GatheredPushesIT {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int LANES = 40;
  private static final int EACH = 8;

  private final String name = "gathered-" + UUID.randomUUID();

  @Test
  void whenAnswersAreCut_nothingIsLost_nothingIsTwice_andOrderIsKept(TestBroker broker)
      throws IOException {
    AtomicInteger requests = new AtomicInteger();
    List<List<String>> ids =
        IntStream.range(0, LANES).<List<String>>mapToObj(lane -> new ArrayList<>()).toList();
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient client =
            QueenClient.builder()
                .url(line.url())
                .retry(new RetryPolicy(PATIENCE, Duration.ofMillis(5), Duration.ofMillis(50)))
                .listener(
                    new ClientListener() {
                      @Override
                      public void onAttempt(Attempt attempt) {
                        if (attempt.number() == 1) {
                          requests.incrementAndGet();
                        }
                      }
                    })
                .build()) {
      line.set(FaultProxy.Fault.CUT_ANSWERS);
      List<CompletableFuture<Void>> lanes = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        lanes.add(pushAll(client.queue(name).partition("p" + lane), 0, ids.get(lane)));
      }
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> line.hits() >= 2 * PushGatherer.MOST_REQUESTS);
      line.set(FaultProxy.Fault.NONE);

      assertThat(lanes).allSatisfy(lane -> assertThat(lane).succeedsWithin(PATIENCE));
      assertThat(requests.get()).as("requests are shared").isLessThan(LANES * EACH);
    }
    try (QueenClient client = broker.client()) {
      for (int lane = 0; lane < LANES; lane++) {
        List<Message<Integer>> stored =
            client.queue(name).partition("p" + lane).pop(Integer.class, PopOptions.batch(2 * EACH));
        assertThat(stored)
            .extracting(Message::payload)
            .isEqualTo(IntStream.range(0, EACH).boxed().toList());
        assertThat(stored)
            .as("each push got the id of its own message")
            .extracting(Message::id)
            .isEqualTo(ids.get(lane));
      }
    }
  }

  /** One after the other, as a thread would that waits for each. */
  private static CompletableFuture<Void> pushAll(QueueRef lane, int next, List<String> ids) {
    return next == EACH
        ? CompletableFuture.completedFuture(null)
        : lane.pushAsync(next)
            .thenCompose(
                pushed -> {
                  ids.add(Objects.requireNonNull(pushed.messageId()));
                  return pushAll(lane, next + 1, ids);
                });
  }

  /**
   * The line swallows the first requests, so that all other pushes wait and travel together. One of
   * them is refused, so that they travel in halves.
   */
  @Test
  void aPushThatTheBrokerRefuses_failsAlone_andTheOthersKeepTheirOrderAndResults(TestBroker broker)
      throws IOException {
    try (FaultProxy line = new FaultProxy(broker.port());
        QueenClient client =
            QueenClient.builder()
                .url(line.url())
                .retry(new RetryPolicy(PATIENCE, Duration.ofMillis(5), Duration.ofMillis(50)))
                .build()) {
      QueueRef queue = client.queue(name);
      List<CompletableFuture<PushResult>> first = new ArrayList<>();
      line.set(FaultProxy.Fault.SILENT);
      for (int i = 0; i < PushGatherer.MOST_REQUESTS; i++) {
        first.add(queue.partition("first").pushAsync(i));
      }
      Awaitility.await().atMost(PATIENCE).until(() -> line.hits() >= PushGatherer.MOST_REQUESTS);

      Map<Integer, CompletableFuture<PushResult>> good = new LinkedHashMap<>();
      List<CompletableFuture<PushResult>> bad = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        if (i % 30 == 20) {
          bad.add(queue.partition(" ").pushAsync(i));
        } else {
          good.put(i, queue.partition("p" + i % 3).pushAsync(i));
        }
      }
      line.set(FaultProxy.Fault.NONE);
      line.cut();

      assertThat(first).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
      assertThat(good.values()).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
      assertThat(bad)
          .hasSize(3)
          .allSatisfy(
              each ->
                  assertThat(each)
                      .failsWithin(PATIENCE)
                      .withThrowableThat()
                      .withCauseInstanceOf(RejectedException.class));
      for (int lane = 0; lane < 3; lane++) {
        int own = lane;
        List<Message<Integer>> stored =
            queue.partition("p" + lane).pop(Integer.class, PopOptions.batch(200));
        assertThat(stored)
            .extracting(Message::payload)
            .isEqualTo(good.keySet().stream().filter(i -> i % 3 == own).toList());
        assertThat(stored)
            .allSatisfy(
                message ->
                    assertThat(good.get(message.payload()))
                        .isCompletedWithValueMatching(
                            result ->
                                message.id().equals(result.messageId())
                                    && message.transactionId().equals(result.transactionId())));
      }
    }
  }
}
