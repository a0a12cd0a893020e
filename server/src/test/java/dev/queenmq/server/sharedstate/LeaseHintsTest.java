package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintAcquired;
import dev.queenmq.server.sharedstate.SyncMessage.LeaseHintReleased;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class LeaseHintsTest {
  private static final UUID ID = new UUID(3, 4);
  private final ManualClock clock = new ManualClock();
  private final Set<String> dead = new HashSet<>();
  private final LeaseHints hints =
      new LeaseHints(clock, "me", server -> !dead.contains(server), 1000);

  @Test
  @DisplayName(
      "Lease hint, cache says Server A has it, reality is Server A has it: skip DB, try other partition")
  void leaseHint_serverAHasIt_skipDb() {
    hints.acquired("A", "orders", ID, "g", 60_000);
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isTrue();
    assertThat(hints.likelyLeasedElsewhere(ID, "other")).isFalse();
    assertThat(hints.likelyLeasedElsewhere(new UUID(0, 0), "g")).isFalse();
    hints.refused(ID, "g");
    assertThat(hints.statistics()).isEqualTo(new SharedStateStatistics.Leases(1, 1, 1, 0));
  }

  @Test
  @DisplayName(
      "Lease hint, cache says Server A has it, reality is Lease expired: try DB, succeed, update cache")
  void leaseHint_serverAHasItButLeaseExpired_tryDbAndUpdateCache() {
    hints.acquired("A", "orders", ID, "g", 60_000);
    hints.granted(ID, "g");
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(hints.statistics()).isEqualTo(new SharedStateStatistics.Leases(0, 0, 0, 1));
    assertThat(hints.statistics().accuracy()).isZero();
  }

  @Test
  @DisplayName(
      "Lease hint, cache says Available, reality is Server B has it: try DB, fail, backoff")
  void leaseHint_availableButServerBHasIt_tryDb() {
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isFalse();
    hints.refused(ID, "g");
    assertThat(hints.statistics().accuracy()).isEqualTo(1);
  }

  @Test
  void hints_countForAFifthOfTheLease() {
    assertThat(LeaseHints.ttlMillis(Duration.ofMinutes(5))).isEqualTo(60_000);
    hints.acquired("A", "orders", ID, "g", 60_000);
    clock.advance(59_999);
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isTrue();
    clock.advance(1);
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(hints.statistics().size()).isZero();
  }

  @Test
  @DisplayName("Stuck hint starvation: if the hinted server is DEAD, ignore the hint")
  void hints_ofTheDeadAndOurOwn_areIgnored() {
    hints.acquired("me", "orders", ID, "g", 60_000);
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isFalse();
    hints.acquired("A", "orders", ID, "g", 60_000);
    dead.add("A");
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isFalse();
  }

  @Test
  void endOfALease_voidsTheHint_whoeverItNames() {
    hints.acquired("A", "orders", ID, "g", 60_000);
    hints.acquired("A", "orders", ID, "h", 60_000);
    hints.released(ID, "g");
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isFalse();
    assertThat(hints.likelyLeasedElsewhere(ID, "h")).isTrue();
    hints.acquired("B", "orders", ID, "g", 60_000);
    assertThat(hints.likelyLeasedElsewhere(ID, "g")).isTrue();
  }

  @Test
  void hints_goWithTheirServerTheirQueueAndTheirPartition() {
    hints.acquired("A", "orders", ID, "g", 60_000);
    hints.acquired("B", "mails", new UUID(0, 1), "g", 60_000);
    hints.acquired("C", "logs", new UUID(0, 2), "g", 60_000);
    hints.dropServer("A");
    hints.dropQueue("mails");
    hints.dropPartition(new UUID(0, 2));
    assertThat(hints.statistics().size()).isZero();
  }

  @Test
  void size_isBounded_andNoHintLastsForEver() {
    for (int i = 0; i < 100_000; i++) {
      hints.acquired("A", "orders", new UUID(9, i), "g", Long.MAX_VALUE);
    }
    assertThat(hints.statistics().size()).isLessThanOrEqualTo(1000);
    clock.advance(Duration.ofMinutes(10).toMillis());
    assertThat(hints.statistics().size()).isZero();
    hints.acquired("A", "orders", ID, "g", -5);
    assertThat(hints.statistics().size()).isZero();
  }

  @Test
  void outbox_gathersWhatBelongsTogether_andTellsNothingOfShortLeases() {
    LeaseHintOutbox outbox = new LeaseHintOutbox();
    outbox.acquired("orders", ID, "g", 60_000);
    outbox.released("orders", ID, "g");
    assertThat(outbox.drain()).isEmpty();
    outbox.acquired("orders", ID, "g", 60_000);
    outbox.acquired("orders", new UUID(0, 1), "g", 60_000);
    List<SyncMessage> told = outbox.drain();
    assertThat(told).hasSize(1);
    assertThat(((LeaseHintAcquired) told.get(0)).partitionIds())
        .containsExactlyInAnyOrder(ID, new UUID(0, 1));
    outbox.released("orders", ID, "g");
    outbox.acquired("orders", ID, "g", 60_000);
    outbox.released("orders", ID, "g");
    assertThat(outbox.drain()).containsExactly(new LeaseHintReleased("orders", "g", List.of(ID)));
    assertThat(outbox.drain()).isEmpty();
  }

  @Test
  void outbox_forgetsLeasesThatEndedElsewhere_butTellsWhatEndedHere() {
    LeaseHintOutbox outbox = new LeaseHintOutbox();
    outbox.acquired("orders", ID, "g", 60_000);
    outbox.endedElsewhere(ID, "g");
    assertThat(outbox.drain()).isEmpty();
    outbox.released("orders", ID, "g");
    outbox.acquired("orders", ID, "g", 60_000);
    outbox.endedElsewhere(ID, "g");
    outbox.endedElsewhere(ID, "g");
    assertThat(outbox.drain()).containsExactly(new LeaseHintReleased("orders", "g", List.of(ID)));
  }
}
