package dev.queenmq.server.admin;

import java.time.Instant;

/** A name that traces have: how many, of how many messages, and the latest. */
public record TraceName(String name, long traces, long messages, Instant lastSeen) {}
