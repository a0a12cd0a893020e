package dev.queenmq.server.store;

import java.util.List;

/** What a pop got. */
public sealed interface PopOutcome {

  /** Messages by partition (none is an answer too), and why other partitions gave nothing. */
  record Served(List<PartitionBatch> batches, List<Passed> passed) implements PopOutcome {}

  /** The request cannot be carried out; nothing was leased. */
  record Rejected(Problem problem) implements PopOutcome {}
}
