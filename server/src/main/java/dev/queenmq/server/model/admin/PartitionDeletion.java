package dev.queenmq.server.model.admin;

import dev.queenmq.server.model.Problem;
import java.util.UUID;

/** What became of a partition that was to be deleted. */
public sealed interface PartitionDeletion {

  /** It is gone; one of the same name will have another id. */
  record Deleted(UUID partitionId) implements PartitionDeletion {}

  /** There is no such partition. */
  record NotFound() implements PartitionDeletion {}

  /** The request cannot be carried out. */
  record Rejected(Problem problem) implements PartitionDeletion {}
}
