package dev.queenmq.server.model;

import dev.queenmq.server.encryption.MessageIdentity;
import dev.queenmq.server.text.Utf8Pieces;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message on its way into the store.
 *
 * @param queue created when it does not exist
 * @param partition the lane; created when it does not exist
 * @param id the message's own id, made by the caller
 * @param transactionId the producer's id, by which repeated pushes are recognised
 * @param payload the producer's JSON text (or its encrypted form), kept byte for byte
 * @param traceId carried along, or null
 * @param producerSub who pushed it, or null
 * @param encrypted whether the payload is encrypted
 * @param sentAt when it was first sent to PostgreSQL, at the earliest and by this broker's clock,
 *     if no reply came: it may be stored already. Null for a message that was not sent before
 * @param payloadBytes of the payload in UTF-8; whoever read it from bytes need not count them again
 */
public record Message(
    String queue,
    String partition,
    UUID id,
    String transactionId,
    String payload,
    @Nullable UUID traceId,
    @Nullable String producerSub,
    boolean encrypted,
    @Nullable Instant sentAt,
    int payloadBytes) {

  /** A message whose payload is still to be measured. */
  public Message(
      String queue,
      String partition,
      UUID id,
      String transactionId,
      String payload,
      @Nullable UUID traceId,
      @Nullable String producerSub,
      boolean encrypted,
      @Nullable Instant sentAt) {
    this(
        queue,
        partition,
        id,
        transactionId,
        payload,
        traceId,
        producerSub,
        encrypted,
        sentAt,
        Utf8Pieces.length(payload));
  }

  /** A message that was not sent before. */
  public Message(
      String queue,
      String partition,
      UUID id,
      String transactionId,
      String payload,
      @Nullable UUID traceId,
      @Nullable String producerSub,
      boolean encrypted) {
    this(queue, partition, id, transactionId, payload, traceId, producerSub, encrypted, null);
  }

  /**
   * The same message, about to be sent again because no reply came.
   *
   * @param moment when it was sent, or earlier
   */
  public Message sentAt(Instant moment) {
    return sentAt != null && !moment.isBefore(sentAt)
        ? this
        : new Message(
            queue,
            partition,
            id,
            transactionId,
            payload,
            traceId,
            producerSub,
            encrypted,
            moment,
            payloadBytes);
  }

  /** Why the store will never take it, if so. */
  public Optional<Problem> problem() {
    return MessageRules.message(this);
  }

  /** Whether both go to the same partition. */
  public boolean isBeside(Message other) {
    return partition.equals(other.partition) && queue.equals(other.queue);
  }

  /** What its payload is bound to when it is sealed. */
  public MessageIdentity place() {
    return new MessageIdentity(queue, partition, id);
  }

  /** The same with its payload sealed. */
  public Message sealed(String stored) {
    return new Message(
        queue, partition, id, transactionId, stored, traceId, producerSub, true, sentAt);
  }

  /** The same in a trace. */
  public Message withTrace(UUID trace) {
    return new Message(
        queue,
        partition,
        id,
        transactionId,
        payload,
        trace,
        producerSub,
        encrypted,
        sentAt,
        payloadBytes);
  }

  /** Without the payload, which belongs in no log. */
  @Override
  public String toString() {
    return "Message[%s/%s, id=%s, transactionId=%s]".formatted(queue, partition, id, transactionId);
  }

  /** A plain message without trace and producer. */
  public static Message of(
      String queue, String partition, UUID id, String transactionId, String payload) {
    return new Message(queue, partition, id, transactionId, payload, null, null, false);
  }
}
