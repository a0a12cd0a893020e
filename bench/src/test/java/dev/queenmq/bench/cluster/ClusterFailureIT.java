package dev.queenmq.bench.cluster;

import static dev.queenmq.bench.cluster.Brokers.A;
import static dev.queenmq.bench.cluster.Brokers.B;
import static dev.queenmq.bench.cluster.Brokers.C;
import static dev.queenmq.bench.cluster.Brokers.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.broker.PopMessage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Brokers that are gone, or cannot be heard. */
@ExtendWith(ClusterExtension.class)
@ResourceLock("dev.queenmq.bench.cluster.Brokers")
@Order(1)
class ClusterFailureIT {
  private static final String DEAD = "server_health.servers_dead";
  private static final String RESTARTS = "server_health.restarts_detected";
  private static final String IDS = "partition_id_cache.size";
  private static final String ID_HITS = "partition_id_cache.hits";

  private final Brokers brokers;

  ClusterFailureIT(Brokers brokers) {
    this.brokers = brokers;
  }

  @Test
  @DisplayName(
      "Dead server detection: ~5 seconds (5 missed heartbeats). Server restart: cache repopulates on first access")
  void aKilledBroker_isNoticed_itsMessagesComeAgain_andItComesBack() {
    brokers.configure(A, "survivors", "leaseTime", 2);
    double restarts = brokers.figure(A, RESTARTS);
    double dead = brokers.figure(A, DEAD);
    String unacked = brokers.push(A, "survivors", "p");
    assertThat(Brokers.ids(brokers.pop(C, "survivors/partition/p"))).containsExactly(unacked);
    assertThat(brokers.figure(C, IDS)).isPositive();
    CompletableFuture<List<PopMessage>> elsewhere = brokers.poll(B, "others");

    brokers.member(C).kill();
    long killed = System.nanoTime();

    // What its client had not acked comes again when the lease is over, and nothing else stops.
    CompletableFuture<List<PopMessage>> again = brokers.poll(B, "survivors");
    String id = brokers.push(A, "others", "p");
    assertThat(Brokers.ids(elsewhere)).containsExactly(id);
    assertThat(Brokers.ids(again)).containsExactly(unacked);
    brokers.untilFigure(A, DEAD, dead + 1);
    System.out.printf(
        "a killed broker was noticed after %.1f s%n", (System.nanoTime() - killed) / 1e9);

    brokers.member(C).start();
    assertThat(brokers.figure(C, IDS)).isZero();
    brokers.untilFigure(A, RESTARTS, restarts + 1);
    String first = brokers.push(A, "survivors", "p");
    assertThat(Brokers.ids(brokers.poll(C, "survivors/partition/p"))).containsExactly(first);
    assertThat(brokers.figure(C, IDS)).isEqualTo(1);
    double hits = brokers.figure(C, ID_HITS);
    CompletableFuture<List<PopMessage>> next = brokers.poll(C, "survivors/partition/p");
    brokers.untilFigure(C, ID_HITS, hits + 1);
    String second = brokers.push(A, "survivors", "p");
    assertThat(Brokers.ids(next)).containsExactly(second);
  }

  @Test
  @DisplayName("A broker that knows that it is stopping releases its own leases")
  void aStoppingBroker_givesBackWhatItCouldNotHandOut() throws IOException {
    String first = brokers.push(A, "given-back", "p");
    // So that there is a cursor, which can be locked.
    assertThat(Brokers.ids(brokers.poll(A, "given-back"))).containsExactly(first);
    String id = brokers.push(A, "given-back", "p");
    try (StoreConnection lock = StoreConnection.open(brokers.cluster().database())) {
      sql(lock, "begin");
      sql(
          lock,
          "select 1 from queen.cursors c join queen.partitions p on p.id = c.partition_id"
              + " join queen.queues q on q.id = p.queue_id where q.name = 'given-back'"
              + " for update of c");
      try (Socket client = new Socket(InetAddress.getLoopbackAddress(), brokers.url(C).port())) {
        client
            .getOutputStream()
            .write(
                "GET /api/v1/pop/queue/given-back/partition/p HTTP/1.1\r\nHost: c\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        await("a pop that waits for the lock").atMost(LIMIT).until(() -> waitingForLocks() == 1);
      }
      CompletableFuture<OptionalInt> stopped =
          CompletableFuture.supplyAsync(() -> brokers.member(C).stop());
      await("C takes nothing more")
          .pollInterval(Duration.ofMillis(20))
          .atMost(LIMIT)
          .until(() -> brokers.state(C).numbers().isEmpty());
      assertThat(stopped).isNotDone();

      sql(lock, "rollback");

      assertThat(stopped.orTimeout(LIMIT.toSeconds(), TimeUnit.SECONDS).join()).hasValue(0);
    }
    // Long before the lease would have ended, which lasts five minutes.
    assertThat(Brokers.ids(brokers.poll(A, "given-back"))).containsExactly(id);
  }

  @Test
  @DisplayName("Network partition: graceful degradation to current behavior")
  void withoutUdp_aPushStillWakesALongPollElsewhere() {
    brokers.network().let(UdpChaos.Mode.NOTHING);
    // While they still believe each other to be there: the hardest moment.
    CompletableFuture<List<PopMessage>> poll = brokers.poll(B, "unheard");
    long sent = System.nanoTime();
    String id = brokers.push(A, "unheard", "p");

    assertThat(Brokers.ids(poll)).containsExactly(id);
    System.out.printf(
        "wake-up without UDP, push sent to poll answered: %.0f ms%n",
        (System.nanoTime() - sent) / 1e6);
  }

  private long waitingForLocks() {
    return brokers
        .cluster()
        .database()
        .number(
            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                + " and query like '%pop_v1%' and datname = current_database()");
  }

  private static void sql(StoreConnection connection, String statement) {
    Blocking.get(connection.connection().query(statement).execute());
  }
}
