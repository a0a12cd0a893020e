package dev.queenmq.server.sidecar.lane;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.sidecar.figures.OperationStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lane as that of pushes: calls beside each other never touch the same place. */
class ExclusiveLaneTest {
  private static final int MAX_ITEMS = 4;

  private final FakeStore store = new FakeStore();
  // The place of an item is its first letter.
  private final Lane<String, String> lane =
      new Lane<>(
          new Lane.Rules("test", MAX_ITEMS, 100, 2, 1, true, false),
          item -> item.charAt(0),
          store::call,
          new Lane.Carrier() {
            @Override
            public void later(long millis, Runnable attempt) {
              // No call becomes late here.
            }

            @Override
            public void arrived() {
              changed();
            }

            @Override
            public void changed() {
              while (lane().sendable()) {
                lane().send();
              }
            }

            @Override
            public long nanos() {
              return 0;
            }

            @Override
            public void databaseError() {
              // No counters here.
            }
          },
          new OperationStatistics("test"));

  private Lane<String, String> lane() {
    return lane;
  }

  private void add(String... items) {
    lane.add(List.of(items), items.length);
  }

  @Test
  void secondCall_goesBesideTheFirst_onlyIfItIsFull() {
    add("a1");
    add("b1");
    add("c1", "d1");
    assertThat(store.calls()).containsExactly(List.of("a1"));

    add("e1");

    assertThat(store.calls()).containsExactly(List.of("a1"), List.of("b1", "c1", "d1", "e1"));
  }

  @Test
  void secondCall_leavesOutTheFirstOnesPlaces_andWhatIsBehindThem_inOrder() {
    add("a1");
    add("a2", "x1");
    add("x2");
    add("b1", "b2", "b3");
    assertThat(store.calls()).as("what need not wait fills no call").hasSize(1);
    add("c1");
    assertThat(store.calls()).containsExactly(List.of("a1"), List.of("b1", "b2", "b3", "c1"));

    store.answer(1);
    assertThat(store.calls()).as("a is still occupied").hasSize(2);
    store.answer(0);

    assertThat(store.calls().get(2)).containsExactly("a2", "x1", "x2");
  }

  @Test
  void thirdCall_waits() {
    add("a1");
    add("b1", "b2", "b3", "b4");
    add("c1", "c2", "c3", "c4");
    assertThat(store.calls()).hasSize(2);

    store.answer(0);

    assertThat(store.calls().get(2)).containsExactly("c1", "c2", "c3", "c4");
  }

  @Test
  void partsOfACallThatWasCutInTwo_keepTheirPlaces() {
    add("a1");
    add("b1", "b2");
    add("c1", "c2");
    add("b3");

    store.fail(1, StoreException.Kind.INTERNAL);
    store.answer(0);
    store.answer(3);
    assertThat(store.calls())
        .containsExactly(
            List.of("a1"),
            List.of("b1", "b2", "c1", "c2"),
            List.of("b1", "b2"),
            List.of("c1", "c2"));
    store.answer(2);

    assertThat(store.calls().get(4)).containsExactly("b3");
  }
}
