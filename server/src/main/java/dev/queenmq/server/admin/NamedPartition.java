package dev.queenmq.server.admin;

import java.util.UUID;

/** What a partition is called. */
public record NamedPartition(UUID id, String queue, String partition) {}
