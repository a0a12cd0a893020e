package dev.queenmq.client.admin.messages;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * What became of an ack.
 *
 * @param success whether it counts
 * @param error why it does not
 * @param transactionId of the message
 * @param queue of the message
 * @param partition of the message
 * @param leaseReleased whether the partition is free for others of the group
 * @param deadLettered whether the message became a dead letter
 */
public record SettledMessage(
    boolean success,
    @Nullable String error,
    String transactionId,
    @JsonProperty("queueName") @Nullable String queue,
    @JsonProperty("partitionName") @Nullable String partition,
    @Nullable Boolean leaseReleased,
    @JsonProperty("dlq") boolean deadLettered) {}
