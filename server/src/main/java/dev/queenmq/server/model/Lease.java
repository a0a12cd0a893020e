package dev.queenmq.server.model;

import java.time.Instant;
import java.util.UUID;

/** The right to ack the messages of a pop, until it expires. */
public record Lease(UUID id, Instant expiresAt) {}
