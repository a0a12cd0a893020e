package dev.queenmq.server.sidecar;

import static dev.queenmq.server.testing.Await.await;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.LocalBroker;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The requirements of waiting polls, line by line, and what else wakes them. */
@ExtendWith(PostgresExtension.class)
class WaitingPollsIT {
  /** Longer than any test waits for an answer: a poll that is answered in a test was woken. */
  private static final Duration LONG = Duration.ofMinutes(10);

  /** As usual, but five times as fast. */
  private static final BackoffRules FAST = new BackoffRules(20, 3, 2.0, 200);

  /** No look at the database within a test: whatever answers a poll then is an event. */
  private static final BackoffRules RARE =
      new BackoffRules(3_600_000, 3, 2.0, 3_600_000, 3_600_000);

  @Test
  void singleNodeMode_noUdp_notificationsStillWorkLocally(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      Poll poll = broker.poll("q", "g", LONG);
      broker.awaitWaiting(1);

      broker.push("q", "p", "a");

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  @Test
  void anotherBrokersPush_isSeenWithinTheBackOffCeiling(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(FAST));
        LocalBroker other = broker.another()) {
      Poll poll = broker.poll("q", "g", LONG);
      awaitBackedOff(broker);

      other.push("q", "p", "a");

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  @Test
  void anotherBrokersAck_freesThePartitionWithinTheBackOffCeiling(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(FAST));
        LocalBroker other = broker.another()) {
      broker.push("q", "p", LocalBroker.numbered("m", 20));
      Polled held = other.popNow("q", "g");
      Poll poll = broker.poll("q", "g", LONG);
      awaitBackedOff(broker);

      other.ack(held, AckStatus.COMPLETED);

      assertThat(await(poll.answer()).batches()).hasSize(1);
    }
  }

  @Test
  void anotherBrokersAck_freesTheNamedPartitionWithinTheBackOffCeiling(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(FAST));
        LocalBroker other = broker.another()) {
      broker.push("q", "p", LocalBroker.numbered("m", 20));
      Polled held = other.popNow("q", "g");
      Poll poll = broker.poll(new PollTarget.Partition("q", "p"), "g", 10, LONG);
      awaitBackedOff(broker);

      other.ack(held, AckStatus.COMPLETED);

      assertThat(await(poll.answer()).batches()).hasSize(1);
    }
  }

  @Test
  void backoff_increasesAfterConsecutiveEmptyResults(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(FAST))) {
      broker.poll("q", "g", LONG);

      awaitBackedOff(broker);

      assertThat(broker.figures().backedOffGroups()).isEqualTo(1);
    }
  }

  @Test
  void backoff_resetsOnPushNotification(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(FAST))) {
      // A group that finds nothing for itself, but is told of the push.
      broker.push("q", "p", "a");
      broker.ack(broker.popNow("q", "g"), AckStatus.COMPLETED);
      broker.poll("q", "g", LONG);
      broker.poll("q", "g", LONG);
      awaitBackedOff(broker);

      broker.push("q", "p", "b");

      Awaitility.await()
          .pollInterval(Duration.ofMillis(10))
          .until(() -> broker.figures().averageBackoffMillis() < FAST.maxMillis());
    }
  }

  @Test
  void groupLocking_preventsDuplicateQueries(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      await(broker.poll("q", "g", Duration.ofMillis(50)).answer());
      List<Poll> polls = new ArrayList<>();
      for (int i = 0; i < 500; i++) {
        polls.add(broker.poll("q", "g", LONG));
      }
      broker.awaitWaiting(500);
      long before = broker.calls("pop");

      broker.push("q", "p", "a");
      Awaitility.await().until(() -> polls.stream().anyMatch(poll -> poll.answer().isComplete()));
      // The next one is asked for after whatever the push has set off.
      assertThat(broker.popNow("q", "other").batches()).hasSize(1);

      // One to take it, one more at most for what came in between, and that of the other group.
      assertThat(broker.calls("pop") - before).isBetween(2L, 3L);
      assertThat(polls.stream().filter(poll -> poll.answer().isComplete())).hasSize(1);
      polls.forEach(Poll::cancel);
    }
  }

  @Test
  void timeout_firesCorrectly_emptyResponseAtDeadline(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      await(broker.poll("q", "g", Duration.ofMillis(10)).answer());
      for (int millis : new int[] {1, 100, 700}) {
        long asked = System.nanoTime();

        Polled polled = await(broker.poll("q", "g", Duration.ofMillis(millis)).answer());

        assertThat(polled.nothing()).isEqualTo(Polled.EmptyReason.TIMED_OUT);
        assertThat(since(asked)).isGreaterThanOrEqualTo(Duration.ofMillis(millis));
      }
    }
  }

  @Test
  void earlyReturn_whenMessagesFound(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      broker.push("q", "p", "a");

      Polled polled = await(broker.poll("q", "g", LONG).answer());

      assertThat(LocalBroker.transactionIds(polled)).containsExactly("a");
    }
  }

  @Test
  void consumerGroup_isolation(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      Poll one = broker.poll("q", "one", LONG);
      Poll two = broker.poll("q", "two", LONG);
      Poll queueMode = broker.poll("q", LocalBroker.QUEUE_MODE, LONG);
      broker.awaitWaiting(3);

      broker.push("q", "p", "a");

      for (Poll poll : List.of(one, two, queueMode)) {
        assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
      }
    }
  }

  @Test
  void partitionSpecific_longPolling(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      Poll one = broker.poll(new PollTarget.Partition("q", "one"), "g", 1, LONG);
      Poll two = broker.poll(new PollTarget.Partition("q", "two"), "g", 1, LONG);
      broker.awaitWaiting(2);

      broker.push("q", "two", "b");

      assertThat(LocalBroker.transactionIds(await(two.answer()))).containsExactly("b");
      // Another wake-up, after which the first has had its time.
      broker.push("q", "two", "c");
      Poll next = broker.poll(new PollTarget.Partition("q", "two"), "other", 2, LONG);
      assertThat(LocalBroker.transactionIds(await(next.answer()))).containsExactly("b", "c");
      assertThat(one.answer().isComplete()).isFalse();
      broker.push("q", "one", "a");
      assertThat(LocalBroker.transactionIds(await(one.answer()))).containsExactly("a");
    }
  }

  @Test
  void mixed_waitTrueAndWaitFalseRequests(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      Poll waits = broker.poll("q", "g", LONG);
      assertThat(broker.popNow("q", "g").nothing())
          .isEqualTo(Polled.EmptyReason.NO_AVAILABLE_PARTITION);
      assertThat(waits.answer().isComplete()).isFalse();

      broker.push("q", "p1", "a");
      assertThat(LocalBroker.transactionIds(await(waits.answer()))).containsExactly("a");
      broker.push("q", "p2", "b");

      assertThat(LocalBroker.transactionIds(broker.popNow("q", "g"))).containsExactly("b");
    }
  }

  @Test
  void highConcurrency_manyConsumersWaiting_shareFairly(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      List<Poll> polls = new ArrayList<>();
      for (int i = 0; i < 2000; i++) {
        polls.add(broker.poll("q", "g", LONG));
      }
      broker.awaitWaiting(2000);
      Set<String> ids = Arrays.stream(LocalBroker.numbered("m", 1000)).collect(toSet());

      for (String id : ids) {
        broker.broker().push(List.of(broker.message("q", "partition-" + id, id)));
      }

      // First come, first served: one partition each, the other half waits on.
      for (Poll poll : polls.subList(0, 1000)) {
        List<String> got = LocalBroker.transactionIds(await(poll.answer()));
        assertThat(got).hasSize(1);
        assertThat(ids.removeAll(got)).isTrue();
      }
      assertThat(ids).isEmpty();
      assertThat(polls.subList(1000, 2000)).noneMatch(poll -> poll.answer().isComplete());
      polls.forEach(Poll::cancel);
    }
  }

  @Test
  void serverRestart_waitersOfANewBrokerAreWoken(TestDatabase database) {
    LocalBroker.start(database).close();
    try (LocalBroker broker = LocalBroker.start(database)) {
      Poll poll = broker.poll("q", "g", LONG);
      broker.awaitWaiting(1);
      broker.push("q", "p", "a");

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  @Test
  void ack_thatFreesThePartition_wakes(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      broker.push("q", "p", LocalBroker.numbered("m", 20));
      Polled first = broker.popNow("q", "g");
      Poll next = broker.poll("q", "g", LONG);
      Poll named = broker.poll(new PollTarget.Partition("q", "p"), "other", 20, LONG);
      assertThat(await(named.answer()).batches()).hasSize(1);
      broker.awaitWaiting(1);
      assertThat(next.answer().isComplete()).isFalse();

      broker.ack(first, AckStatus.COMPLETED);

      assertThat(LocalBroker.transactionIds(await(next.answer()))).hasSize(10).startsWith("m10");
    }
  }

  @Test
  void failedAck_bringsTheMessageBack_andWakes(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      broker.push("q", "p", "a");
      Polled first = broker.popNow("q", "g");
      Poll next = broker.poll("q", "g", LONG);
      broker.awaitWaiting(1);

      broker.ack(first, AckStatus.FAILED);

      assertThat(LocalBroker.transactionIds(await(next.answer()))).containsExactly("a");
    }
  }

  @Test
  void expiredLease_wakes_whenItEnds(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      broker.configure("q", new JsonObject().put("leaseTime", 1));
      broker.push("q", "p", "a");
      long leased = System.nanoTime();
      broker.popNow("q", "g");

      Polled again = await(broker.poll("q", "g", LONG).answer());

      assertThat(LocalBroker.transactionIds(again)).containsExactly("a");
      assertThat(since(leased)).isGreaterThanOrEqualTo(Duration.ofMillis(900));
    }
  }

  @Test
  void delayedMessageAndWindow_wake_whenTheyFallDue(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      broker.configure("delayed", new JsonObject().put("delayedProcessing", 1));
      broker.configure("window", new JsonObject().put("windowBuffer", 1));
      Poll delayed = broker.poll("delayed", "g", LONG);
      Poll window = broker.poll(new PollTarget.Partition("window", "p"), "g", 1, LONG);
      broker.awaitWaiting(2);
      long pushed = System.nanoTime();
      broker.push("delayed", "p", "a");
      broker.push("window", "p", "b");

      assertThat(LocalBroker.transactionIds(await(delayed.answer()))).containsExactly("a");
      assertThat(since(pushed)).isGreaterThanOrEqualTo(Duration.ofMillis(950));
      assertThat(LocalBroker.transactionIds(await(window.answer()))).containsExactly("b");
      assertThat(since(pushed)).isGreaterThanOrEqualTo(Duration.ofMillis(950));
    }
  }

  @Test
  void cancelledPoll_givesBackWhatWasLeasedForIt(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database)) {
      for (int i = 0; i < 30; i++) {
        Poll gone = broker.poll("q", "g", LONG);
        broker.broker().push(List.of(broker.message("q", "p", "m" + i)));
        pause(i % 7);
        gone.cancel();
        // It may have been answered before, or never will be: nothing is stuck in between.
        Polled got = await(gone.answer());
        if (got.batches().isEmpty()) {
          got = await(broker.poll("q", "g", LONG).answer());
        }
        assertThat(LocalBroker.transactionIds(got)).containsExactly("m" + i);
        broker.ack(got, AckStatus.COMPLETED);
      }
    }
  }

  @Test
  void labelPoll_isWokenByAnyOfItsQueues_evenOneThatIsNew(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      PollTarget billing = new PollTarget.Label(Optional.of("billing"), Optional.empty());
      Poll poll = broker.poll(billing, "g", 10, LONG);
      broker.awaitWaiting(1);
      broker.push("other.queue", "p", "x");
      broker.push("billing.invoices", "p", "a");
      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");

      Poll next = broker.poll(billing, "g", 10, LONG);
      broker.awaitWaiting(1);
      broker.push("billing.invoices", "p2", "b");
      assertThat(LocalBroker.transactionIds(await(next.answer()))).containsExactly("b");
    }
  }

  @Test
  void stop_answersWaitingPollsEmpty(TestDatabase database) {
    LocalBroker broker = LocalBroker.start(database);
    Poll poll = broker.poll("q", "g", LONG);
    broker.awaitWaiting(1);

    broker.close();

    assertThat(await(poll.answer()).nothing()).isEqualTo(Polled.EmptyReason.TIMED_OUT);
  }

  private static void awaitBackedOff(LocalBroker broker) {
    Awaitility.await().until(() -> broker.figures().averageBackoffMillis() == FAST.maxMillis());
  }

  private static Duration since(long nanos) {
    return Duration.ofNanos(System.nanoTime() - nanos);
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
