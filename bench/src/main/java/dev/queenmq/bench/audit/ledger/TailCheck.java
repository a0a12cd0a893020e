package dev.queenmq.bench.audit.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Checks the guarantee of the tail feed: the first look that begins after a push was answered, or
 * one before it that ended after the push was sent, reports its partition. Safe for any thread.
 */
public final class TailCheck {
  private record Pushed(UUID partition, long sent, long answered) {}

  private final Violations violations;
  private final Map<UUID, Long> lastReported = new HashMap<>();
  private List<Pushed> waiting = new ArrayList<>();
  private long checkedSince = System.nanoTime();

  public TailCheck(Violations violations) {
    this.violations = violations;
  }

  public synchronized void pushed(UUID partition, long sent) {
    if (sent - checkedSince > 0) {
      waiting.add(new Pushed(partition, sent, System.nanoTime()));
    }
  }

  public synchronized void looked(Collection<UUID> reported, long began, long ended) {
    reported.forEach(partition -> lastReported.put(partition, ended));
    List<Pushed> later = new ArrayList<>();
    for (Pushed push : waiting) {
      if (push.answered() >= began) {
        later.add(push);
      } else if (lastReported.getOrDefault(push.partition(), Long.MIN_VALUE) < push.sent()) {
        violations.add(Violation.MISSED_BY_TAIL, push + " by a look of " + began);
      }
    }
    waiting = later;
  }

  /** The feed starts again, and need not report what was before. */
  public synchronized void startOver() {
    waiting = new ArrayList<>();
    checkedSince = System.nanoTime();
  }
}
