package dev.queenmq.server.model;

import java.time.Instant;
import java.util.UUID;

/** The right to answer for what was handed out, until it expires. */
public record Lease(UUID id, Instant expiresAt) {}
