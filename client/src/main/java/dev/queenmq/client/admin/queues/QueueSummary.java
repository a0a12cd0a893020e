package dev.queenmq.client.admin.queues;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A queue in a list of queues.
 *
 * @param id of the queue
 * @param name of the queue
 * @param namespace a label; empty if it has none
 * @param task a label; empty if it has none
 * @param createdAt when it was made
 * @param partitions how many it has
 * @param paused whether no group may pop from it
 * @param pausedSince since when
 * @param pausedBy the subject of the token of whoever asked for that
 * @param pausedGroups groups that are paused on their own
 * @param messages counted
 */
public record QueueSummary(
    UUID id,
    String name,
    String namespace,
    String task,
    Instant createdAt,
    long partitions,
    boolean paused,
    @Nullable Instant pausedSince,
    @Nullable String pausedBy,
    List<PausedGroup> pausedGroups,
    MessageCounts messages) {}
