package dev.queenmq.client.admin.groups;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How far a group is in a partition.
 *
 * @param queue of the partition
 * @param partition its name
 * @param leaseId the lease that a consumer of the group holds on it now
 * @param lastConsumedAt when a consumer last acked, or took messages with automatic ack
 * @param totalConsumed how far the group has come since it started there or was moved there
 * @param offsetLag messages that it has not done
 * @param timeLagSeconds age of the oldest of these; 0 if there is none
 */
public record GroupPartition(
    String queue,
    String partition,
    @Nullable UUID leaseId,
    @Nullable Instant lastConsumedAt,
    long totalConsumed,
    long offsetLag,
    long timeLagSeconds) {}
