package dev.queenmq.bench.torture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Faults in a seeded order: all of them in any order, then all again in another. What each of them
 * chooses comes from a seed of its own, so that nothing depends on how long anything took.
 */
final class ShuffledFaults {
  private final List<Fault> faults;
  private final Random random;
  private final List<Fault> left = new ArrayList<>();

  ShuffledFaults(List<Fault> faults, long seed) {
    if (faults.isEmpty()) {
      throw new IllegalArgumentException("no fault to inject");
    }
    this.faults = List.copyOf(faults);
    random = new Random(seed);
  }

  /** A fault, and the source of its choices. */
  record SeededFault(Fault fault, Random random) {}

  SeededFault next() {
    if (left.isEmpty()) {
      left.addAll(faults);
      Collections.shuffle(left, random);
    }
    return new SeededFault(left.remove(left.size() - 1), new Random(random.nextLong()));
  }
}
