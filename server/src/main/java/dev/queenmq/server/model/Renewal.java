package dev.queenmq.server.model;

import java.time.Duration;
import java.util.UUID;

/** Extends a lease to a time from now, on every partition it holds. Never shortens it. */
public record Renewal(UUID leaseId, Duration extension) {}
