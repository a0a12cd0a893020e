package dev.queenmq.server.sidecar.lane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BacklogTest {
  private static final int MOST = 100;

  /** A part of a request: where it goes, and which request of the test it is of. */
  private record Item(String place, int number) {}

  private final Backlog<Item, String> backlog = new Backlog<>(MOST, 1_000_000, Item::place);
  private int added;

  @Test
  void small_goBeforeLargeOnes() {
    add(100, "giant");
    add(100, "giant");
    add(1, "a");
    add(10, "b");

    assertThat(next()).containsExactly(2, 3, 0);
    assertThat(next()).containsExactly(1);
    assertThat(backlog.isEmpty()).isTrue();
  }

  @Test
  void large_goesInEveryCall_howeverManySmallOnesThereAre() {
    add(100, "giant");
    add(100, "giant");
    IntStream.range(0, 200).forEach(i -> add(1, "p" + i));

    assertThat(next()).hasSize(51).endsWith(0);
    assertThat(next()).hasSize(51).endsWith(1);
    assertThat(next()).hasSize(100);
  }

  @Test
  void large_doesNotOvertakeSmallOnes() {
    IntStream.range(0, 120).forEach(i -> add(1, "p" + i));
    add(100, "p119");
    add(1, "other");

    assertThat(next()).hasSize(100).doesNotContain(120);
    assertThat(next()).hasSize(22).endsWith(120);
  }

  @Test
  void small_staysBehindLarge_atTheSamePlace() {
    add(100, "giant");
    add(1, "giant");
    add(1, "other");

    assertThat(next()).containsExactly(2, 0);
    add(1, "giant");
    assertThat(next()).containsExactly(1, 3);
  }

  @Test
  void bytes_makeARequestLarge() {
    backlog.add(new LaneRequest<>(List.of(new Item("heavy", added++)), 900_000, 0));
    backlog.add(new LaneRequest<>(List.of(new Item("heavy", added++)), 900_000, 0));
    add(1, "a");

    assertThat(next()).containsExactly(2, 0);
    assertThat(next()).containsExactly(1);
  }

  @Test
  void single_requestsOfALaneWithoutFusion_goOneByOneAsTheyCame() {
    Backlog<Item, String> single = new Backlog<>(1, 1_000, Item::place);
    single.add(new LaneRequest<>(List.of(new Item("a", 0)), 900, 0));
    single.add(new LaneRequest<>(List.of(new Item("b", 1)), 1, 0));

    assertThat(numbers(single.take())).containsExactly(0);
    assertThat(numbers(single.take())).containsExactly(1);
  }

  @Test
  void occupiedPlaces_areWaitedFor_inOrder() {
    LaneRequest<Item, String> late = new LaneRequest<>(List.of(new Item("a", -1)), 1, 0);
    backlog.occupy(late);
    add(1, "a", "b");
    add(100, "b");
    add(1, "c");
    add(1, "b");

    assertThat(backlog.sendable()).isTrue();
    assertThat(next()).containsExactly(2);
    assertThat(backlog.sendable()).isFalse();
    backlog.freeAllBut(List.of());
    assertThat(backlog.sendable()).isTrue();
    assertThat(next()).containsExactly(0, 1);
    assertThat(next()).containsExactly(3);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anyTraffic_keepsTheOrderOfEveryPlace_andLosesNothing(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Deque<LaneRequest<Item, String>> late = new ArrayDeque<>();
    Map<String, Integer> last = new HashMap<>();
    Set<Integer> taken = new HashSet<>();
    for (int step = 0; step < 20_000; step++) {
      int dice = random.nextInt(20);
      if (dice < 9) {
        String[] places = new String[1 + random.nextInt(3)];
        for (int i = 0; i < places.length; i++) {
          places[i] = "p" + random.nextInt(12);
        }
        add(random.nextInt(4) == 0 ? 50 + random.nextInt(100) : 1 + random.nextInt(5), places);
      } else if (dice == 9 && late.size() < 3) {
        LaneRequest<Item, String> one =
            new LaneRequest<>(List.of(new Item("p" + random.nextInt(12), -1)), 1, 0);
        late.add(one);
        backlog.occupy(one);
      } else if (dice == 10 && !late.isEmpty()) {
        late.remove();
        backlog.freeAllBut(late);
      } else if (backlog.sendable()) {
        note(backlog.take(), late, last, taken);
      }
    }
    late.clear();
    backlog.freeAllBut(late);
    while (backlog.sendable()) {
      note(backlog.take(), late, last, taken);
    }

    assertThat(taken).hasSize(added);
    assertThat(backlog.size()).isZero();
  }

  private static void note(
      List<LaneRequest<Item, String>> call,
      Deque<LaneRequest<Item, String>> late,
      Map<String, Integer> last,
      Set<Integer> taken) {
    assertThat(call).isNotEmpty();
    Set<String> occupied = new HashSet<>();
    late.forEach(each -> each.items.forEach(item -> occupied.add(item.place)));
    for (LaneRequest<Item, String> request : call) {
      assertThat(taken.add(request.items.get(0).number)).isTrue();
      for (Item item : request.items) {
        assertThat(occupied).doesNotContain(item.place);
        assertThat(last.getOrDefault(item.place, -1)).isLessThanOrEqualTo(item.number);
        last.put(item.place, item.number);
      }
    }
  }

  /** Adds a request of a number of items, over these places. */
  private void add(int size, String... places) {
    int number = added++;
    List<Item> items = new ArrayList<>();
    for (String place : places) {
      items.add(new Item(place, number));
    }
    items.addAll(Collections.nCopies(Math.max(0, size - items.size()), items.get(0)));
    backlog.add(new LaneRequest<>(items, items.size(), 0));
  }

  private List<Integer> next() {
    return numbers(backlog.take());
  }

  private static List<Integer> numbers(List<LaneRequest<Item, String>> requests) {
    return requests.stream().map(request -> request.items.get(0).number()).toList();
  }
}
