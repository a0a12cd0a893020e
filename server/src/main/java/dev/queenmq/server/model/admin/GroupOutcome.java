package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;
import java.util.Set;

/** What became of a request that is about a group on all of its queues. */
public sealed interface GroupOutcome {

  /**
   * Done.
   *
   * @param count of what was deleted or changed: cursors, or subscriptions
   * @param queues where the group may get other messages now
   */
  record Changed(int count, Set<String> queues) implements GroupOutcome {
    /** Copies the queues. */
    public Changed {
      queues = Set.copyOf(queues);
    }
  }

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements GroupOutcome {}
}
