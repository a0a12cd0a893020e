package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.LocalBroker;
import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.io.IOException;
import java.net.DatagramSocket;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Polls that wait while their group is moved: what they may get now wakes them. */
@ExtendWith(PostgresExtension.class)
class MovedGroupsIT {
  /** Longer than any test waits for an answer: a poll that is answered in a test was woken. */
  private static final Duration LONG = Duration.ofMinutes(10);

  /** No look within a test. */
  private static final BackoffRules RARE_LOOKS =
      new BackoffRules(3_600_000, 3, 2.0, 3_600_000, 3_600_000);

  private static final BackoffRules FREQUENT_LOOKS = new BackoffRules(20, 3, 2.0, 200);
  private static final Seek TO_START =
      new Seek("q", Optional.empty(), "g", new Seek.Position.After(Instant.EPOCH));

  @Test
  void seekBackwards_wakesAWaitingPoll(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS))) {
      consumeOne(broker);
      Poll poll = broker.poll("q", "g", LONG);
      Poll other = broker.poll("q", "other", LONG);
      assertThat(LocalBroker.transactionIds(await(other.answer()))).containsExactly("a");
      broker.awaitWaiting(1);

      await(broker.broker().seek(TO_START));

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  @Test
  void seekBackwards_wakesAPollOfTheNamedPartition(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS))) {
      consumeOne(broker);
      Poll poll = broker.poll(new PollTarget.Partition("q", "p"), "g", 10, LONG);
      broker.awaitWaiting(1);

      await(broker.broker().seek(TO_START));

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  @Test
  void seek_freesWhatAnotherConsumerHeld(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS))) {
      broker.push("q", "p", "a");
      broker.popNow("q", "g");
      Poll poll = broker.poll("q", "g", LONG);
      broker.awaitWaiting(1);

      await(broker.broker().seek(TO_START));

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  /** A lease that a seek has ended must not keep what comes next from those who wait. */
  @Test
  void seekToTheEnd_forgetsTheLease_soThatTheNextPushWakes(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS))) {
      broker.push("q", "p", "a");
      broker.popNow("q", "g");
      Poll poll = broker.poll("q", "g", LONG);
      broker.awaitWaiting(1);
      await(broker.broker().seek(new Seek("q", Optional.empty(), "g", new Seek.Position.End())));

      broker.push("q", "p", "b");

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("b");
    }
  }

  @Test
  void deletedGroup_wakesAWaitingPoll_andSubscribesAnew(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS))) {
      consumeOne(broker);
      Poll poll = broker.poll("q", "g", LONG);
      broker.awaitWaiting(1);

      await(broker.broker().deleteGroup(new GroupDeletion("g", Optional.empty(), true)));

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
      assertThat(database.value("select mode from queen.subscriptions where consumer_group = 'g'"))
          .isEqualTo("all");
    }
  }

  @Test
  void movedSubscription_wakesAWaitingPoll(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(RARE_LOOKS))) {
      Poll poll = broker.poll("q", "g", LONG);
      broker.awaitWaiting(1);
      Awaitility.await()
          .until(
              () ->
                  database
                      .value("select count(*) from queen.subscriptions where consumer_group = 'g'")
                      .equals(1L));
      database.query(
          "update queen.subscriptions set mode = 'timestamp', started_at = now() + interval '1 h'");
      broker.push("q", "p", "a");
      // The poll is woken, and finds that its group begins after this message.
      Awaitility.await()
          .until(
              () ->
                  database
                      .value("select count(*) from queen.cursors where consumer_group = 'g'")
                      .equals(1L));
      assertThat(poll.answer().isComplete()).isFalse();

      // On a busy machine the poll may still be at work, and make the cursor again before the move.
      Awaitility.await()
          .pollInterval(Duration.ofSeconds(2))
          .until(
              () -> {
                if (!poll.answer().isComplete()) {
                  database.query("delete from queen.cursors");
                  await(broker.broker().moveSubscription(new SubscriptionMove("g", Instant.EPOCH)));
                }
                return poll.answer().isComplete();
              });

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  /** No broker tells the other anything: the tail does. */
  @Test
  void anotherBrokersSeek_isSeenWithinTheBackOffCeiling(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(FREQUENT_LOOKS));
        LocalBroker other = broker.another()) {
      consumeOne(broker);
      Poll poll = broker.poll("q", "g", LONG);
      awaitBackedOff(broker);

      await(other.broker().seek(TO_START));

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  @Test
  void anotherBrokersDeletion_isSeenWithinTheBackOffCeiling(TestDatabase database) {
    try (LocalBroker broker = LocalBroker.start(database, LocalBroker.limits(FREQUENT_LOOKS));
        LocalBroker other = broker.another()) {
      consumeOne(broker);
      Poll poll = broker.poll("q", "g", LONG);
      awaitBackedOff(broker);

      await(other.broker().deleteGroup(new GroupDeletion("g", Optional.of("q"), false)));

      assertThat(LocalBroker.transactionIds(await(poll.answer()))).containsExactly("a");
    }
  }

  /** With a back-off of hours: only a packet of another broker can have woken it. */
  @Test
  void brokersInTouch_wakeEachOthersPolls(TestDatabase database) throws Exception {
    int[] ports = {freeUdpPort(), freeUdpPort()};
    String peers = "127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1];
    try (RunningServer one = clustered(database, peers, ports[0]);
        RunningServer two = clustered(database, peers, ports[1])) {
      one.push(item("q", "p", "a"));
      one.pop("q", "consumerGroup=g&autoAck=true");
      two.pop("q", "consumerGroup=g");
      CompletableFuture<Answer> poll =
          two.popLater("q", "consumerGroup=g&wait=true&timeout=120000");
      Awaitility.await()
          .until(() -> two.get("/metrics/prometheus").body().contains("queen_waiting_polls 1"));

      one.post(
          "/api/v1/consumer-groups/g/queues/q/seek", "{\"timestamp\":\"2020-01-01T00:00:00Z\"}");

      assertThat(poll.get(60, TimeUnit.SECONDS).transactionIds()).containsExactly("a");
    }
  }

  private static RunningServer clustered(TestDatabase database, String peers, int port) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "QUEEN_UDP_PEERS",
            peers,
            "QUEEN_UDP_NOTIFY_PORT",
            String.valueOf(port),
            "QUEEN_SYNC_SECRET",
            "5ca1ab1e".repeat(8),
            "POP_WAIT_INITIAL_INTERVAL_MS",
            "600000",
            "POP_WAIT_MAX_INTERVAL_MS",
            "600000"));
  }

  private static int freeUdpPort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static void consumeOne(LocalBroker broker) {
    broker.push("q", "p", "a");
    Polled first = broker.popNow("q", "g");
    broker.ack(first, AckStatus.COMPLETED);
  }

  private static void awaitBackedOff(LocalBroker broker) {
    Awaitility.await()
        .until(() -> broker.figures().averageBackoffMillis() == FREQUENT_LOOKS.maxMillis());
  }
}
