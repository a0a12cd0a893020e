package dev.queenmq.server.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ReadyListTest {
  private static final UUID A = UUID.fromString("00000000-0000-4000-8000-00000000000a");
  private static final UUID B = UUID.fromString("00000000-0000-4000-8000-00000000000b");
  private static final UUID C = UUID.fromString("00000000-0000-4000-8000-00000000000c");

  private final ReadyList list = new ReadyList();

  @Test
  void take_givesTheLongestWaitingFirst_andOnce() {
    list.add(B);
    list.add(A);
    list.add(B);

    assertThat(list.take(1)).containsExactly(B);
    assertThat(list.take(5)).containsExactly(A);
    assertThat(list.take(5)).isEmpty();
  }

  @Test
  void released_isReadyOnlyIfThereIsMore() {
    list.leased(A, 100, 0, false);
    list.leased(B, 100, 0, true);
    list.leased(C, 100, 0, false);
    list.add(C);
    assertThat(list.isEmpty()).isTrue();

    List.of(A, B, C).forEach(each -> list.released(each, true));

    assertThat(list.take(5)).containsExactly(B, C);
  }

  @Test
  void released_withoutBeingDone_isReady_andSoIsOneLeasedElsewhere() {
    list.leased(A, 100, 0, false);

    list.released(A, false);
    list.released(B, true);

    assertThat(list.take(5)).containsExactly(A, B);
  }

  @Test
  void advance_makesReadyWhatHasFallenDue() {
    list.leased(A, 100, 0, false);
    list.dueAt(B, 50);
    assertThat(list.nextDue()).isEqualTo(50);

    list.advance(49);
    assertThat(list.isEmpty()).isTrue();
    list.advance(50);
    assertThat(list.take(5)).containsExactly(B);
    assertThat(list.nextDue()).isEqualTo(100);
    list.advance(100);

    assertThat(list.take(5)).containsExactly(A);
    assertThat(list.nextDue()).isEqualTo(ReadyList.NEVER);
  }

  @Test
  void forget_leavesNothingOfAPartition() {
    List.of(A, B, C).forEach(list::add);
    list.leased(B, 100, 0, true);
    list.dueAt(C, 50);

    List.of(A, B, C).forEach(list::forget);

    assertThat(list.nextDue()).isEqualTo(ReadyList.NEVER);
    list.advance(1000);
    assertThat(list.isEmpty()).isTrue();
  }

  @Test
  void doubt_looksAgainAtLeasesThatWereNotSeenForLong() {
    list.leased(A, 10_000, 0, false);
    list.leased(B, 10_000, 900, false);

    list.doubt(500, 10);

    assertThat(list.take(5)).containsExactly(A);
  }

  @Test
  void news_thatComeDuringAQuestion_outliveItsAnswer() {
    List.of(A, B, C).forEach(list::add);
    assertThat(list.take(3)).containsExactly(A, B, C);

    // A push, the end of a lease, and a push again, while the store still answers what it saw.
    list.add(A);
    list.released(B, true);
    list.add(C);
    list.empty(A);
    list.seenLeased(B, 10_000, 0);
    list.dueAt(C, 10_000);

    assertThat(list.take(5)).containsExactly(A, B, C);
  }

  @Test
  void leases_thatEndDuringALookAtTheWholeQueue_areNotSeenAgain() {
    List.of(A, B, C).forEach(each -> list.leased(each, 10_000, 0, false));

    list.lookBegins();
    list.released(A, true);
    list.freed(B, true);
    List.of(A, B, C).forEach(each -> list.seenLeased(each, 10_000, 0));
    list.lookEnds();

    assertThat(list.take(5)).containsExactly(A, B);
    assertThat(list.nextDue()).isEqualTo(10_000);
  }

  @Test
  void dueAt_keepsTheEarliestOnly() {
    list.dueAt(A, 100);
    list.dueAt(A, 200);
    list.dueAt(A, 50);

    list.advance(50);
    assertThat(list.take(5)).containsExactly(A);
    list.advance(100);
    assertThat(list.take(5)).containsExactly(A);
    list.advance(200);

    assertThat(list.isEmpty()).isTrue();
    assertThat(list.nextDue()).isEqualTo(ReadyList.NEVER);
  }
}
