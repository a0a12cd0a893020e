package dev.queenmq.client;

import org.jspecify.annotations.Nullable;

/**
 * What the broker says to one ack of several.
 *
 * @param transactionId of the message
 * @param success whether it counts
 * @param error why not: {@code Invalid or expired lease} or {@code Message not found}; else null
 * @param deadLetter whether the message is a dead letter now
 * @param leaseReleased whether its partition is free for other consumers of the group; otherwise
 *     you still hold the messages behind it that you received with it
 */
public record AckResult(
    String transactionId,
    boolean success,
    @Nullable String error,
    boolean deadLetter,
    boolean leaseReleased) {}
