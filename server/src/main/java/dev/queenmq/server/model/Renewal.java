package dev.queenmq.server.model;

import java.time.Duration;
import java.util.UUID;

/** Keep a lease for so long from now, on every partition it holds. Never shortens it. */
public record Renewal(UUID leaseId, Duration extension) {}
