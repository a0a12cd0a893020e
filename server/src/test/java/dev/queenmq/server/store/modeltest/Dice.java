package dev.queenmq.server.store.modeltest;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Random choices that a seed repeats. */
final class Dice {
  private final SplittableRandom random;

  Dice(long seed) {
    random = new SplittableRandom(seed);
  }

  /** From 0 to below the bound. */
  int below(int bound) {
    return random.nextInt(bound);
  }

  /** Both ends included. */
  int between(int least, int most) {
    return random.nextInt(least, most + 1);
  }

  boolean percent(int chance) {
    return random.nextInt(100) < chance;
  }

  @SafeVarargs
  @SuppressWarnings("varargs")
  final <T> T oneOf(T... choices) {
    return choices[below(choices.length)];
  }

  <T> T oneOf(List<T> choices) {
    return choices.get(below(choices.size()));
  }

  <T> List<T> shuffled(List<T> list) {
    List<T> rest = new ArrayList<>(list);
    List<T> result = new ArrayList<>();
    while (!rest.isEmpty()) {
      result.add(rest.remove(below(rest.size())));
    }
    return result;
  }

  /** Some of them, possibly none, in their order. */
  <T> List<T> someOf(List<T> list) {
    return list.stream().filter(each -> percent(50)).toList();
  }
}
