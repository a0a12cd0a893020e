package dev.queenmq.server.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.spool.ReplayWindow.Part;
import dev.queenmq.server.spool.log.SpoolEntry;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReplayWindowTest {
  private static final int MOST = 100;
  private static final long LATER = 3_600_000_000_000L;

  private final ReplayWindow window = new ReplayWindow();

  /** Entries of these partitions of one queue. */
  private void show(String... partitions) {
    window.show(
        Stream.of(partitions)
            .map(name -> Message.of("q", name, new UUID(0, 1), "t", "1"))
            .map(message -> new SpoolEntry(message, false, 0))
            .toList());
  }

  private List<Part> ready() {
    return window.ready(MOST, position -> false, 0);
  }

  private static Part part(String partition, Integer... positions) {
    return new Part(new PartitionName("q", partition), List.of(positions));
  }

  @Test
  void ready_gathersByPartition_inOrder() {
    show("a", "b", "a", "c", "b");

    assertThat(ready()).containsExactly(part("a", 0, 2), part("b", 1, 4), part("c", 3));
    assertThat(window.ready(3, position -> false, 0))
        .containsExactly(part("a", 0, 2), part("b", 1));
  }

  @Test
  void partition_waitsForItsAnswer_othersDoNot() {
    show("a", "b", "a");
    window.sends(part("a", 0));

    assertThat(ready()).containsExactly(part("b", 1));
    assertThat(window.isInDoubt(0)).isTrue();
    assertThat(window.isInDoubt(2)).isFalse();

    window.answered(part("a", 0));
    window.settle(0);
    assertThat(ready()).containsExactly(part("b", 1), part("a", 2));
  }

  @Test
  void entryThatMustWait_holdsBackWhatFollowsInItsPartition() {
    show("a", "a", "b", "a");

    assertThat(window.ready(MOST, position -> position == 1, 0))
        .containsExactly(part("a", 0), part("b", 2));
  }

  @Test
  void heldUpPartition_comesAgainLater() {
    show("a", "b");
    window.holdUp(new PartitionName("q", "a"), 0);

    assertThat(ready()).containsExactly(part("b", 1));
    assertThat(window.ready(MOST, position -> false, LATER))
        .containsExactly(part("a", 0), part("b", 1));
  }

  @Test
  void refusedPart_isHalved_untilOneStandsAlone() {
    show(IntStream.range(0, 8).mapToObj(i -> "a").toArray(String[]::new));
    PartitionName partition = new PartitionName("q", "a");
    int[] first = new int[1];

    assertThat(window.refused(partition, 8, 0, () -> first[0]++)).isZero();
    assertThat(ready()).containsExactly(part("a", 0, 1, 2, 3));
    assertThat(window.refused(partition, 4, 0, () -> first[0]++)).isZero();
    assertThat(window.refused(partition, 2, 0, () -> first[0]++)).isZero();
    assertThat(ready()).containsExactly(part("a", 0));
    assertThat(window.refused(partition, 1, 0, () -> first[0]++)).isEqualTo(1);
    assertThat(window.refused(partition, 1, 0, () -> first[0]++)).isEqualTo(2);
    assertThat(first[0]).isEqualTo(1);

    window.giveUp(0, "bad");
    assertThat(ready()).containsExactly(part("a", 1, 2, 3, 4, 5, 6, 7));
    assertThat(window.dead()).isEqualTo(Map.of(0, "bad"));
    IntStream.range(1, 8).forEach(window::settle);
    assertThat(window.isSettled()).isTrue();
  }

  @Test
  void slowPart_isHalvedFromTheSecondTimeOn_andGrowsAgain() {
    show(IntStream.range(0, 8).mapToObj(i -> "a").toArray(String[]::new));
    PartitionName partition = new PartitionName("q", "a");

    window.slow(partition, 8, 0);
    assertThat(ready()).isEmpty();
    assertThat(later()).containsExactly(part("a", 0, 1, 2, 3, 4, 5, 6, 7));
    window.slow(partition, 8, 0);
    assertThat(later()).containsExactly(part("a", 0, 1, 2, 3));
    window.slow(partition, 4, 0);
    window.slow(partition, 2, 0);
    assertThat(later()).containsExactly(part("a", 0));
    window.slow(partition, 1, 0);
    assertThat(later()).containsExactly(part("a", 0));

    window.settle(0);
    window.goesOn(partition);
    assertThat(later()).containsExactly(part("a", 1, 2));
    // Once cut, it is cut again at once.
    window.slow(partition, 2, 0);
    assertThat(later()).containsExactly(part("a", 1));
    // Slowness is no suspicion: the first refusal is the first.
    int[] first = new int[1];
    window.goesOn(partition);
    assertThat(window.refused(partition, 1, 0, () -> first[0]++)).isEqualTo(1);
    assertThat(first[0]).isEqualTo(1);
  }

  private List<Part> later() {
    return window.ready(MOST, position -> false, LATER);
  }

  @Test
  void largerWindow_keepsWhatIsSettled() {
    show("a", "b");
    window.settle(1);
    show("a", "b", "c");

    assertThat(window.isSettled()).isFalse();
    assertThat(ready()).containsExactly(part("a", 0), part("c", 2));
  }
}
