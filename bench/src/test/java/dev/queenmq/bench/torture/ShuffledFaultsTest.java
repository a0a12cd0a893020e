package dev.queenmq.bench.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ShuffledFaultsTest {
  private static final List<Fault> FAULTS = List.of(fault("a"), fault("b"), fault("c"), fault("d"));

  ShuffledFaultsTest() {}

  @Test
  void seed_givesTheSameOrderAndLengths() {
    assertThat(firstOf(new ShuffledFaults(FAULTS, 7), 20))
        .isEqualTo(firstOf(new ShuffledFaults(FAULTS, 7), 20));
    assertThat(firstOf(new ShuffledFaults(FAULTS, 7), 20))
        .isNotEqualTo(firstOf(new ShuffledFaults(FAULTS, 8), 20));
  }

  @Test
  void faults_comeEquallyOften() {
    ShuffledFaults faults = new ShuffledFaults(FAULTS, 1);
    for (int round = 0; round < 5; round++) {
      assertThat(IntStream.range(0, 4).mapToObj(i -> faults.next().fault().name()))
          .containsExactlyInAnyOrder("a", "b", "c", "d");
    }
  }

  private static List<String> firstOf(ShuffledFaults faults, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> faults.next())
        .map(seeded -> seeded.fault().name() + " " + seeded.fault().length(seeded.random()))
        .toList();
  }

  private static Fault fault(String name) {
    return Fault.of(name, name, 1, 9, random -> () -> {});
  }
}
