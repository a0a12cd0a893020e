package dev.queenmq.server.model.admin;

import java.time.Instant;

/**
 * Let a group start after another moment, on all queues it has come to. Only partitions that it has
 * not read yet follow.
 */
public record SubscriptionMove(String group, Instant moment) {}
