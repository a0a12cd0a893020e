package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.testing.BrokerExtension;
import dev.queenmq.client.testing.FaultProxy;
import dev.queenmq.client.testing.TestBroker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
        lanes.add(pushAll(client.queue(name).partition("p" + lane), 0));
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
        assertThat(
                client
                    .queue(name)
                    .partition("p" + lane)
                    .pop(Integer.class, PopOptions.batch(2 * EACH)))
            .extracting(Message::payload)
            .isEqualTo(IntStream.range(0, EACH).boxed().toList());
      }
    }
  }

  /** One after the other, as a thread would that waits for each. */
  private static CompletableFuture<Void> pushAll(QueueRef lane, int next) {
    return next == EACH
        ? CompletableFuture.completedFuture(null)
        : lane.pushAsync(next).thenCompose(pushed -> pushAll(lane, next + 1));
  }

  @Test
  void aPushThatTheBrokerRefuses_failsAlone(TestBroker broker) {
    try (QueenClient client = broker.client()) {
      List<CompletableFuture<PushResult>> good = new ArrayList<>();
      List<CompletableFuture<PushResult>> bad = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        if (i % 30 == 20) {
          bad.add(client.queue(name).partition(" ").pushAsync(i));
        } else {
          good.add(client.queue(name).partition("p" + i).pushAsync(i));
        }
      }

      assertThat(good).allSatisfy(each -> assertThat(each).succeedsWithin(PATIENCE));
      assertThat(bad)
          .hasSize(3)
          .allSatisfy(
              each ->
                  assertThat(each)
                      .failsWithin(PATIENCE)
                      .withThrowableThat()
                      .withCauseInstanceOf(RejectedException.class));
      assertThat(client.queue(name).pop(Integer.class, PopOptions.batch(200).partitions(200)))
          .hasSize(97);
    }
  }
}
