package dev.queenmq.server.model;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Where a pop looks for messages. */
public sealed interface PopTarget {

  /** One partition by name; a lock on it is waited for. */
  record Named(String queue, String partition) implements PopTarget {}

  /**
   * Any of these partitions, in the order given; one that is locked is passed over. The queue, when
   * given, is where the group's first contact is recorded even if there is no candidate.
   */
  record Candidates(Optional<String> queue, List<UUID> partitionIds) implements PopTarget {
    public Candidates {
      partitionIds = List.copyOf(partitionIds);
    }
  }
}
