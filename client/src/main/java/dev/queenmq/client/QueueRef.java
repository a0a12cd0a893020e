package dev.queenmq.client;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JavaType;
import dev.queenmq.client.internal.Transport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A queue, or one partition of it, as seen by one consumer group: where pushes go and pops come
 * from. Immutable and cheap; nothing is sent before you push, pop or consume. A queue and its
 * partitions come into being with the first push.
 *
 * <pre>{@code
 * client.queue("orders").partition("customer-81").push(order);
 * client.queue("orders").group("mailer").consume(Order.class, message -> mail(message.payload()));
 * }</pre>
 */
public final class QueueRef {
  private final Calls calls;
  private final Consumers consumers;
  private final Calls.Source source;

  QueueRef(Calls calls, Consumers consumers, Calls.Source source) {
    this.calls = calls;
    this.consumers = consumers;
    this.source = source;
  }

  /**
   * One lane of the queue. Pushes go to it (without a partition, to {@code Default}); pops come
   * from it alone (without, from any).
   *
   * @param name for example the id of a customer, a chat or a device
   * @return a reference to the partition
   */
  public QueueRef partition(String name) {
    return new QueueRef(
        calls,
        consumers,
        new Calls.Source(source.queue(), name, source.namespace(), source.task(), source.group()));
  }

  /**
   * The consumer group that pops. Each group gets every message; without a group all consumers
   * share the messages.
   *
   * @param name of the group
   * @return a reference for the group
   */
  public QueueRef group(String name) {
    return new QueueRef(
        calls,
        consumers,
        new Calls.Source(
            source.queue(), source.partition(), source.namespace(), source.task(), name));
  }

  // Push

  /**
   * Pushes a message and waits until the broker has it. Pushes of several threads that meet share
   * requests, each with its own result.
   *
   * @param payload a record or object, a {@code JsonNode}, {@code byte[]} with JSON, or an {@link
   *     OutgoingMessage} with any of them
   * @return what became of it, never {@code FAILED}
   * @throws RejectedException if the broker refused it, for example because the queue is full
   */
  public PushResult push(@Nullable Object payload) {
    return Transport.join(pushAsync(payload));
  }

  /**
   * Pushes a message. Two pushes that are under way at the same time may arrive in either order;
   * wait for the first, push both with {@link #pushAll}, or use a {@link PushBuffer}. What you
   * attach to the result runs on a thread of the client; do not block there for long.
   *
   * @param payload as for {@link #push}
   * @return completes when the broker has it
   */
  public CompletableFuture<PushResult> pushAsync(@Nullable Object payload) {
    return calls.push(List.of(item(payload))).thenApply(results -> results.get(0).orThrow());
  }

  /**
   * Pushes messages in their order. They are split into requests by number and size, so that any
   * amount will do. The requests are no transaction: look at each result, and push again what was
   * not accepted. Pushing the same {@link OutgoingMessage} again is always safe.
   *
   * @param payloads each as for {@link #push}
   * @return a result for each, in the same order
   * @throws QueenException if the first request failed; then the others were not sent. Once it was
   *     answered, failures are results: a later request that fails, and an interrupt, too, after
   *     which the thread is still interrupted. What follows a failure is not sent.
   */
  public List<PushResult> pushAll(Collection<?> payloads) {
    return calls.pushAndWait(items(payloads));
  }

  /**
   * Pushes messages in their order.
   *
   * @param payloads each as for {@link #push}
   * @return a result for each, in the same order; cancel it, and nothing more is sent
   * @see #pushAll(Collection)
   */
  public CompletableFuture<List<PushResult>> pushAllAsync(Collection<?> payloads) {
    return calls.push(items(payloads));
  }

  private List<Calls.Item> items(Collection<?> payloads) {
    List<Calls.Item> items = new ArrayList<>(payloads.size());
    for (Object payload : payloads) {
      items.add(item(payload));
    }
    return items;
  }

  /** A message for this place, ready to be sent. */
  Calls.Item item(@Nullable Object payload) {
    String queue = source.queue();
    if (queue == null) {
      throw new IllegalStateException("pushes need a queue, not a namespace");
    }
    return calls.item(queue, source.partition(), payload);
  }

  // Pop

  /**
   * Takes messages. You hold them until the lease ends: settle each of them before that.
   *
   * @param <T> the payload
   * @param type of the payloads; {@code JsonNode.class} and {@code byte[].class} take any
   * @param options how many, and how long to wait
   * @return messages in order, none if there are none
   */
  public <T> List<Message<T>> pop(Class<T> type, PopOptions options) {
    return Transport.join(popAsync(type, options));
  }

  /**
   * Takes messages.
   *
   * @param <T> the payload
   * @param type of the payloads
   * @param options how many, and how long to wait
   * @return messages in order, none if there are none
   * @see #pop(Class, PopOptions)
   */
  public <T> CompletableFuture<List<Message<T>>> popAsync(Class<T> type, PopOptions options) {
    return calls.pop(source, calls.payloads().type(type), options);
  }

  /**
   * Takes messages with a payload of a generic type.
   *
   * @param <T> the payload
   * @param type of the payloads
   * @param options how many, and how long to wait
   * @return messages in order, none if there are none
   * @see #pop(Class, PopOptions)
   */
  public <T> List<Message<T>> pop(TypeReference<T> type, PopOptions options) {
    JavaType javaType = calls.payloads().type(type.getType());
    return Transport.join(calls.<T>pop(source, javaType, options));
  }

  // Consume

  /**
   * Handles every message, with the defaults of {@link ConsumerBuilder}, until the consumer or the
   * client is closed.
   *
   * @param <T> the payload
   * @param type of the payloads
   * @param handler is called for each message
   * @return the consumer, which runs already
   */
  public <T> QueenConsumer consume(Class<T> type, MessageHandler<T> handler) {
    return consumer(type).start(handler);
  }

  /**
   * A consumer to be configured.
   *
   * @param <T> the payload
   * @param type of the payloads; {@code JsonNode.class} and {@code byte[].class} take any
   * @return a builder
   */
  public <T> ConsumerBuilder<T> consumer(Class<T> type) {
    return new ConsumerBuilder<>(calls, consumers, source, calls.payloads().type(type));
  }

  /**
   * A consumer of a generic type, to be configured.
   *
   * @param <T> the payload
   * @param type of the payloads
   * @return a builder
   */
  public <T> ConsumerBuilder<T> consumer(TypeReference<T> type) {
    return new ConsumerBuilder<>(calls, consumers, source, calls.payloads().type(type.getType()));
  }

  // Dead letters

  /**
   * The dead letters of this queue, partition and group.
   *
   * @return a view, which asks when it is asked
   */
  public DeadLetters dlq() {
    if (source.queue() == null) {
      throw new IllegalStateException("dead letters belong to a queue");
    }
    return new DeadLetters(calls, source);
  }

  @Override
  public String toString() {
    return source.toString();
  }
}
