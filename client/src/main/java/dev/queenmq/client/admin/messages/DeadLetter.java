package dev.queenmq.client.admin.messages;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message that a group gave up.
 *
 * @param id of the message
 * @param transactionId of the message
 * @param partitionId of its partition
 * @param queue it was pushed to
 * @param partition it was pushed to
 * @param consumerGroup that gave it up
 * @param errorMessage what the last consumer said; null if it said nothing
 * @param retryCount how often it had failed
 * @param payload as it was pushed
 * @param producerSub the subject of its producer's token; null without tokens
 * @param createdAt when it was pushed
 * @param failedAt when it was given up
 */
public record DeadLetter(
    UUID id,
    String transactionId,
    UUID partitionId,
    String queue,
    String partition,
    String consumerGroup,
    @Nullable String errorMessage,
    int retryCount,
    @JsonProperty("data") JsonNode payload,
    @Nullable String producerSub,
    Instant createdAt,
    Instant failedAt) {}
