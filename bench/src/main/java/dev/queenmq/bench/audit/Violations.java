package dev.queenmq.bench.audit;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/** Counts what must not happen and keeps the first examples. Safe for any thread. */
public final class Violations {
  private static final int EXAMPLES = 5;

  private final Map<Violation, LongAdder> counts = new EnumMap<>(Violation.class);
  private final Queue<String> examples = new ConcurrentLinkedQueue<>();

  /** None so far. */
  public Violations() {
    for (Violation violation : Violation.values()) {
      counts.put(violation, new LongAdder());
    }
  }

  /** One more. */
  public void add(Violation violation, String detail) {
    adder(violation).increment();
    if (adder(violation).sum() <= EXAMPLES) {
      examples.add(violation + ": " + detail);
    }
  }

  /** How often. */
  public long count(Violation violation) {
    return adder(violation).sum();
  }

  /** How often anything. */
  public long total() {
    return counts.values().stream().mapToLong(LongAdder::sum).sum();
  }

  /** The first few of each kind. */
  public List<String> examples() {
    return List.copyOf(examples);
  }

  private LongAdder adder(Violation violation) {
    LongAdder adder = counts.get(violation);
    if (adder == null) {
      throw new IllegalStateException("unknown: " + violation);
    }
    return adder;
  }
}
