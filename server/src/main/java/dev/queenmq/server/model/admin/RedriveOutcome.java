package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;
import java.util.List;
import java.util.UUID;

/** What became of a redrive. */
public sealed interface RedriveOutcome {

  /** A partition that got messages. */
  record Appended(UUID partitionId, String partition) {}

  /**
   * Done, perhaps by an earlier call with the same request id.
   *
   * @param count how many are messages again
   * @param remaining how many of the selection are still dead letters
   * @param partitions where they are now; empty if this call did nothing
   * @param messageIds their ids, by the names of the partitions and in order; likewise
   */
  record Redriven(
      String queue, int count, long remaining, List<Appended> partitions, List<UUID> messageIds)
      implements RedriveOutcome {
    /** Copies the lists. */
    public Redriven {
      partitions = List.copyOf(partitions);
      messageIds = List.copyOf(messageIds);
    }
  }

  /**
   * Some of them have to be sealed first, and this broker has no key to do it with. Nothing was
   * given back.
   */
  record KeyMissing() implements RedriveOutcome {}

  /**
   * Some of them have to be sealed again first, and cannot be opened. Nothing was given back.
   *
   * @param why repeats nothing of them
   */
  record Unopenable(String why) implements RedriveOutcome {}

  /** There is no such queue or partition. */
  record NotFound() implements RedriveOutcome {}

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements RedriveOutcome {}
}
