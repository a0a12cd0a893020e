package dev.queenmq.client.admin.messages;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import dev.queenmq.client.admin.queues.QueueOptions;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One message with its payload.
 *
 * @param id of the message
 * @param transactionId of the message
 * @param partitionId of its partition
 * @param queue it was pushed to
 * @param partition it was pushed to
 * @param namespace of the queue
 * @param task of the queue
 * @param status over all groups
 * @param payload as it was pushed
 * @param encrypted whether it is stored encrypted
 * @param traceId that its producer gave it
 * @param producerSub the subject of its producer's token; null without tokens
 * @param createdAt when it was pushed
 * @param errorMessage of its last dead letter
 * @param retryCount of its last dead letter
 * @param leaseExpiresAt when the lease ends that covers it
 * @param queueOptions some options of its queue
 * @param mode who reads its partition
 * @param consumerGroups what named groups have done with it
 */
public record MessageDetails(
    UUID id,
    String transactionId,
    UUID partitionId,
    String queue,
    String partition,
    @Nullable String namespace,
    @Nullable String task,
    MessageStatus status,
    JsonNode payload,
    @JsonProperty("isEncrypted") boolean encrypted,
    @Nullable UUID traceId,
    @Nullable String producerSub,
    Instant createdAt,
    @Nullable String errorMessage,
    @Nullable Integer retryCount,
    @Nullable Instant leaseExpiresAt,
    @JsonProperty("queueConfig") QueueOptions queueOptions,
    Mode mode,
    List<Group> consumerGroups) {

  /**
   * Who reads a partition.
   *
   * @param type {@code queue}: consumers without a group; {@code bus}: named groups; {@code
   *     hybrid}: both; {@code none}
   * @param hasQueueMode whether consumers without a group do
   * @param busGroupsCount how many named groups do
   * @param consumedByGroups how many of these have done the message
   */
  public record Mode(String type, boolean hasQueueMode, int busGroupsCount, int consumedByGroups) {}

  /**
   * What a named group has done with the message.
   *
   * @param name of the group
   * @param consumed whether it is done
   * @param leaseExpiresAt when its lease ends that covers the message
   */
  public record Group(String name, boolean consumed, @Nullable Instant leaseExpiresAt) {}
}
