package dev.queenmq.server.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.memory.MemoryBudget.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
  private static final int CAPACITY = 800;
  private static final int SMALL = 20;

  private final MemoryBudget budget = new MemoryBudget(CAPACITY, SMALL);

  @Test
  void large_leaveTheRoomOfSmallOnes() {
    Reservation large = open();
    assertThat(large.growTo(701)).isFalse();
    assertThat(large.growTo(700)).isTrue();
    assertThat(open().growTo(21)).isFalse();
    for (int i = 0; i < 5; i++) {
      assertThat(open().growTo(SMALL)).isTrue();
    }
    assertThat(open().growTo(1)).isFalse();
    assertThat(held()).isEqualTo(CAPACITY);
    assertThat(budget.figures().refused().get(Purpose.BODIES)).isEqualTo(3);
  }

  @Test
  void small_useTheCommonRoomAsWell() {
    for (int i = 0; i < CAPACITY / SMALL; i++) {
      assertThat(open().growTo(SMALL)).isTrue();
    }
    assertThat(open().growTo(1)).isFalse();
  }

  @Test
  void growing_beyondSmall_freesTheRoomOfSmallOnes() {
    Reservation growing = open();
    assertThat(growing.growTo(SMALL)).isTrue();
    assertThat(growing.growTo(700)).isTrue();
    assertThat(growing.bytes()).isEqualTo(700);
    for (int i = 0; i < 5; i++) {
      assertThat(open().growTo(SMALL)).isTrue();
    }
  }

  @Test
  void refusedGrowth_changesNothing() {
    Reservation first = open();
    Reservation second = open();
    assertThat(first.growTo(400)).isTrue();
    assertThat(second.growTo(300)).isTrue();
    assertThat(second.growTo(301)).isFalse();
    assertThat(second.bytes()).isEqualTo(300);
    assertThat(second.growTo(10)).isTrue();
    assertThat(held()).isEqualTo(700);
    first.release();
    assertThat(second.growTo(301)).isTrue();
  }

  @Test
  void release_happensOnce_andNothingGrowsAfterIt() {
    Reservation reservation = open();
    assertThat(reservation.growTo(100)).isTrue();
    reservation.release();
    reservation.release();
    assertThat(held()).isZero();
    assertThat(reservation.growTo(1)).isFalse();
    assertThat(held()).isZero();
  }

  @Test
  void split_handsOver_andReservesWhatIsMissing() {
    Reservation whole = open();
    assertThat(whole.growTo(500)).isTrue();
    Reservation part = whole.split(200);
    assertThat(part.bytes()).isEqualTo(200);
    assertThat(whole.bytes()).isEqualTo(300);
    assertThat(held()).isEqualTo(500);
    Reservation more = whole.split(400);
    assertThat(more.bytes()).isEqualTo(400);
    assertThat(held()).isEqualTo(600);
    whole.release();
    part.release();
    more.release();
    assertThat(held()).isZero();
    assertThat(open().growTo(700)).isTrue();
  }

  @Test
  void force_takesWhatIsNotThere_andOthersWait() {
    Reservation first = open();
    assertThat(first.growTo(700)).isTrue();
    Reservation forced = open();
    forced.force(500);
    assertThat(forced.bytes()).isEqualTo(500);
    first.release();
    Reservation next = open();
    assertThat(next.growTo(250)).isFalse();
    forced.release();
    assertThat(next.growTo(250)).isTrue();
  }

  @Test
  void pages_haveAShare_oneAloneMayHaveMore() {
    MemoryBudget budget = new MemoryBudget(8000, 100);
    Reservation alone = budget.open(Purpose.PAGES);
    assertThat(alone.growTo(5000)).isTrue();
    Reservation second = budget.open(Purpose.PAGES);
    assertThat(second.growTo(200)).isFalse();
    assertThat(budget.open(Purpose.BODIES).growTo(200)).isTrue();
    alone.release();
    assertThat(second.growTo(200)).isTrue();
    assertThat(budget.open(Purpose.PAGES).growTo(1900)).isFalse();
    assertThat(budget.open(Purpose.PAGES).growTo(1700)).isTrue();
  }

  @Test
  void forceWithinPart_isRefusedByItsOwnPartOnly() {
    assertThat(open().growTo(700)).isTrue();
    Reservation first = budget.open(Purpose.PAGES);
    assertThat(first.forceWithinPart(150)).isTrue();
    Reservation second = budget.open(Purpose.PAGES);
    assertThat(second.forceWithinPart(51)).isFalse();
    assertThat(second.bytes()).isZero();
    assertThat(second.forceWithinPart(50)).isTrue();
    first.release();
    assertThat(first.forceWithinPart(1)).isFalse();
    assertThat(second.forceWithinPart(200)).isTrue();
    assertThat(second.bytes()).isEqualTo(200);
  }

  @Test
  void manyThreads_neverHoldMoreThanTheCapacity_andGiveEverythingBack() throws Exception {
    long seed = new Random().nextLong();
    AtomicLong granted = new AtomicLong();
    AtomicLong most = new AtomicLong();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Boolean>> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        Random random = new Random(seed + i);
        Callable<Boolean> work =
            () -> {
              for (int n = 0; n < 20_000; n++) {
                Reservation reservation = open();
                int bytes = 1 + random.nextInt(random.nextBoolean() ? SMALL : 300);
                if (reservation.growTo(bytes)) {
                  most.accumulateAndGet(granted.addAndGet(bytes), Math::max);
                  granted.addAndGet(-bytes);
                }
                reservation.release();
              }
              return true;
            };
        all.add(threads.submit(work));
      }
      for (Future<Boolean> each : all) {
        assertThat(each.get()).isTrue();
      }
    } finally {
      threads.shutdown();
    }
    assertThat(most.get()).as("seed %d", seed).isPositive().isLessThanOrEqualTo(CAPACITY);
    assertThat(held()).isZero();
    assertThat(open().growTo(700)).isTrue();
  }

  private Reservation open() {
    return budget.open(Purpose.BODIES);
  }

  private long held() {
    return budget.figures().held().getOrDefault(Purpose.BODIES, -1L);
  }
}
