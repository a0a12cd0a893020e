package dev.queenmq.client.admin.groups;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition in which a group is far behind.
 *
 * @param consumerGroup that is behind
 * @param queue of the partition
 * @param partition its name
 * @param partitionId its id
 * @param leaseId the lease that a consumer of the group holds on it now
 * @param offsetLag messages that the group has not done
 * @param timeLagSeconds age of the oldest of these
 * @param oldestUnconsumedAt when that one was created
 * @param lastConsumedAt when a consumer of the group last acked there
 */
public record LaggingPartition(
    @JsonProperty("consumer_group") String consumerGroup,
    @JsonProperty("queue_name") String queue,
    @JsonProperty("partition_name") String partition,
    @JsonProperty("partition_id") UUID partitionId,
    @JsonProperty("worker_id") @Nullable UUID leaseId,
    @JsonProperty("offset_lag") long offsetLag,
    @JsonProperty("time_lag_seconds") long timeLagSeconds,
    @JsonProperty("oldest_unconsumed_at") @Nullable Instant oldestUnconsumedAt,
    @JsonProperty("last_consumed_at") @Nullable Instant lastConsumedAt) {}
