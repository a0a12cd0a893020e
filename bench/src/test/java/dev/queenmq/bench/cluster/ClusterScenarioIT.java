package dev.queenmq.bench.cluster;

import static dev.queenmq.bench.cluster.Brokers.A;
import static dev.queenmq.bench.cluster.Brokers.B;
import static dev.queenmq.bench.cluster.Brokers.C;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.broker.PopMessage;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Three brokers with right or wrong hints of each other: docs/internals/clustering-tests.md. */
@ExtendWith(ClusterExtension.class)
@ResourceLock("dev.queenmq.bench.cluster.Brokers")
@Order(1)
class ClusterScenarioIT {
  private static final String HINTS = "lease_hints.size";
  private static final String HINTS_USED = "lease_hints.hints_used";
  private static final String HINTS_WRONG = "lease_hints.hints_wrong";
  private static final int ATTEMPTS = 10;
  private static final String POPS = "queen_sidecar_calls_total{op=\"pop\"}";

  private final Brokers brokers;

  /** What A holds of the queue that was last asked for. */
  private List<PopMessage> held = List.of();

  ClusterScenarioIT(Brokers brokers) {
    this.brokers = brokers;
  }

  @Test
  @DisplayName(
      "Queue config lookup, cache says Config X, reality is Config Y (updated): use stale, works, next query refreshes")
  void staleSettings_areRefreshedFromTheDatabase() {
    brokers.network().let(UdpChaos.Mode.NOTHING);
    brokers.configure(A, "stale", "delayedProcessing", 3600);
    String id = brokers.push(A, "stale", "p");
    CompletableFuture<List<PopMessage>> poll = brokers.poll(C, "stale");
    assertThat(poll).isNotDone();

    brokers.configure(A, "stale", "delayedProcessing", 0);

    assertThat(Brokers.ids(poll)).containsExactly(id);
  }

  @Test
  @DisplayName(
      "Lease hint, cache says Server A has it, reality is Server A has it: skip DB, try other partition")
  void leaseHint_thatIsRight() {
    CompletableFuture<List<PopMessage>> quiet = leasedByA("right");
    double used = brokers.figure(B, HINTS_USED);

    brokers.push(A, "right", "p");
    CompletableFuture<List<PopMessage>> poll = brokers.poll(B, "right");
    // One time in a hundred only when it asks again.
    brokers.untilFigure(B, HINTS_USED, used + 1);
    String other = brokers.push(A, "right", "another");

    assertThat(Brokers.ids(poll)).containsExactly(other);
    end(quiet, "right");
  }

  @Test
  @DisplayName(
      "Lease hint, cache says Server A has it, reality is Lease expired: try DB, succeed, update cache")
  void leaseHint_thatIsOld() {
    CompletableFuture<List<PopMessage>> quiet = leasedByA("old");
    double wrong = brokers.figure(B, HINTS_WRONG);

    brokers.network().mute(A);
    brokers.ack(A, held);
    String next = brokers.push(A, "old", "p");

    // The hint counts for a minute.
    assertThat(Brokers.ids(brokers.poll(B, "old", "timeout=60000"))).containsExactly(next);
    assertThat(brokers.figure(B, HINTS_WRONG)).isGreaterThan(wrong);
    end(quiet, "old");
  }

  @Test
  @DisplayName(
      "Lease hint, cache says Available, reality is Server B has it: try DB, fail, backoff")
  void leaseHint_thatIsMissing() {
    brokers.network().mute(B);
    String first = brokers.push(A, "missing", "p");
    List<PopMessage> atB = brokers.pop(B, "missing/partition/p");
    assertThat(Brokers.ids(atB)).containsExactly(first);
    String second = brokers.push(A, "missing", "p");
    double hints = brokers.figure(C, HINTS_USED);
    CompletableFuture<List<PopMessage>> poll = brokers.poll(C, "missing");

    brokers.ack(B, atB);

    assertThat(Brokers.ids(poll)).containsExactly(second);
    assertThat(brokers.figure(C, HINTS_USED)).isEqualTo(hints);
  }

