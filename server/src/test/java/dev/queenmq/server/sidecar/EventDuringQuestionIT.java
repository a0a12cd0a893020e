package dev.queenmq.server.sidecar;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.LocalBroker;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.SlowAnswers;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The store has found nothing for a poll, and while its answer is on the way something comes: the
 * answer is older than the news, and must not outlive them.
 */
@ExtendWith(PostgresExtension.class)
class EventDuringQuestionIT {
  /** Longer than any test waits for an answer: a poll that is answered in a test was woken. */
  private static final Duration LONG = Duration.ofMinutes(10);

  /** No look within a test. */
  private static final BackoffRules RARE_LOOKS =
      new BackoffRules(3_600_000, 3, 2.0, 3_600_000, 3_600_000);

  @Test
  void push_whileTheStoreAnswersEmpty_isDeliveredAtOnce(TestDatabase database) {
    assertDelivered(database, new PollTarget.Queue("q"), 0);
  }

  @Test
  void push_whileTheStoreAnswersEmptyForTheNamedPartition_isDeliveredAtOnce(TestDatabase database) {
    assertDelivered(database, new PollTarget.Partition("q", "p"), 1);
  }

  @Test
  void endOfALease_whileTheStoreLooksAtTheWholeQueue_isNotForgotten(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS));
        SlowAnswers looks = new SlowAnswers(database, "reconcile_v1")) {
      broker.push("q", "p", "first");
      Polled held = broker.popNow("q", "g");
      Poll poll = broker.poll("q", "g", LONG);

      // The queue changes, so the store is asked for all of it; and sees the lease.
      looks.hold();
      broker.configure("q", new JsonObject().put("priority", 1));
      looks.awaitHeld();
      broker.ack(held, AckStatus.COMPLETED);
      looks.letGo();
      broker.push("q", "p", "second");

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("second");
    }
  }

  /** For a poll that asks the store so often before it waits. */
  private static void assertDelivered(TestDatabase database, PollTarget target, int before) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS));
        SlowAnswers pops = new SlowAnswers(database, "pop_v1")) {
      broker.push("q", "p", "dead");
      // Then pops are carried out by the procedure, whose answers can be held back.
      database.query("update queen.queues set pauses = '{\"other\": {}}' where name = 'q'");
      Polled held = broker.popNow("q", "g");
      assertThat(LocalBroker.transactionIds(held)).containsExactly("dead");
      long calls = broker.calls("pop");
      Poll poll = broker.poll(target, "g", 10, LONG);
      // Answered as well: a question that is held back would keep the ack waiting for its lock.
      Awaitility.await().until(() -> broker.calls("pop") == calls + before && broker.isIdle());

      // The lease ends, so the store is asked for the partition; but nothing is left in it.
      pops.hold();
      broker.ack(held, AckStatus.DLQ);
      pops.awaitHeld();
      broker.push("q", "p", "news");
      assertThat(poll.answer().isComplete()).isFalse();
      pops.letGo();

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("news");
    }
  }
}
