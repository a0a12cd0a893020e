package dev.queenmq.server;

import static dev.queenmq.server.LocalBroker.transactionIds;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Brokers that tell each other nothing, and clients that send each request to any of them. No look
 * at the tail falls due within a test: what is right here is right by asking PostgreSQL.
 */
@ExtendWith(PostgresExtension.class)
class SeveralBrokersIT {
  private static final BackoffRules RARE_LOOKS =
      new BackoffRules(3_600_000, 3, 2.0, 3_600_000, 3_600_000);

  /** Looks fall due only because other brokers are up. */
  private static final BackoffRules CLOSE_LOOKS =
      new BackoffRules(3_600_000, 3, 2.0, 3_600_000, 50);

  /** Queues of both event loops. */
  private static final List<String> QUEUES = List.of("q0", "q1", "q2", "q3");

  @Test
  void ackElsewhere_isSeenByAPollThatDoesNotWait(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = quiet(database)) {
      for (String queue : QUEUES) {
        a.push(queue, "p", "first");
        Polled held = a.popNow(queue, "g");
        assertThat(transactionIds(held)).containsExactly("first");

        b.ack(held, AckStatus.COMPLETED);
        a.push(queue, "p", "second");

        assertThat(transactionIds(a.popNow(queue, "g"))).containsExactly("second");
      }
    }
  }

  @Test
  void leaseElsewhere_thatHasEnded_isSeenByAPollThatDoesNotWait(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = quiet(database)) {
      for (String queue : QUEUES) {
        a.push(queue, "p", "first", "second");
        Polled held = await(a.poll(new PollTarget.Queue(queue), "g", 1, Duration.ZERO).answer());
        assertThat(transactionIds(b.popNow(queue, "g"))).isEmpty();

        a.ack(held, AckStatus.COMPLETED);

        assertThat(transactionIds(b.popNow(queue, "g"))).containsExactly("second");
      }
    }
  }

  @Test
  void leaseElsewhere_thatHasEnded_isSeenByAPollForANamedPartition(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = quiet(database)) {
      a.push("q", "p", "first", "second");
      PollTarget named = new PollTarget.Partition("q", "p");
      Polled held = await(a.poll(named, "g", 1, Duration.ZERO).answer());
      assertThat(transactionIds(await(b.poll(named, "g", 1, Duration.ZERO).answer()))).isEmpty();

      a.ack(held, AckStatus.COMPLETED);

      assertThat(transactionIds(await(b.poll(named, "g", 1, Duration.ZERO).answer())))
          .containsExactly("second");
    }
  }

  @Test
  void leaseElsewhere_thatHasEnded_isSeenByAPollForALabel(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = quiet(database)) {
      a.configure("q", new JsonObject());
      a.push("q", "p", "first", "second");
      database.query("update queen.queues set namespace = 'n' where name = 'q'");
      PollTarget label = new PollTarget.Label(Optional.of("n"), Optional.empty());
      Polled held = await(a.poll("q", "g", Duration.ZERO).answer());
      assertThat(transactionIds(await(b.poll(label, "g", 1, Duration.ZERO).answer()))).isEmpty();

      a.ack(held, AckStatus.RETRY);

      assertThat(transactionIds(await(b.poll(label, "g", 1, Duration.ZERO).answer())))
          .containsExactly("first");
    }
  }

  @Test
  void delay_thatWasTakenAwayElsewhere_isSeenByAPollThatDoesNotWait(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = quiet(database)) {
      a.configure("q", new JsonObject().put("delayedProcessing", 3600));
      b.push("q", "p", "first");
      assertThat(transactionIds(b.popNow("q", "g"))).isEmpty();

      a.configure("q", new JsonObject().put("delayedProcessing", 0));

      assertThat(transactionIds(b.popNow("q", "g"))).containsExactly("first");
    }
  }

  @Test
  void consumer_thatAsksEachBrokerInTurn_getsEverythingInOrder(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = quiet(database);
        LocalBroker c = quiet(database)) {
      List<LocalBroker> brokers = List.of(a, b, c);
      String[] ids = LocalBroker.numbered("m", 12);
      a.push("q", "p", ids);
      // Each broker meets the group once; from then on it gets no packets.
      brokers.forEach(broker -> broker.popNow("q", "other"));

      for (int i = 0; i < ids.length; i++) {
        Polled polled =
            await(
                brokers
                    .get(i % 3)
                    .poll(new PollTarget.Queue("q"), "g", 1, Duration.ofMinutes(1))
                    .answer());
        assertThat(transactionIds(polled)).containsExactly(ids[i]);
        brokers.get((i + 1) % 3).ack(polled, AckStatus.COMPLETED);
      }
    }
  }

  @Test
  void pushElsewhere_wakesAPollSoon_thoughNothingWasHeardOfOthersBefore(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = LocalBroker.start(database, LocalBroker.limits(CLOSE_LOOKS))) {
      Poll waits = b.poll("q", "g", Duration.ofMinutes(5));
      b.awaitWaiting(1);

      a.push("q", "p", "first");

      assertThat(transactionIds(await(waits.answer()))).containsExactly("first");
    }
  }

  @Test
  void ackElsewhere_wakesAPollSoon_thoughNothingWasHeardOfOthersBefore(TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = LocalBroker.start(database, LocalBroker.limits(CLOSE_LOOKS))) {
      a.push("q", "p", "first", "second");
      Polled held = await(a.poll(new PollTarget.Queue("q"), "g", 1, Duration.ZERO).answer());
      Poll waits = b.poll("q", "g", Duration.ofMinutes(5));
      b.awaitWaiting(1);

      a.ack(held, AckStatus.COMPLETED);

      assertThat(transactionIds(await(waits.answer()))).containsExactly("second");
    }
  }

  @Test
  void appendElsewhere_isSeenByAPollThatDoesNotWait_thoughPostgresCrashesBetween(
      TestDatabase database) {
    try (LocalBroker a = quiet(database);
        LocalBroker b = quiet(database)) {
      for (String queue : QUEUES) {
        assertThat(transactionIds(a.popNow(queue, "g"))).isEmpty();
        b.push(queue, "p", "first");
      }

      // As after a crash. A broker that asks nothing meanwhile need not notice it otherwise.
      database.query("truncate queen.tail, queen.living_brokers");

      for (String queue : QUEUES) {
        assertThat(transactionIds(a.popNow(queue, "g"))).containsExactly("first");
      }
    }
  }

  @Test
  void brokers_thatEnd_areCountedNoMore(TestDatabase database) {
    try (LocalBroker a = quiet(database)) {
      assertThat(registered(database)).isEqualTo(1);
      try (LocalBroker b = a.another()) {
        assertThat(b.figures().waitingPolls()).isZero();
        assertThat(registered(database)).isEqualTo(2);
      }
      assertThat(registered(database)).isEqualTo(1);
    }
    assertThat(registered(database)).isZero();
  }

  private static long registered(TestDatabase database) {
    return database.query("select count(*) from queen.living_brokers").iterator().next().getLong(0);
  }

  private static LocalBroker quiet(TestDatabase database) {
    return LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS));
  }
}
