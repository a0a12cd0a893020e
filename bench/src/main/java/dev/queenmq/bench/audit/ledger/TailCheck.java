package dev.queenmq.bench.audit.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Holds the tail feed to its word: the first look that begins after a push was answered, or one
 * before it that ended after the push was sent, tells its partition. Safe for any thread.
 */
public final class TailCheck {
  private record Pushed(UUID partition, long sent, long answered) {}

  private final Violations violations;
  private final Map<UUID, Long> lastTold = new HashMap<>();
  private List<Pushed> waiting = new ArrayList<>();
  private long owedSince = System.nanoTime();

  public TailCheck(Violations violations) {
    this.violations = violations;
  }

  public synchronized void pushed(UUID partition, long sent) {
    if (sent - owedSince > 0) {
      waiting.add(new Pushed(partition, sent, System.nanoTime()));
    }
  }

  public synchronized void looked(Collection<UUID> told, long began, long ended) {
    told.forEach(partition -> lastTold.put(partition, ended));
    List<Pushed> later = new ArrayList<>();
    for (Pushed push : waiting) {
      if (push.answered() >= began) {
        later.add(push);
      } else if (lastTold.getOrDefault(push.partition(), Long.MIN_VALUE) < push.sent()) {
        violations.add(Violation.MISSED_BY_TAIL, push + " by a look of " + began);
      }
    }
    waiting = later;
  }

  /** The feed begins anew and owes nothing for what was before. */
  public synchronized void startOver() {
    waiting = new ArrayList<>();
    owedSince = System.nanoTime();
  }
}
