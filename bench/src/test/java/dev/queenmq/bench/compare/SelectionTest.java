package dev.queenmq.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class SelectionTest {
  private static final List<String> SYSTEMS = List.of("queen", "bound", "kafka");

  SelectionTest() {}

  @Test
  void nothing_meansEverything() {
    Selection all = Selection.of(List.of(), SYSTEMS);

    assertThat(all.systems()).containsExactly("queen", "bound", "kafka");
    assertThat(all.cells()).containsExactly(Cell.values());
  }

  @Test
  void onlySystems_leavesAllCells_inTheUsualOrder() {
    Selection some = Selection.of(List.of("kafka", "queen"), SYSTEMS);

    assertThat(some.systems()).containsExactly("queen", "kafka");
    assertThat(some.cells()).containsExactly(Cell.values());
  }

  @Test
  void onlyCells_leavesAllSystems() {
    Selection some = Selection.of(List.of("e2e-1", "push-100"), SYSTEMS);

    assertThat(some.systems()).hasSize(3);
    assertThat(some.cells()).containsExactly(Cell.PUSH_100, Cell.E2E_1);
  }

  @Test
  void unknownName_isRefusedWithAllThatAreKnown() {
    assertThatThrownBy(() -> Selection.of(List.of("queen", "pulsar"), SYSTEMS))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "'pulsar' is neither a system (queen, bound, kafka) nor a workload (push-1, push-10,"
                + " push-100, consume-100, consume-1, e2e-1, e2e-10)");
  }
}
