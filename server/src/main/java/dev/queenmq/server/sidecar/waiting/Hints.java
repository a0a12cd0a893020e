package dev.queenmq.server.sidecar.waiting;

import java.util.Optional;
import java.util.UUID;

/** What is remembered on behalf of the room, and may be wrong. */
public interface Hints {
  /** Whether a consumer at another broker probably holds a partition. */
  boolean leasedElsewhere(UUID partitionId, String group);

  /** The id of a partition. */
  Optional<UUID> partitionId(String queue, String partition);
}
