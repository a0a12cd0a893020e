package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.Problem;
import java.util.List;

/** What became of a request to remove much at a time. */
public sealed interface RemovalOutcome {

  /**
   * Done.
   *
   * @param count how many went
   * @param ended leases on messages that went
   */
  record Removed(long count, List<EndedLease> ended) implements RemovalOutcome {
    /** Copies the list. */
    public Removed {
      ended = List.copyOf(ended);
    }
  }

  /** There is no such queue or partition. */
  record NotFound() implements RemovalOutcome {}

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements RemovalOutcome {}
}
