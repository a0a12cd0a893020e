package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** What became of a seek. */
public sealed interface SeekOutcome {

  /**
   * Done.
   *
   * @param partitions how many partitions the group now reads from the new place
   * @param offset where, if the seek was for one partition
   * @param behind when the message before that was created, if there is one
   */
  record Moved(int partitions, OptionalLong offset, Optional<Instant> behind)
      implements SeekOutcome {}

  /** There is no such queue or partition. */
  record NotFound() implements SeekOutcome {}

  /** The group has neither read nor subscribed to the queue: a seek makes no group. */
  record UnknownGroup() implements SeekOutcome {}

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements SeekOutcome {}
}
