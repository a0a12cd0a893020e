package dev.queenmq.client.admin.queues;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A queue with its options and a page of its partitions.
 *
 * @param id of the queue
 * @param name of the queue
 * @param namespace a label; empty if it has none
 * @param task a label; empty if it has none
 * @param createdAt when it was made
 * @param partitionCount how many partitions it has, whatever the page shows
 * @param partitions by name
 * @param paused whether no group may pop from it
 * @param pausedSince since when
 * @param pausedBy the subject of the token of whoever asked for that
 * @param pausedGroups groups that are paused on their own
 * @param totals over all partitions
 * @param options all of them, as they are in force
 */
public record QueueDetails(
    UUID id,
    String name,
    String namespace,
    String task,
    Instant createdAt,
    long partitionCount,
    List<PartitionSummary> partitions,
    boolean paused,
    @Nullable Instant pausedSince,
    @Nullable String pausedBy,
    List<PausedGroup> pausedGroups,
    MessageCounts totals,
    QueueOptions options) {}
