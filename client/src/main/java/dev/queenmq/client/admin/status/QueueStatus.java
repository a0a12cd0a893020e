package dev.queenmq.client.admin.status;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.queenmq.client.admin.queues.MessageCounts;
import dev.queenmq.client.admin.queues.PausedGroup;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How a queue is doing, with a page of its partitions.
 *
 * @param queue itself
 * @param totals over all partitions
 * @param partitionCount how many partitions it has, whatever the page shows
 * @param partitions by name
 * @param paused whether no group may pop from it
 * @param pausedSince since when
 * @param pausedBy the subject of the token of whoever asked for that
 * @param pausedGroups groups that are paused on their own
 */
public record QueueStatus(
    Queue queue,
    MessageCounts totals,
    long partitionCount,
    List<Partition> partitions,
    boolean paused,
    @Nullable Instant pausedSince,
    @Nullable String pausedBy,
    List<PausedGroup> pausedGroups) {

  /**
   * The queue itself.
   *
   * @param id of the queue
   * @param name of the queue
   * @param namespace a label; empty if it has none
   * @param task a label; empty if it has none
   * @param createdAt when it was made
   * @param priority in a pop by namespace or task, highest first
   * @param options some of them; {@code QueueAdmin.find} has all
   */
  public record Queue(
      UUID id,
      String name,
      String namespace,
      String task,
      Instant createdAt,
      int priority,
      @JsonProperty("config") Options options) {}

  /**
   * Some options of a queue; null where they are not set.
   *
   * @param leaseTime seconds that a lease lasts
   * @param retryLimit failures after which a message is a dead letter
   * @param retryDelay milliseconds that a partition pauses after a failure
   * @param ttl seconds after which messages are not delivered any more
   * @param maxSize how many unfinished messages the queue takes
   * @param deadLetterQueue whether expired messages become dead letters
   */
  public record Options(
      @Nullable Integer leaseTime,
      @Nullable Integer retryLimit,
      @Nullable Integer retryDelay,
      @Nullable Integer ttl,
      @JsonProperty("maxQueueSize") @Nullable Integer maxSize,
      @Nullable Boolean deadLetterQueue) {}

  /**
   * A partition of the queue.
   *
   * @param id of the partition
   * @param name of the partition
   * @param createdAt when it was made
   * @param messages counted
   * @param cursor how far groups are
   * @param oldestMessage when its oldest message was created; null if there is none
   * @param newestMessage when its newest message was created; null if there is none
   * @param lastActivity the last push or ack
   */
  public record Partition(
      UUID id,
      String name,
      Instant createdAt,
      MessageCounts messages,
      Cursor cursor,
      @Nullable Instant oldestMessage,
      @Nullable Instant newestMessage,
      @Nullable Instant lastActivity) {}

  /**
   * How far groups are in a partition.
   *
   * @param totalConsumed messages done
   */
  public record Cursor(long totalConsumed) {}
}
