package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.EndedLease;
import dev.queenmq.server.model.Problem;
import java.util.List;

/** What became of a request about one message. */
public sealed interface MessageOutcome {

  /**
   * Done.
   *
   * @param ended leases of which nothing was left to be done
   */
  record Done(String queue, List<EndedLease> ended) implements MessageOutcome {
    /** Copies the list. */
    public Done {
      ended = List.copyOf(ended);
    }
  }

  /** There is no such message, or it is done already. */
  record NotFound() implements MessageOutcome {}

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements MessageOutcome {}
}