  @Test
  @DisplayName(
      "Consumer presence, cache says Only Server B, reality is Server B + C: notify B, C missed, C polls via backoff")
  void presence_thatIsMissing() {
    brokers.untilTargeted(A);
    CompletableFuture<List<PopMessage>> atB =
        brokers.pollKnownToA(B, "only-b", "consumerGroup=b&autoAck=true&timeout=60000");
    brokers.network().mute(C);
    CompletableFuture<List<PopMessage>> atC =
        brokers.poll(C, "only-b", "consumerGroup=c&autoAck=true&timeout=60000");

    String id = brokers.push(A, "only-b", "p");

    assertThat(Brokers.ids(atB)).containsExactly(id);
    assertThat(Brokers.ids(atC)).containsExactly(id);
  }

  @Test
  @DisplayName(
      "Consumer presence, cache says Server B, C, reality is Only Server B: notify both, C ignores")
  void presence_thatIsOver() {
    brokers.untilTargeted(A);
    CompletableFuture<List<PopMessage>> atB = brokers.pollKnownToA(B, "both");
    CompletableFuture<List<PopMessage>> atC =
        brokers.pollKnownToA(C, "both", "autoAck=true&timeout=500");
    brokers.network().mute(C);
    assertThat(Brokers.ids(atC)).isEmpty();
    double heard = brokers.figure(C, "transport.messages_received");
    double pops = brokers.sample(C, POPS);

    String id = brokers.push(A, "both", "p");

    assertThat(Brokers.ids(atB)).containsExactly(id);
    brokers.untilFigure(C, "transport.messages_received", heard + 1);
    assertThat(brokers.sample(C, POPS)).isEqualTo(pops);
    assertThat(brokers.pop(C, "both")).isEmpty();
  }

  @Test
  @DisplayName("Stale partition ID: invalidate on error + retry")
  void staleId_isDropped_andAskedForByName() {
    brokers.push(A, "again", "p");
    assertThat(brokers.pop(B, "again/partition/p")).hasSize(1);
    double known = brokers.figure(B, "partition_id_cache.hits");
    brokers.network().let(UdpChaos.Mode.NOTHING);
    brokers.delete(A, "again");
    String id = brokers.push(A, "again", "p");

    assertThat(Brokers.ids(brokers.poll(B, "again/partition/p"))).containsExactly(id);
    assertThat(brokers.figure(B, "partition_id_cache.hits")).isGreaterThan(known);
  }

  /** A leases a partition for minutes, and B has heard of it; what waits at B so that it hears. */
  private CompletableFuture<List<PopMessage>> leasedByA(String queue) {
    CompletableFuture<List<PopMessage>> quiet = brokers.pollKnownToA(B, queue + "/partition/quiet");
    // What B knows of the queue from now on, it knows by hints.
    assertThat(brokers.pop(B, queue)).isEmpty();
    for (int attempt = 1; !leaseIsHeardOf(queue); attempt++) {
      assertThat(attempt).as("leases of A that B has not heard of").isLessThan(ATTEMPTS);
      brokers.ack(A, held);
    }
    return quiet;
  }

  /**
   * A packet may be lost, and a broker that stood still on a busy machine is dead for the others.
   */
  private boolean leaseIsHeardOf(String queue) {
    double before = brokers.figure(B, HINTS);
    String id = brokers.push(A, queue, "p");
    held = brokers.pop(A, queue + "/partition/p");
    assertThat(Brokers.ids(held)).containsExactly(id);
    return brokers.reaches(B, HINTS, before + 1);
  }

  private void end(CompletableFuture<List<PopMessage>> quiet, String queue) {
    String id = brokers.push(B, queue, "quiet");
    assertThat(Brokers.ids(quiet)).containsExactly(id);
  }
}
