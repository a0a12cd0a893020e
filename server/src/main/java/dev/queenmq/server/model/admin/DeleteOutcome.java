package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;

/** What became of a request to delete a queue. */
public sealed interface DeleteOutcome {

  /** It is gone. */
  record Deleted(boolean existed) implements DeleteOutcome {}

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements DeleteOutcome {}
}
