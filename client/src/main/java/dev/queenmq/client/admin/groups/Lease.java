package dev.queenmq.client.admin.groups;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A lease on one partition, and who holds it. A pop of several partitions has one lease on each,
 * all with the same id.
 *
 * @param leaseId of the lease
 * @param queue of the partition
 * @param partition its name
 * @param partitionId its id
 * @param consumerGroup that the messages were delivered to
 * @param messages that the lease covers
 * @param done how many of these are acked
 * @param since when they were delivered
 * @param until when it ends
 * @param address of the client
 * @param subject of its token; null without tokens
 * @param broker that it asked
 */
public record Lease(
    UUID leaseId,
    String queue,
    String partition,
    UUID partitionId,
    String consumerGroup,
    long messages,
    long done,
    @Nullable Instant since,
    Instant until,
    @Nullable String address,
    @Nullable String subject,
    @Nullable String broker) {}
