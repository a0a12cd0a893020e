package dev.queenmq.client.admin.streams;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One cycle of a stream processor: what it changes in its state, what it pushes, and what it has
 * consumed. All of it happens, or nothing.
 *
 * @param queryId of the query
 * @param partitionId of the partition that was popped from
 * @param consumerGroup that popped; null for consumers without a group
 * @param stateChanges applied in order
 * @param pushes messages to push
 * @param ack what was consumed; null for nothing
 * @param releaseLease whether the lease ends although messages of it are left; null for true
 * @param idempotencyKey of cycles with the same key only the first happens
 */
public record StreamCycle(
    @JsonProperty("query_id") UUID queryId,
    @JsonProperty("partition_id") UUID partitionId,
    @JsonProperty("consumer_group") @Nullable String consumerGroup,
    @JsonProperty("state_ops") List<StateChange> stateChanges,
    @JsonProperty("push_items") List<Push> pushes,
    @Nullable Ack ack,
    @JsonProperty("release_lease") @Nullable Boolean releaseLease,
    @JsonProperty("idempotency_key") @Nullable String idempotencyKey) {

  /**
   * Copies the lists.
   *
   * @param queryId of the query
   * @param partitionId of the partition that was popped from
   * @param consumerGroup that popped
   * @param stateChanges applied in order
   * @param pushes messages to push
   * @param ack what was consumed
   * @param releaseLease whether the lease ends although messages of it are left
   * @param idempotencyKey of cycles with the same key only the first happens
   */
  public StreamCycle {
    stateChanges = List.copyOf(stateChanges);
    pushes = List.copyOf(pushes);
  }

  /**
   * A change of state.
   *
   * @param type {@code upsert} or {@code delete}
   * @param key up to 2,000 bytes
   * @param value anything that Jackson can write; null for a deletion
   */
  public record StateChange(String type, String key, @Nullable Object value) {

    /**
     * Sets a value.
     *
     * @param key of the value
     * @param value anything that Jackson can write
     * @return the change
     */
    public static StateChange upsert(String key, Object value) {
      return new StateChange("upsert", key, value);
    }

    /**
     * Removes a value.
     *
     * @param key of the value
     * @return the change
     */
    public static StateChange delete(String key) {
      return new StateChange("delete", key, null);
    }
  }

  /**
   * A message to push.
   *
   * @param queue it goes to
   * @param partition it goes to; null for {@code Default}
   * @param payload anything that Jackson can write
   * @param transactionId null for a random one
   */
  public record Push(
      String queue,
      @Nullable String partition,
      @Nullable Object payload,
      @Nullable String transactionId) {}

  /**
   * What was consumed.
   *
   * @param transactionId of the last message: it and all before it are done
   * @param leaseId under which it was popped; if given it must be live
   * @param status {@code completed}, or {@code failed} or {@code dlq} for a dead letter; null for
   *     the first
   * @param count how many messages these are; null for 1
   * @param error kept with a dead letter
   */
  public record Ack(
      String transactionId,
      @Nullable String leaseId,
      @Nullable String status,
      @Nullable Integer count,
      @Nullable String error) {

    /**
     * All messages up to this one are done.
     *
     * @param transactionId of the last message
     * @param leaseId under which it was popped
     * @param count how many messages these are
     * @return the ack
     */
    public static Ack completed(String transactionId, String leaseId, int count) {
      return new Ack(transactionId, leaseId, null, count, null);
    }
  }
}
