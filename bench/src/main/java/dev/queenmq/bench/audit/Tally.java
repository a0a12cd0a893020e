package dev.queenmq.bench.audit;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Counts what happened. Safe for any thread. */
public final class Tally {

  /** What is counted. */
  public enum Count {
    PUSHED("messages pushed"),
    DUPLICATES("duplicates answered"),
    PUSH_CALLS("push calls"),
    PUSHES_AGAIN("pushes repeated after a lost answer"),
    ROLLBACKS("pushes rolled back by the client"),
    DELIVERED("messages delivered"),
    POP_CALLS("pop calls"),
    ACKED("messages acknowledged"),
    FAILED("messages failed or sent back"),
    DEAD("messages given up on by a verdict"),
    LEASES("leases granted"),
    LOST_LEASES("verdicts refused: lease lost"),
    DEATHS("consumers that died or came late"),
    RENEWALS("leases renewed"),
    TRANSACTIONS("transactions committed"),
    TRANSACTIONS_BACK("transactions rolled back"),
    TAIL_LOOKS("looks at the tail"),
    RECONCILE_PAGES("pages reconciled"),
    CANCELLED("statements cancelled"),
    TERMINATED("connections cut"),
    CRASHES("kills of PostgreSQL"),
    COMEBACKS("returns of PostgreSQL after a kill"),
    CALLS_FAILED("calls that failed on the way");

    private final String text;

    Count(String text) {
      this.text = text;
    }

    /** For people. */
    public String text() {
      return text;
    }
  }

  private final Map<Count, LongAdder> counts = new EnumMap<>(Count.class);

  Tally() {
    for (Count count : Count.values()) {
      counts.put(count, new LongAdder());
    }
  }

  void add(Count count, long more) {
    adder(count).add(more);
  }

  void add(Count count) {
    add(count, 1);
  }

  /** How many so far. */
  public long of(Count count) {
    return adder(count).sum();
  }

  private LongAdder adder(Count count) {
    LongAdder adder = counts.get(count);
    if (adder == null) {
      throw new IllegalStateException("unknown: " + count);
    }
    return adder;
  }
}
