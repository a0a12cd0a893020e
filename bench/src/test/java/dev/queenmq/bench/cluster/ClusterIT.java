package dev.queenmq.bench.cluster;

import static dev.queenmq.bench.cluster.Brokers.A;
import static dev.queenmq.bench.cluster.Brokers.B;
import static dev.queenmq.bench.cluster.Brokers.BROADCAST;
import static dev.queenmq.bench.cluster.Brokers.C;
import static dev.queenmq.bench.cluster.Brokers.LIMIT;
import static dev.queenmq.bench.cluster.Brokers.TARGETED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** What the packets between brokers achieve. */
@ExtendWith(ClusterExtension.class)
@ResourceLock("dev.queenmq.bench.cluster.Brokers")
@Order(1)
class ClusterIT {
  private static final int PUSHES = 60;
  private static final int WAKE_UPS = 30;
  private static final String PUSH_CALLS = "queen_sidecar_calls_total{op=\"push\"}";

  private final Brokers brokers;

  ClusterIT(Brokers brokers) {
    this.brokers = brokers;
  }

  @Test
  @DisplayName("A push on A wakes a long poll on B")
  void aPush_wakesALongPollElsewhere() {
    Histogram nanos = new Histogram(3);
    for (int i = 0; i < WAKE_UPS; i++) {
      CompletableFuture<List<PopMessage>> poll =
          i == 0 ? brokers.pollKnownTo(B, A, "wake") : brokers.poll(A, "wake");
      long sent = System.nanoTime();
      String id = brokers.push(B, "wake", "p");
      // The other way round: A would look by itself only when this test is long over.
      assertThat(Brokers.ids(poll)).containsExactly(id);
      nanos.recordValue(System.nanoTime() - sent);
    }
    System.out.printf(
        "wake-up at another broker, push sent to poll answered: p50 %.1f ms, p99 %.1f ms%n",
        nanos.getValueAtPercentile(50) / 1e6, nanos.getValueAtPercentile(99) / 1e6);
  }

  @Test
  @DisplayName("N× reduction in notification traffic (targeted notifications)")
  void notifications_goOnlyToBrokersWithPolls() {
    brokers.untilTargeted(A);
    // Nothing is pushed there until the end: it waits all the time.
    CompletableFuture<List<PopMessage>> poll = brokers.pollKnownToA(B, "few/partition/quiet");
    String heard = "transport.messages_received";
    SharedState before = brokers.state(A);
    double beforeB = brokers.figure(B, heard);
    double beforeC = brokers.figure(C, heard);

    for (int i = 0; i < PUSHES; i++) {
      brokers.push(A, "few", "p");
    }

    assertThat(brokers.state(A).since(before).numbers())
        .containsEntry(TARGETED, (double) PUSHES)
        .doesNotContainKey(BROADCAST);
    brokers.untilFigure(B, heard, beforeB + PUSHES);
    // Both hear heartbeats.
    double toB = brokers.figure(B, heard) - beforeB;
    double toC = brokers.figure(C, heard) - beforeC;
    assertThat(toB - toC).isGreaterThan(PUSHES * 0.5);
    brokers.push(A, "few", "quiet");
    assertThat(Brokers.ids(poll)).hasSize(1);
  }

  @Test
  @DisplayName("A push to a queue without remote consumers sends nothing")
  void aPush_sendsNothing_withoutPollsElsewhere() {
    brokers.untilTargeted(A);
    CompletableFuture<List<PopMessage>> own = brokers.poll(A, "own/partition/quiet");
    SharedState before = brokers.state(A);
    for (int i = 0; i < PUSHES; i++) {
      brokers.push(A, "own", "p");
    }
    SharedState since = brokers.state(A).since(before);

    assertThat(since.numbers()).doesNotContainKeys(TARGETED, BROADCAST);
    // No more than heartbeats.
    assertThat(since.numbers().getOrDefault("transport.messages_sent", 0.0)).isLessThan(PUSHES);
    brokers.push(A, "own", "quiet");
    assertThat(Brokers.ids(own)).hasSize(1);
  }

  @Test
  @DisplayName("50%+ reduction in PUSH DB queries (queue config + partition cache)")
  void aPush_isOneQuery_notThree() {
    brokers.push(A, "cheap", "p");
    AtomicInteger pushes = new AtomicInteger();
    double calls = brokers.sample(A, PUSH_CALLS);
    Usage before = Usage.of(brokers.cluster());

    // PostgreSQL publishes its counters once a second, as long as there is something to count.
    Usage used =
        await()
            .pollInterval(Duration.ofMillis(1))
            .atMost(LIMIT)
            .until(
                () -> {
                  for (int i = 0; i < PUSHES; i++) {
                    brokers.push(A, "cheap", "p");
                    pushes.incrementAndGet();
                  }
                  return Usage.of(brokers.cluster()).since(before);
                },
                since -> since.appends() >= 5 * PUSHES);

    assertThat(brokers.sample(A, PUSH_CALLS) - calls).isEqualTo(pushes.get());
    // The plan counts three for each: settings, partition, message. What brokers ask for other
    // reasons meanwhile is not a push's.
    assertThat(
            used.calls("resolve_partitions_v1")
                + used.calls("partition_id_v1")
                + used.calls("queue_settings_v1"))
        .isLessThan(used.appends() / 2);
  }

  @Test
  @DisplayName("A config change is visible on the others at once")
  void aConfigChange_isVisibleElsewhereAtOnce() {
    brokers.configure(A, "delayed", "delayedProcessing", 3600);
    String id = brokers.push(A, "delayed", "p");
    CompletableFuture<List<PopMessage>> poll = brokers.pollKnownToA(B, "delayed");
    assertThat(poll).isNotDone();

    brokers.configure(A, "delayed", "delayedProcessing", 0);

    // Long before B would read it from the database, which takes a minute.
    assertThat(Brokers.ids(poll)).containsExactly(id);
  }

  @Test
  @DisplayName("The shared state is shown by both routes and as Prometheus series")
  void sharedState_isTold() {
    JsonObject told = new JsonObject(brokers.text(A, "/api/v1/system/shared-state"));
    assertThat(told.fieldNames())
        .contains(
            "queue_config_cache",
            "consumer_presence",
            "partition_id_cache",
            "lease_hints",
            "server_health",
            "transport");
    assertThat(
            new JsonObject(brokers.text(A, "/internal/api/shared-state/stats"))
                .getJsonObject("transport")
                .getString("server_id"))
        .isEqualTo(told.getJsonObject("transport").getString("server_id"));
    for (Map.Entry<String, Double> figure : brokers.state(A).figures().entrySet()) {
      String series = "queen_shared_state_" + figure.getKey().replace('.', '_');
      if (!figure.getKey().startsWith("server_health.last_heartbeat")) {
        assertThat(brokers.sample(A, series)).as(series).isNotNegative();
      }
    }
  }
}
