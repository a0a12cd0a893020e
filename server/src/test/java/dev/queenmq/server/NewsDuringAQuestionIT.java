package dev.queenmq.server;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sidecar.Poll;
import dev.queenmq.server.sidecar.PollTarget;
import dev.queenmq.server.sidecar.Polled;
import dev.queenmq.server.store.Verdict;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.SlowPops;
import dev.queenmq.server.testing.TestDatabase;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The store has found nothing for a poll, and while its answer is on the way something comes: the
 * answer is older than the news, and must not outlive them.
 */
@ExtendWith(PostgresExtension.class)
class NewsDuringAQuestionIT {
  private static final Duration LONG = Duration.ofSeconds(20);
  private static final Duration AT_ONCE = Duration.ofMillis(500);

  @Test
  void push_whileTheStoreAnswersEmpty_isDeliveredAtOnce(TestDatabase database) {
    assertDelivered(database, new PollTarget.Queue("q"), 0);
  }

  @Test
  void push_whileTheStoreAnswersEmptyForTheNamedPartition_isDeliveredAtOnce(TestDatabase database) {
    assertDelivered(database, new PollTarget.Partition("q", "p"), 1);
  }

  /** For a poll that asks the store so often before it waits. */
  private static void assertDelivered(TestDatabase database, PollTarget target, int before) {
    try (LocalBroker broker = LocalBroker.start(database);
        SlowPops pops = new SlowPops(database)) {
      broker.push("q", "p", "dead");
      Polled held = broker.popNow("q", "g");
      assertThat(LocalBroker.transactionIds(held)).containsExactly("dead");
      long calls = broker.calls("pop");
      Poll poll = broker.poll(target, "g", 10, LONG);
      Awaitility.await().until(() -> broker.calls("pop") == calls + before);

      // The lease ends, so the store is asked for the partition; but nothing is left in it.
      pops.hold();
      broker.ack(held, Verdict.DLQ);
      pops.awaitHeld();
      broker.push("q", "p", "news");
      assertThat(poll.answer().isComplete()).isFalse();
      long answered = System.nanoTime();
      pops.letGo();

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("news");
      assertThat(Duration.ofNanos(System.nanoTime() - answered)).isLessThan(AT_ONCE);
    }
  }
}
