package dev.queenmq.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message that a group gave up.
 *
 * @param id the broker's id of the message
 * @param transactionId the producer's key
 * @param queue its queue
 * @param partition its partition
 * @param partitionId the broker's id of the partition
 * @param group the group that gave it up
 * @param error the reason, if one was given
 * @param retries how often it had failed before
 * @param payload what it says
 * @param createdAt when it was stored
 * @param failedAt when it was given up
 */
public record DeadLetter(
    String id,
    String transactionId,
    String queue,
    String partition,
    String partitionId,
    String group,
    @Nullable String error,
    int retries,
    JsonNode payload,
    Instant createdAt,
    Instant failedAt) {}
