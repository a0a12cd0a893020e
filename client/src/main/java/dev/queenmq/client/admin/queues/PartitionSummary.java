package dev.queenmq.client.admin.queues;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition and what is in it.
 *
 * @param id of the partition
 * @param queue null where it is shown within its queue
 * @param name of the partition
 * @param createdAt when it was made
 * @param messages counted
 * @param oldestMessage when its oldest message was created; null if there is none, or if it is not
 *     shown within its queue
 * @param newestMessage the same for its newest message
 */
public record PartitionSummary(
    UUID id,
    @Nullable String queue,
    String name,
    Instant createdAt,
    @JsonProperty("stats") MessageCounts messages,
    @Nullable Instant oldestMessage,
    @Nullable Instant newestMessage) {}
