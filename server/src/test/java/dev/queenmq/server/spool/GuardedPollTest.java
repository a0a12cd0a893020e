package dev.queenmq.server.spool;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.Subscription;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GuardedPollTest {
  private final Vertx vertx = Vertx.vertx();
  private final DatabaseWatch watch =
      new DatabaseWatch(vertx, () -> Future.failedFuture("gone"), System::nanoTime);
  private final Deadlines deadlines = new Deadlines(vertx, Duration.ofMillis(10), System::nanoTime);

  @AfterEach
  void stop() {
    watch.stop();
    deadlines.stop();
    await(vertx.close());
  }

  @Test
  void leaseThatComesAfterThePollWasGivenUp_isGivenBack() {
    Promise<Polled> asked = Promise.promise();
    List<Polled> back = new ArrayList<>();
    watch.doubt();
    GuardedPoll guarded =
        new GuardedPoll(
            watch,
            deadlines,
            new PollRequest(
                new PollTarget.Queue("q"), "g", 1, 1, false, new Subscription.All(), Duration.ZERO),
            new Poll() {
              @Override
              public Future<Polled> answer() {
                return asked.future();
              }

              @Override
              public void cancel() {
                // Too late: it is answered.
              }
            },
            System::nanoTime,
            back::add);
    assertThat(await(guarded.answer()).batches()).isEmpty();

    Polled late =
        new Polled(
            "g",
            List.of(
                new PartitionBatch(
                    "q",
                    "p",
                    UUID.randomUUID(),
                    Optional.of(new Lease(UUID.randomUUID(), Instant.EPOCH)),
                    0,
                    List.of())),
            Polled.EmptyReason.NONE);
    asked.complete(late);

    assertThat(back).containsExactly(late);
  }
}
