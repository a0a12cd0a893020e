package dev.queenmq.bench.audit.ledger;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Counts what must not happen and keeps the first examples. Safe for any thread. */
public final class Violations {
  private static final int EXAMPLES = 5;

  private final Map<Violation, Long> counts = new ConcurrentHashMap<>();
  private final Queue<String> examples = new ConcurrentLinkedQueue<>();

  /** None so far. */
  public Violations() {}

  /** One more. */
  public void add(Violation violation, String detail) {
    if (counts.merge(violation, 1L, Long::sum) <= EXAMPLES) {
      examples.add(violation + ": " + detail);
    }
  }

  /** Those of another count as well. */
  public void addAll(Violations others) {
    others.counts.forEach((violation, count) -> counts.merge(violation, count, Long::sum));
    examples.addAll(others.examples);
  }

  /** How often. */
  public long count(Violation violation) {
    return counts.getOrDefault(violation, 0L);
  }

  /** How often anything. */
  public long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The first few of each kind. */
  public List<String> examples() {
    return List.copyOf(examples);
  }
}
