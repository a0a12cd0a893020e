package dev.queenmq.client.admin.groups;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group on a queue, and how far it is.
 *
 * @param name of the group; consumers that name none are {@code __QUEUE_MODE__}
 * @param queue that it reads
 * @param startedPartitions partitions that it has begun to read
 * @param activeLeases partitions that a consumer of the group works on now
 * @param partitionsWithLag partitions with messages that it has not done
 * @param totalLag messages that it has not done, leased ones among them
 * @param maxTimeLagSeconds age of the oldest of these; 0 if there is none
 * @param state in one word
 * @param paused whether its pops of the queue are paused
 * @param subscriptionMode where it starts in partitions that it has not read: {@code all}, {@code
 *     new} or {@code timestamp}; null without a record for the whole queue
 * @param subscriptionTimestamp after which it starts there
 * @param subscriptionCreatedAt when that was recorded
 * @param statsAge how many seconds old the sums over partitions are
 */
public record GroupSummary(
    String name,
    @JsonProperty("queueName") String queue,
    @JsonProperty("members") long startedPartitions,
    long activeLeases,
    long partitionsWithLag,
    long totalLag,
    @JsonProperty("maxTimeLag") long maxTimeLagSeconds,
    State state,
    boolean paused,
    @Nullable String subscriptionMode,
    @Nullable Instant subscriptionTimestamp,
    @Nullable Instant subscriptionCreatedAt,
    long statsAge) {

  /** How a group is doing. */
  public enum State {
    /** Its oldest unfinished message is not old. */
    @JsonProperty("Stable")
    STABLE,
    /** Its oldest unfinished message is older than five minutes. */
    @JsonProperty("Lagging")
    LAGGING,
    /** No consumer of it ever finished a message, and none works on one now. */
    @JsonProperty("Dead")
    DEAD,
    /** A word that this version does not know. */
    @JsonEnumDefaultValue
    UNKNOWN
  }
}
