package dev.queenmq.client.admin.messages;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message in a list, without its payload.
 *
 * @param id of the message
 * @param transactionId of the message; null where the broker no longer has it
 * @param partitionId of its partition
 * @param queue it was pushed to
 * @param partition it was pushed to
 * @param namespace of the queue
 * @param task of the queue
 * @param status over all groups
 * @param queueStatus what consumers without a group see; null where the broker does not report it
 * @param busStatus named groups; null where the broker does not report it
 * @param traceId that its producer gave it
 * @param producerSub the subject of its producer's token; null without tokens
 * @param createdAt when it was pushed
 * @param leaseExpiresAt when the lease ends that covers it
 */
public record StoredMessage(
    UUID id,
    @Nullable String transactionId,
    UUID partitionId,
    String queue,
    String partition,
    @Nullable String namespace,
    @Nullable String task,
    MessageStatus status,
    @Nullable MessageStatus queueStatus,
    @Nullable BusStatus busStatus,
    @Nullable UUID traceId,
    @Nullable String producerSub,
    Instant createdAt,
    @Nullable Instant leaseExpiresAt) {

  /**
   * How many named groups have done a message.
   *
   * @param consumedBy those that have
   * @param totalGroups all that read the queue
   */
  public record BusStatus(int consumedBy, int totalGroups) {}
}
