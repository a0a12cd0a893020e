package dev.queenmq.client;

import com.fasterxml.jackson.databind.JavaType;
import dev.queenmq.client.internal.PopAnswer;
import dev.queenmq.client.internal.Transport;
import dev.queenmq.client.internal.consumer.Disposition;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A message that was received, and what you can do with it.
 *
 * <p>A message is settled once: by {@link #ack}, {@link #fail}, {@link #retry}, {@link #deadLetter}
 * or a {@link Transaction}. Settling it a second time throws {@link IllegalStateException}.
 *
 * <ul>
 *   <li>After a {@code pop} these calls wait for the broker, and throw {@link LeaseLostException}
 *       if the message is no longer yours.
 *   <li>In a handler of a {@link QueenConsumer} they only note what you want and return at once;
 *       the broker gets it when the handler has returned, together with other messages. You need
 *       them only for what differs from the rule: returning means ack, throwing means fail.
 * </ul>
 *
 * @param <T> the payload
 */
public final class Message<T> {

  /** What a message can have done. */
  interface Actions {
    /** Settles it; completes when the broker has accepted it. */
    CompletableFuture<Void> settle(Message<?> message, Disposition disposition);

    /** Whether settling must not be waited for. */
    boolean isDeferred();

    /** Extends its lease. */
    CompletableFuture<Instant> extend(Message<?> message, Duration by);

    /** Records a trace event. */
    CompletableFuture<Void> trace(Message<?> message, TraceEvent event);
  }

  private final PopAnswer.Received received;
  private final Payloads payloads;
  private final JavaType type;
  private final Actions actions;
  private final AtomicReference<@Nullable Disposition> settled = new AtomicReference<>();
  private volatile CompletableFuture<Boolean> decided = new CompletableFuture<>();
  private volatile CompletableFuture<Void> settlement = new CompletableFuture<>();

  Message(PopAnswer.Received received, Payloads payloads, JavaType type, Actions actions) {
    this.received = received;
    this.payloads = payloads;
    this.type = type;
    this.actions = actions;
  }

  /**
   * The broker's id of the message, a UUID of version 7.
   *
   * @return the id
   */
  public String id() {
    return received.id();
  }

  /**
   * The producer's key, by which the broker knows duplicates. Together with the partition it is the
   * identity of the message: use it to recognise a message that was delivered twice.
   *
   * @return the transaction id
   */
  public String transactionId() {
    return received.transactionId();
  }

  /**
   * The queue.
   *
   * @return its name
   */
  public String queue() {
    return received.queue();
  }

  /**
   * The partition: the lane within which order is kept.
   *
   * @return its name
   */
  public String partition() {
    return received.partition();
  }

  /**
   * The broker's id of the partition.
   *
   * @return a UUID
   */
  public String partitionId() {
    return received.partitionId();
  }

  /**
   * The consumer group that received it.
   *
   * @return its name; {@code __QUEUE_MODE__} for consumers without a group
   */
  public String group() {
    return received.consumerGroup();
  }

  /**
   * The lease under which you hold it; messages of one pop share it.
   *
   * @return its id; empty if the message was popped at most once
   */
  public Optional<String> lease() {
    return received.leaseId().isEmpty() ? Optional.empty() : Optional.of(received.leaseId());
  }

  /**
   * When the lease ended at the time of the pop, by the database's clock. Consumers extend it.
   *
   * @return the moment; empty without a lease
   */
  public Optional<Instant> leaseExpiresAt() {
    return Optional.ofNullable(received.leaseExpiresAt());
  }

  /**
   * How often this group got the message, this time included.
   *
   * @return 1 for the first time
   */
  public int attempt() {
    return received.attempt();
  }

  /**
   * When the broker stored it.
   *
   * @return the moment
   */
  public Instant createdAt() {
    return received.createdAt();
  }

  /**
   * The trace id that the producer sent along.
   *
   * @return a UUID
   */
  public Optional<UUID> traceId() {
    return Optional.ofNullable(received.traceId()).map(UUID::fromString);
  }

  /**
   * The W3C trace context of the producer, if it had a {@link Tracing} and left the transaction id
   * to the client.
   *
   * @return a {@code traceparent}
   */
  public Optional<String> traceparent() {
    return TraceContext.of(received.traceId(), received.transactionId())
        .map(TraceContext::toTraceparent);
  }

  /**
   * Who pushed it, by the broker's authentication.
   *
   * @return the subject of the producer's token
   */
  public Optional<String> producer() {
    return Optional.ofNullable(received.producerSubject());
  }

  /**
   * The payload as the type that you asked for. It is read again at each call.
   *
   * @return the payload; null for the JSON value null
   * @throws PayloadException if it is not of that type
   */
  @SuppressWarnings("NullAway")
  public T payload() {
    return payloads.read(received.payload(), type);
  }

  /**
   * The payload as it was pushed.
   *
   * @return JSON, byte for byte
   */
  public byte[] rawPayload() {
    return received.payload().clone();
  }

  /**
   * It is done.
   *
   * @throws LeaseLostException if it is no longer yours; it is delivered again
   */
  public void ack() {
    settle(Disposition.completed());
  }

  /**
   * It is done.
   *
   * @return completes when the broker has accepted it. Do not wait for it in a handler of a
   *     consumer: the broker gets it after the handler has returned
   */
  public CompletableFuture<Void> ackAsync() {
    return settleAsync(Disposition.completed());
  }

  /**
   * It failed: it comes again, and with it what follows in its partition and was received with it.
   * After the queue's {@code retryLimit} it becomes a dead letter instead; then you still hold what
   * follows.
   *
   * @param error why
   */
  public void fail(Throwable error) {
    fail(error.toString());
  }

  /**
   * It failed.
   *
   * @param error why
   * @see #fail(Throwable)
   */
  public void fail(String error) {
    settle(new Disposition(Disposition.Status.FAILED, error));
  }

  /**
   * It failed.
   *
   * @param error why
   * @return completes when the broker has accepted it
   * @see #fail(Throwable)
   */
  public CompletableFuture<Void> failAsync(String error) {
    return settleAsync(new Disposition(Disposition.Status.FAILED, error));
  }

  /**
   * It comes again, without being counted as a failure, and with it what follows in its partition
   * and was received with it.
   */
  public void retry() {
    settle(new Disposition(Disposition.Status.RETRY, null));
  }

  /**
   * It comes again, uncounted.
   *
   * @return completes when the broker has accepted it
   * @see #retry()
   */
  public CompletableFuture<Void> retryAsync() {
    return settleAsync(new Disposition(Disposition.Status.RETRY, null));
  }

  /**
   * It becomes a dead letter at once, and the partition goes on with the next message.
   *
   * @param reason kept with it
   */
  public void deadLetter(String reason) {
    settle(new Disposition(Disposition.Status.DEAD_LETTER, reason));
  }

  /**
   * It becomes a dead letter at once.
   *
   * @param reason kept with it
   * @return completes when the broker has accepted it
   * @see #deadLetter(String)
   */
  public CompletableFuture<Void> deadLetterAsync(String reason) {
    return settleAsync(new Disposition(Disposition.Status.DEAD_LETTER, reason));
  }

  /**
   * Keeps the message for longer, and with it all others of the same lease. Consumers do that by
   * themselves.
   *
   * @param by from now on; a lease is never shortened
   * @return when the lease ends now
   * @throws LeaseLostException if it is no longer yours
   */
  public Instant extend(Duration by) {
    return Transport.join(extendAsync(by));
  }

  /**
   * Keeps the message for longer.
   *
   * @param by from now on
   * @return when the lease ends now
   * @see #extend(Duration)
   */
  public CompletableFuture<Instant> extendAsync(Duration by) {
    return actions.extend(this, by);
  }

  /**
   * Records something about the message, to be found later by message or by name. It never throws:
   * what goes wrong is logged, because a message must not fail for its trace.
   *
   * @param event what happened
   */
  public void trace(TraceEvent event) {
    actions.trace(this, event).handle((stored, failure) -> payloads.logLostTrace(failure)).join();
  }

  /**
   * Records something about the message.
   *
   * @param event what happened
   * @return completes when it is stored, and fails if it is not, also if it cannot be written as
   *     JSON
   */
  public CompletableFuture<Void> traceAsync(TraceEvent event) {
    return actions.trace(this, event);
  }

  private void settle(Disposition disposition) {
    CompletableFuture<Void> told = settleAsync(disposition);
    if (!actions.isDeferred()) {
      Transport.join(told);
    }
  }

  private CompletableFuture<Void> settleAsync(Disposition disposition) {
    markSettled(disposition);
    return actions.settle(this, disposition);
  }

  /** Notes a disposition, the only one. */
  void markSettled(Disposition disposition) {
    if (!trySettle(disposition)) {
      Disposition first = settled.get();
      throw new IllegalStateException(
          "the message is settled already" + (first == null ? "" : ": " + first.status()));
    }
  }

  /** Notes a disposition, unless there is one. */
  boolean trySettle(Disposition disposition) {
    if (!settled.compareAndSet(null, disposition)) {
      return false;
    }
    if (disposition.status() != Disposition.Status.SETTLED) {
      decided.complete(true);
    }
    return true;
  }

  /** A transaction settled it. */
  void settledByTransaction() {
    decided.complete(true);
    settlement.complete(null);
  }

  /** A transaction that failed settles nothing. */
  void unsettle(Disposition disposition) {
    settled.compareAndSet(disposition, null);
  }

  /** It is given to a handler, for the second time if one before it in a batch failed. */
  void reopen() {
    if (settled.getAndSet(null) != null) {
      decided = new CompletableFuture<>();
      settlement = new CompletableFuture<>();
    }
  }

  /** Completes when the message is settled. */
  CompletableFuture<Boolean> whenSettled() {
    return decided;
  }

  /** Completes when the broker has accepted the disposition; for messages of consumers. */
  CompletableFuture<Void> settlement() {
    return settlement;
  }

  void completeSettlement() {
    settlement.complete(null);
  }

  void failSettlement(QueenException why) {
    settlement.completeExceptionally(why);
  }

  /** What was noted. */
  @Nullable Disposition settled() {
    return settled.get();
  }

  @Override
  public String toString() {
    return "Message[" + queue() + "/" + partition() + " " + transactionId() + "]";
  }
}
