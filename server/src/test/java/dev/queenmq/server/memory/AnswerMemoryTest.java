package dev.queenmq.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.memory.AnswerMemory.Room;
import org.junit.jupiter.api.Test;

class AnswerMemoryTest {
  private static final long MIB = 1 << 20;

  /** The largest answer has 2 MiB. */
  private final MemoryBudget budget = new MemoryBudget(32 * MIB, 192 << 10);

  private final AnswerMemory memory = new AnswerMemory(budget);

  private long held() {
    return budget.figures().held().getOrDefault(Purpose.ANSWERS, 0L);
  }

  @Test
  void usualRoom_followsWhatAnswersTake_withinLimits() {
    assertThat(memory.usual().bytes()).isEqualTo(2 * MIB);
    memory.used(5 * MIB);
    assertThat(memory.usual().bytes()).isEqualTo(2 * MIB);
    for (int i = 0; i < 200; i++) {
      memory.used(1000);
    }
    assertThat(memory.usual().bytes()).isEqualTo(MIB);
    memory.used(600_000);
    assertThat(memory.usual().bytes()).isEqualTo(1_200_000);
  }

  @Test
  void usualRoom_isSmall_butAlwaysThere() {
    MemoryBudget.Reservation others = budget.open(Purpose.BODIES);
    assertThat(others.growTo(budget.largest())).isTrue();
    for (int i = 0; i < 100; i++) {
      assertThat(memory.usual().bytes()).isEqualTo(64 << 10);
    }
    assertThat(held()).isEqualTo(100 * 3 * (64 << 10));
  }

  @Test
  void exactRoom_isCutToTheLargestAnswer_butHoldsWhatComesFirst() {
    assertThat(memory.exact(MIB, 10)).map(Room::bytes).contains(MIB);
    assertThat(memory.exact(100 * MIB, 10)).map(Room::bytes).contains(2 * MIB);
    assertThat(memory.exact(100 * MIB, 5 * MIB)).map(Room::bytes).contains(5 * MIB);
  }

  @Test
  void exactRoom_isSmallerOrNone_whenOthersHoldTheMemory() {
    MemoryBudget.Reservation others = budget.open(Purpose.BODIES);
    assertThat(others.growTo(25 * MIB)).isTrue();
    assertThat(memory.exact(2 * MIB, MIB / 2)).map(Room::bytes).contains(MIB / 2);
    assertThat(memory.exact(2 * MIB, 2 * MIB)).isEmpty();
  }

  @Test
  void whatIsLargerThanTheBudget_goesAlone() {
    Room alone = memory.exact(100 * MIB, 100 * MIB).orElseThrow();
    assertThat(alone.bytes()).isEqualTo(100 * MIB);
    assertThat(memory.exact(100 * MIB, 100 * MIB)).isEmpty();
    alone.release();
    assertThat(memory.exact(100 * MIB, 100 * MIB)).isPresent();
  }

  @Test
  void parts_areHeldByThemselves() {
    Room room = memory.usual();
    HeldMemory first = room.part(1000);
    HeldMemory second = room.keep(2000);
    assertThat(held()).isEqualTo(9000);
    first.release();
    assertThat(held()).isEqualTo(6000);
    second.release();
    assertThat(held()).isZero();
  }

  @Test
  void pages_areSmallerWhenMemoryIsShort_andRefusedWithoutAny() {
    AnswerMemory pages = new AnswerMemory(budget, Purpose.PAGES);
    int full = 0;
    while (pages.page().orElseThrow().bytes() == MIB / 2) {
      full++;
    }
    assertThat(full).isEqualTo(5);
    while (pages.page().isPresent()) {
      full++;
    }
    assertThat(budget.figures().held().get(Purpose.PAGES)).isLessThanOrEqualTo(8 * MIB);
  }
}
