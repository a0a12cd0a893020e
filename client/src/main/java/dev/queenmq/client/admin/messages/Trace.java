package dev.queenmq.client.admin.messages;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer recorded about a message.
 *
 * @param id of the trace
 * @param eventType its kind, {@code info} if the consumer named none
 * @param data any JSON
 * @param consumerGroup of the consumer
 * @param workerId of the broker that recorded it
 * @param createdAt when it was recorded
 * @param traceNames under which it is found
 * @param transactionId of the message; null among the traces of one message, like all that follow
 * @param partitionId of the message
 * @param queue of the message
 * @param partition of the message
 * @param messagePayload of the message; null if it is gone or cannot be decrypted
 * @param messagePayloadError why it cannot be decrypted
 */
public record Trace(
    UUID id,
    @JsonProperty("event_type") String eventType,
    JsonNode data,
    @JsonProperty("consumer_group") String consumerGroup,
    @JsonProperty("worker_id") @Nullable String workerId,
    @JsonProperty("created_at") Instant createdAt,
    @JsonProperty("trace_names") List<String> traceNames,
    @JsonProperty("transaction_id") @Nullable String transactionId,
    @JsonProperty("partition_id") @Nullable UUID partitionId,
    @JsonProperty("queue_name") @Nullable String queue,
    @JsonProperty("partition_name") @Nullable String partition,
    @JsonProperty("message_payload") @Nullable JsonNode messagePayload,
    @JsonProperty("message_payload_error") @Nullable String messagePayloadError) {}
