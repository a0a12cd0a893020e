package dev.queenmq.client;

import dev.queenmq.client.internal.UuidV7;
import java.time.Clock;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message to push, for when a payload alone is not enough: to choose the transaction id, or to
 * keep it for pushing the same again. Immutable.
 *
 * <p>The transaction id is how the broker knows a message that it has already: within the queue's
 * deduplication window a second push with the same id to the same partition stores nothing. Every
 * message has one from the beginning, so that the client may repeat a push whose answer was lost.
 */
public final class OutgoingMessage {
  private static final UuidV7 IDS = new UuidV7(Clock.systemUTC());

  private final @Nullable Object payload;
  private final String transactionId;
  private final boolean generated;
  private final @Nullable String partition;
  private final @Nullable UUID traceId;

  /**
   * The trace of the first push. It stands in a generated transaction id, so that it must stay the
   * same when the message is pushed again from within another span.
   */
  private final AtomicReference<@Nullable Optional<TraceContext>> firstTrace;

  private OutgoingMessage(
      @Nullable Object payload,
      String transactionId,
      boolean generated,
      @Nullable String partition,
      @Nullable UUID traceId,
      AtomicReference<@Nullable Optional<TraceContext>> firstTrace) {
    this.payload = payload;
    this.transactionId = transactionId;
    this.generated = generated;
    this.partition = partition;
    this.traceId = traceId;
    this.firstTrace = firstTrace;
  }

  /**
   * A message with a new transaction id, a UUID of version 7.
   *
   * @param payload a record or object that Jackson can write, a {@code JsonNode}, or {@code byte[]}
   *     with JSON; null is the JSON value null
   * @return the message
   */
  public static OutgoingMessage of(@Nullable Object payload) {
    return payload instanceof OutgoingMessage message
        ? message
        : new OutgoingMessage(
            payload, IDS.next().toString(), true, null, null, new AtomicReference<>());
  }

  /**
   * The same with a transaction id of yours, for example the id of an order.
   *
   * @param id 1 to 255 characters
   * @return a changed copy
   */
  public OutgoingMessage withTransactionId(String id) {
    if (id.isEmpty() || id.length() > 255) {
      throw new IllegalArgumentException("a transaction id has 1 to 255 characters");
    }
    return new OutgoingMessage(payload, id, false, partition, traceId, new AtomicReference<>());
  }

  /**
   * The same for a partition, in place of that of the queue reference that pushes it.
   *
   * @param name of the partition
   * @return a changed copy
   */
  public OutgoingMessage withPartition(String name) {
    return new OutgoingMessage(
        payload, transactionId, generated, Objects.requireNonNull(name), traceId, firstTrace);
  }

  /**
   * The same with a trace id, which consumers get with the message.
   *
   * @param id any UUID
   * @return a changed copy
   */
  public OutgoingMessage withTraceId(UUID id) {
    return new OutgoingMessage(
        payload, transactionId, generated, partition, Objects.requireNonNull(id), firstTrace);
  }

  /**
   * The same in a trace: that of the first push, whatever the current one is. Only a generated
   * transaction id may carry more than itself.
   *
   * @param current of the thread that pushes
   */
  OutgoingMessage inTrace(Optional<TraceContext> current) {
    firstTrace.compareAndSet(null, current);
    Optional<TraceContext> first = Objects.requireNonNull(firstTrace.get());
    if (first.isEmpty()) {
      return this;
    }
    TraceContext trace = first.get();
    return new OutgoingMessage(
        payload,
        generated ? trace.appendTo(transactionId) : transactionId,
        false,
        partition,
        traceId == null ? trace.asUuid() : traceId,
        firstTrace);
  }

  /**
   * The payload.
   *
   * @return as it was given
   */
  public @Nullable Object payload() {
    return payload;
  }

  /**
   * The key by which the broker knows duplicates.
   *
   * @return the transaction id
   */
  public String transactionId() {
    return transactionId;
  }

  /** Whether the transaction id is a UUID of ours, with nothing added to it. */
  boolean hasGeneratedId() {
    return generated;
  }

  /**
   * The partition, if the message has one of its own.
   *
   * @return its name or null
   */
  public @Nullable String partition() {
    return partition;
  }

  /**
   * The trace id.
   *
   * @return the id or null
   */
  public @Nullable UUID traceId() {
    return traceId;
  }

  @Override
  public String toString() {
    return "OutgoingMessage[" + transactionId + "]";
  }
}
