package dev.queenmq.server.model;

import dev.queenmq.server.memory.HeldMemory;
import java.util.List;

/** What a pop got. */
public sealed interface PopOutcome {

  /**
   * Messages by partition (none is an answer too), and why other partitions gave nothing.
   *
   * @param memory that the messages take, to be released once they are delivered
   */
  record Served(List<PartitionBatch> batches, List<SkippedPartition> passed, HeldMemory memory)
      implements PopOutcome {

    /** The same without memory that is counted. */
    public Served(List<PartitionBatch> batches, List<SkippedPartition> passed) {
      this(batches, passed, HeldMemory.NONE);
    }

    /** The same, holding memory; none if there are no messages. */
    public Served holding(HeldMemory held) {
      return new Served(batches, passed, held);
    }
  }

  /** The request cannot be carried out; nothing was leased. */
  record Rejected(Problem problem) implements PopOutcome {}
}
