package dev.queenmq.server.sharedstate;

import java.util.Optional;
import java.util.UUID;

/** A partition of a queue, with its id where that is known. */
public record PartitionRef(String partition, Optional<UUID> partitionId) {}
