package dev.queenmq.server.model;

import java.util.UUID;

/** A lease that ended without an ack. */
public record EndedLease(UUID partitionId, String partition, String group) {}
