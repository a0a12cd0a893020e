package dev.queenmq.client.admin.streams;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What became of a cycle.
 *
 * @param success whether it happened; look at this first
 * @param error why it did not
 * @param queryId of the query
 * @param partitionId of the partition that was popped from
 * @param queue of this partition
 * @param stateChangesApplied how many
 * @param pushResults one for each message
 * @param ackResult null if nothing was acked
 */
public record StreamCycleResult(
    boolean success,
    @Nullable String error,
    @JsonProperty("query_id") UUID queryId,
    @JsonProperty("partition_id") UUID partitionId,
    @JsonProperty("queueName") @Nullable String queue,
    @JsonProperty("state_ops_applied") int stateChangesApplied,
    @JsonProperty("push_results") List<PushResult> pushResults,
    @JsonProperty("ack_result") @Nullable AckResult ackResult) {

  /**
   * What became of a message.
   *
   * @param index its place among those that were pushed
   * @param status "queued" or "duplicate"
   * @param transactionId of the message
   * @param messageId of the message that is stored
   * @param partitionId it was pushed to; null for a duplicate
   * @param queue it was pushed to
   */
  public record PushResult(
      int index,
      String status,
      @JsonProperty("transaction_id") String transactionId,
      @JsonProperty("message_id") UUID messageId,
      @JsonProperty("partition_id") @Nullable UUID partitionId,
      @JsonProperty("queueName") @Nullable String queue) {}

  /**
   * What became of the ack.
   *
   * @param success whether it happened
   * @param count how many messages are done by it
   * @param leaseReleased whether the partition is free for others of the group
   * @param deadLettered whether the last message became a dead letter
   */
  public record AckResult(
      boolean success,
      int count,
      @JsonProperty("lease_released") boolean leaseReleased,
      @JsonProperty("dlq") boolean deadLettered) {}
}
