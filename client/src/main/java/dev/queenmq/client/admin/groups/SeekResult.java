package dev.queenmq.client.admin.groups;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * How a group was moved.
 *
 * @param partitionsUpdated in how many partitions
 * @param cursorMovedTo of one partition: when the last message was created that is now behind the
 *     group; null if there is none, and for whole queues
 */
public record SeekResult(long partitionsUpdated, @Nullable Instant cursorMovedTo) {}
