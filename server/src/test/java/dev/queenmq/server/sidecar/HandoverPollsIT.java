package dev.queenmq.server.sidecar;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.LocalBroker;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Pushes serve the polls that wait for them, and nothing is lost or held up where they cannot. */
@ExtendWith(PostgresExtension.class)
class HandoverPollsIT {
  private static final Duration LONG = Duration.ofMinutes(10);

  /** No look at the database within a test: whatever answers a poll then is an event. */
  private static final BackoffRules RARE =
      new BackoffRules(3_600_000, 3, 2.0, 3_600_000, 3_600_000);

  /** The broker knows the partition, and the groups have done all that is in it. */
  private static void prepare(LocalBroker broker, String partition, String... groups) {
    broker.push("q", partition, "first-" + partition);
    for (String group : groups) {
      Polled first = await(broker.poll("q", group, LONG).answer());
      assertThat(LocalBroker.transactionIds(first)).containsExactly("first-" + partition);
      broker.ack(first, AckStatus.COMPLETED);
    }
  }

  private static void awaitWaiting(LocalBroker broker, int polls) {
    broker.awaitWaiting(polls);
    Awaitility.await().until(broker::isIdle);
  }

  @Test
  void pollThatWaits_isServedByThePush(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      prepare(broker, "p", "g");
      long before = broker.calls("pop");
      for (int i = 0; i < 20; i++) {
        Poll poll = broker.poll("q", "g", LONG);
        awaitWaiting(broker, 1);

        broker.push("q", "p", "m" + i, "n" + i);

        Polled got = await(poll.answer());
        assertThat(LocalBroker.transactionIds(got)).containsExactly("m" + i, "n" + i);
        broker.ack(got, AckStatus.COMPLETED);
      }
      Poll last = broker.poll("q", "g", LONG);
      awaitWaiting(broker, 1);
      // Nor did a push, an ack or a new poll cause one; but a push that takes long is not waited
      // for.
      assertThat(broker.calls("pop")).isLessThan(before + 10);
      assertThat(broker.items("pop")).isEqualTo(1 + 2 * 20);
      last.cancel();
    }
  }

  @Test
  void otherGroups_getTheMessageAsWell(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      List<String> groups = List.of("one", "two", "three");
      prepare(broker, "p", groups.toArray(String[]::new));
      for (int i = 0; i < 10; i++) {
        List<Poll> polls = groups.stream().map(group -> broker.poll("q", group, LONG)).toList();
        awaitWaiting(broker, groups.size());

        broker.push("q", "p", "m" + i);

        for (Poll poll : polls) {
          Polled got = await(poll.answer());
          assertThat(LocalBroker.transactionIds(got)).containsExactly("m" + i);
          broker.ack(got, AckStatus.COMPLETED);
        }
      }
    }
  }

  /** What a poll leaves is there for the next one as soon as the first part is done. */
  @Test
  void restOfAPush_followsTheAck(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      prepare(broker, "p", "g");
      Poll poll = broker.poll("q", "g", LONG);
      awaitWaiting(broker, 1);

      broker.push("q", "p", LocalBroker.numbered("m", 25));

      List<String> got = new ArrayList<>();
      while (got.size() < 25) {
        Polled part = await(poll.answer());
        got.addAll(LocalBroker.transactionIds(part));
        broker.ack(part, AckStatus.COMPLETED);
        poll = broker.poll("q", "g", LONG);
      }
      assertThat(got).containsExactly(LocalBroker.numbered("m", 25));
      poll.cancel();
    }
  }

  /** Messages of other partitions are not held up by the one that the poll was claimed for. */
  @Test
  void pushThatWaitsForALock_letsItsPollGo(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      prepare(broker, "slow", "g");
      prepare(broker, "p", "g");
      PgConnection holder = database.connect();
      await(holder.query("begin").execute());
      await(holder.query("select from queen.partitions where name = 'slow' for update").execute());
      Poll poll = broker.poll("q", "g", LONG);
      awaitWaiting(broker, 1);
      List<Message> held = List.of(broker.message("q", "slow", "held"));
      Future<List<PushOutcome>> slow = broker.broker().push(held);

      broker.push("q", "p", "free");

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("free");
      assertThat(slow.isComplete()).isFalse();
      Poll next = broker.poll("q", "g", LONG);
      await(holder.query("rollback").execute());
      await(holder.close());
      assertThat(await(slow)).hasOnlyElementsOfType(PushOutcome.Queued.class);
      assertThat(LocalBroker.transactionIds(await(next.answer()))).containsExactly("held");
    }
  }

  /** Its poll may be claimed when it ends: what is leased for it nevertheless comes to the next. */
  @Test
  void pollThatEnds_leavesNothingLeased(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE))) {
      prepare(broker, "p", "g");
      int servedAtOnce = 0;
      for (int i = 0; i < 200; i++) {
        Poll gone = broker.poll("q", "g", LONG);
        Future<List<PushOutcome>> pushed =
            broker.broker().push(List.of(broker.message("q", "p", "m" + i)));
        if (i % 2 == 0) {
          await(pushed);
        }
        gone.cancel();
        Polled got = await(gone.answer());
        if (got.batches().isEmpty()) {
          got = await(broker.poll("q", "g", LONG).answer());
        } else {
          servedAtOnce++;
        }
        assertThat(LocalBroker.transactionIds(got)).containsExactly("m" + i);
        broker.ack(got, AckStatus.COMPLETED);
      }
      assertThat(servedAtOnce).isPositive();
    }
  }

  /** Each of them appends and acks where the other has just done so. */
  @Test
  void twoBrokers_keepOrderAndLoseNothing(TestDatabase database) {
    try (LocalBroker one = LocalBroker.start(database);
        LocalBroker two = one.another()) {
      prepare(one, "p", "g");
      List<LocalBroker> brokers = List.of(one, two);
      List<String> got = new ArrayList<>();
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        Poll poll = brokers.get(i / 3 % 2).poll("q", "g", LONG);
        brokers.get(i / 7 % 2).push("q", "p", "m" + i);
        sent.add("m" + i);
        Polled part = await(poll.answer());
        got.addAll(LocalBroker.transactionIds(part));
        brokers.get(i / 2 % 2).ack(part, AckStatus.COMPLETED);
      }
      assertThat(got).isEqualTo(sent);
    }
  }
}
