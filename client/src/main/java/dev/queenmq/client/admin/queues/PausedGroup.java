package dev.queenmq.client.admin.queues;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A group whose pops of a queue are paused.
 *
 * @param consumerGroup its name
 * @param since when that was asked for
 * @param by the subject of the token of whoever asked; null without tokens
 */
public record PausedGroup(String consumerGroup, @Nullable Instant since, @Nullable String by) {}
