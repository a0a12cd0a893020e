package dev.queenmq.server.model;

import java.util.UUID;

/** A lease that is over, though nobody answered it. */
public record EndedLease(UUID partitionId, String partition, String group) {}
