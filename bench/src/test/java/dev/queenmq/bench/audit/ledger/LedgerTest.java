package dev.queenmq.bench.audit.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What a broker must not do is found, whether or not it says when it granted a lease. */
class LedgerTest {
  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final int GROUPS = 2;
  private static final int COPYING = 1;

  private final Ledger ledger = new Ledger(GROUPS);
  private final AuditedMessage first = ledger.pushing(0, 0, 0);
  private final AuditedMessage second = ledger.pushing(0, 0, 1);
  private final long start = System.nanoTime();

  LedgerTest() {}

  @Test
  void twoLiveLeases_areFound() {
    HeldBatch one = deliver("one", OptionalLong.empty(), first);
    deliver("two", OptionalLong.empty(), first);
    assertThat(found(Violation.OVERLAPPING_LEASE)).isEqualTo(1);

    one.releasing(start);
    deliver("three", OptionalLong.empty(), first);
    // The second is still live, the first is not.
    assertThat(found(Violation.OVERLAPPING_LEASE)).isEqualTo(2);
  }

  @Test
  void leasesThatAreToldToFollowEachOther_areRight() {
    deliver("one", OptionalLong.of(start), first);
    deliver("two", OptionalLong.of(start + LEASE.toNanos() + 1), first);
    assertThat(found(Violation.OVERLAPPING_LEASE)).isZero();

    deliver("three", OptionalLong.of(start + LEASE.toNanos() - 1), first);
    assertThat(found(Violation.OVERLAPPING_LEASE)).isEqualTo(2);
  }

  @Test
  void deliveryAfterAnAck_isFound() {
    HeldBatch one = deliver("one", OptionalLong.of(start), first, second);
    one.releasing(start);
    ledger.cursor(0, 0).done(first, one, start);
    deliver("two", OptionalLong.of(start + 1), second);
    assertThat(found(Violation.DELIVERED_AFTER_ACK)).isZero();

    deliver("three", OptionalLong.of(start + 2), first);
    assertThat(found(Violation.DELIVERED_AFTER_ACK)).isEqualTo(1);
  }

  @Test
  void lateAcks_areKnown() {
    HeldBatch one = deliver("one", OptionalLong.of(start), first);
    assertThat(one.isLate(start + LEASE.toNanos())).isFalse();
    assertThat(one.isLate(start + LEASE.plusSeconds(1).toNanos())).isTrue();
    assertThat(one.inTime(start + LEASE.minusSeconds(1).toNanos())).isTrue();
    assertThat(one.inTime(start + LEASE.toNanos())).isFalse();
  }

  @Test
  void messageThatIsPassedOver_isFound() {
    deliver("one", OptionalLong.of(start), second);
    ledger.cursor(0, 0).done(first, deliver("two", OptionalLong.of(start), first), later());
    conclude(first, second);
    assertThat(found(Violation.ORDER_INVERSION)).isEqualTo(1);
  }

  @Test
  void whatIsLost_orHappensByHalf_isFound() {
    List.of(first, second).forEach(message -> message.acknowledged = true);
    first.copied = true;
    HeldBatch one = deliver("one", OptionalLong.of(start), second);
    ledger.cursor(0, 0).done(second, one, start);
    conclude(second);

    assertThat(found(Violation.LOST_PUSH)).isEqualTo(1);
    assertThat(found(Violation.HALF_TRANSACTION)).isEqualTo(1);
    // The first message in both groups, the second in the one that copies.
    assertThat(found(Violation.LOST_DELIVERY)).isEqualTo(3);
  }

  @Test
  void producersOrder_isChecked() {
    List.of(first, second).forEach(message -> message.acknowledged = true);
    conclude(second, first);
    assertThat(found(Violation.PRODUCER_ORDER)).isEqualTo(1);
  }

  @Test
  void otherIdsAndNumbers_areFound() {
    ledger.known(first, "a", Violation.WRONG_FIRST_ID, "pushed");
    ledger.known(first, "b", Violation.WRONG_FIRST_ID, "pushed");
    ledger.find(first.transactionId(), "p-0", "a", first.number() + 1);
    ledger.deadLetter(first.transactionId(), COPYING, "{}");
    assertThat(found(Violation.WRONG_FIRST_ID)).isEqualTo(1);
    assertThat(found(Violation.PHANTOM)).isEqualTo(1);
    assertThat(found(Violation.DEAD_WITHOUT_PAYLOAD)).isEqualTo(1);
  }

  private HeldBatch deliver(String lease, OptionalLong granted, AuditedMessage... messages) {
    HeldBatch batch = new HeldBatch(lease, "id", 0, 0, List.of(messages), start, granted, LEASE);
    ledger.delivered(batch);
    return batch;
  }

  private void conclude(AuditedMessage... stored) {
    for (int i = 0; i < stored.length; i++) {
      stored[i].position = i;
    }
    new FinalCheck(ledger, GROUPS, true, List.of(List.of(stored))).run();
  }

  private long later() {
    return start + Duration.ofHours(1).toNanos();
  }

  private long found(Violation violation) {
    return ledger.violations().count(violation);
  }
}
