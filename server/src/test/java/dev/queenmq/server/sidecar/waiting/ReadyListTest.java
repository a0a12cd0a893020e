package dev.queenmq.server.sidecar.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReadyListTest {
  private static final UUID A = new UUID(0, 10);
  private static final UUID B = new UUID(0, 11);
  private static final UUID C = new UUID(0, 12);
  private static final UUID LEASE = new UUID(1, 1);
  private static final UUID OTHER_LEASE = new UUID(1, 2);

  private final ReadyList list = new ReadyList();
  private long turn;

  @Test
  void take_givesTheLongestWaitingFirst_andOnce() {
    appended(B, A, B);

    assertThat(take(1)).containsExactly(B);
    assertThat(take(5)).containsExactly(A);
    assertThat(take(5)).isEmpty();
  }

  @Test
  void take_triesWhatOthersProbablyHold_last_butAll() {
    appended(A, B, C);

    assertThat(list.take(2, id -> id.equals(A))).containsExactly(B, C);
    assertThat(list.take(2, id -> true)).containsExactly(A);
  }

  @Test
  void endOfALease_makesReadyOnlyWhatHasMore() {
    leased(A, false, 100);
    leased(B, true, 100);
    leased(C, false, 100);
    appended(C);
    assertThat(list.isEmpty()).isTrue();

    List.of(A, B, C).forEach(each -> list.ended(each, Optional.of(LEASE), true, ++turn));

    assertThat(take(5)).containsExactly(B, C);
  }

  @Test
  void endOfALease_thatIsNotTheLastOne_isNotTakenForIt() {
    leased(A, false, 100);

    // The ack of an older lease is answered after the pop that gave this one.
    list.ended(A, Optional.of(OTHER_LEASE), true, ++turn);

    assertThat(take(5)).containsExactly(A);
  }

  @Test
  void endOfALease_withoutBeingDone_isReady_andSoIsOneOfAnotherBroker() {
    leased(A, false, 100);

    assertThat(list.ended(A, Optional.of(LEASE), false, ++turn)).isFalse();
    assertThat(list.ended(B, Optional.of(LEASE), true, ++turn)).isTrue();

    assertThat(take(5)).containsExactly(A, B);
  }

  @Test
  void advance_makesReadyWhatHasFallenDue() {
    leased(A, false, 100);
    refused(B, 50);
    assertThat(list.nextDue()).isEqualTo(50);

    list.advance(49);
    assertThat(list.isEmpty()).isTrue();
    list.advance(50);
    assertThat(take(5)).containsExactly(B);
    list.empty(B, ++turn);
    assertThat(list.nextDue()).isEqualTo(100);
    list.advance(100);

    assertThat(take(5)).containsExactly(A);
  }

  @Test
  void leases_thatEndLongBeforeTheyExpire_leaveNothingBehind() {
    leased(A, false, 100);
    refused(B, 200);
    assertThat(list.takeHeld(Long.MAX_VALUE, 5)).containsExactly(A, B);
    long asked = ++turn;
    for (int i = 0; i < 10_000; i++) {
      leased(C, false, 1_000 + i);
      list.ended(C, Optional.of(LEASE), true, ++turn);
    }
    assertThat(list.lined()).isLessThan(100);

    list.unanswered(A, asked);
    list.unanswered(B, asked);
    assertThat(list.nextDue()).isEqualTo(100);
    list.advance(100);
    assertThat(take(5)).containsExactly(A);
    list.advance(200);
    assertThat(take(5)).containsExactly(B);
  }

  @Test
  void obstacle_thatIsSeenAgain_stillFallsDue() {
    refused(A, 100);
    assertThat(list.takeHeld(++turn, 5)).containsExactly(A);
    list.advance(100);
    list.refused(A, 100, turn, 99);

    list.advance(101);

    assertThat(take(5)).containsExactly(A);
  }

  @Test
  void news_thatComeDuringAQuestion_outliveItsAnswer() {
    appended(A, B, C);
    long question = ++turn;
    assertThat(take(3)).containsExactly(A, B, C);

    // A push, the end of a lease here and one elsewhere, while the store answers what it saw.
    appended(A);
    list.ended(B, Optional.of(LEASE), true, ++turn);
    list.freed(C, ++turn);
    list.empty(A, question);
    list.refused(B, 10_000, question, 0);
    list.refused(C, 10_000, question, 0);

    assertThat(take(5)).containsExactly(A, B, C);
  }

  @Test
  void leases_thatEndWhilePagesAreRead_areNotTakenFromThem() {
    list.listingBegins();
    long page = ++turn;
    list.freed(A, ++turn);
    list.listed(A, 10_000, page, 0);
    list.listed(B, 10_000, page, 0);
    list.listingEnds();

    assertThat(take(5)).containsExactly(A);
    assertThat(list.nextDue()).isEqualTo(10_000);
  }

  @Test
  void proof_needsAQuestionForEverythingThatIsHeld() {
    refused(A, 10_000);
    long arrived = ++turn;
    refused(B, 10_000);
    assertThat(list.proven(arrived)).isFalse();

    long question = ++turn;
    assertThat(list.takeHeld(arrived, 5)).containsExactly(A);
    assertThat(list.proven(arrived)).isFalse();
    list.refused(A, 10_000, question, 0);

    assertThat(list.proven(arrived)).isTrue();
    assertThat(list.takeHeld(arrived, 5)).isEmpty();
  }

  @Test
  void lock_isNoProof_untilItHasLasted() {
    for (long now = 0; now <= 300; now += 10) {
      list.advance(now);
      list.question(A, ++turn);
      take(1);
      list.busy(A, turn, now);
      assertThat(list.proven(turn)).as("after %d ms", now).isEqualTo(now >= 250);
    }
  }

  @Test
  void lock_thatIsNotTheLastOne_hasNotLasted() {
    for (long now = 0; now <= 600; now += 100) {
      list.advance(now);
      list.question(A, ++turn);
      take(1);
      list.busy(A, turn, now);
      assertThat(list.proven(turn)).as("after %d ms", now).isFalse();

      // In between a consumer got a message, so it was free.
      list.advance(now + 50);
      list.question(A, ++turn);
      take(1);
      list.drained(A, true, turn);
    }
  }

  @Test
  void unanswered_isAsBefore() {
    refused(A, 10_000);
    appended(B);
    long question = ++turn;
    list.takeHeld(question, 5);
    take(1);

    list.unanswered(A, question);
    list.unanswered(B, question);

    assertThat(take(5)).containsExactly(B);
    assertThat(list.takeHeld(question, 5)).containsExactly(A);
  }

  @Test
  void doubt_asksAgainForWhatWasNotSeenForLong() {
    leased(A, false, 10_000);
    list.question(B, ++turn);
    take(1);
    list.refused(B, 10_000, turn, 900);

    list.doubt(500, 10);

    assertThat(take(5)).containsExactly(A);
  }

  @Test
  void lease_thatADoubtFindsEnded_wasEndedElsewhere() {
    leased(A, true, 10_000);
    list.doubt(500, 10);
    take(1);

    assertThat(list.granted(A, OTHER_LEASE, 20_000, true, ++turn, 1_000)).isTrue();

    list.ended(A, Optional.of(OTHER_LEASE), true, ++turn);
    take(1);
    assertThat(list.granted(A, LEASE, 30_000, true, ++turn, 1_000)).isFalse();
  }

  private void appended(UUID... ids) {
    for (UUID id : ids) {
      list.appended(id, ++turn);
    }
  }

  private void leased(UUID id, boolean more, long until) {
    appended(id);
    take(1);
    list.granted(id, LEASE, until, more, ++turn, 0);
  }

  private void refused(UUID id, long until) {
    appended(id);
    take(1);
    list.refused(id, until, ++turn, 0);
  }

  private List<UUID> take(int count) {
    return list.take(count, id -> false);
  }
}
