package dev.queenmq.spring;

import com.fasterxml.jackson.core.type.TypeReference;
import dev.queenmq.client.Message;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.PushResult;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenException;
import dev.queenmq.client.QueueRef;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends payloads and takes single messages, with an observation around each push. For everything
 * else use the {@link QueenClient}, which is a bean too.
 *
 * <p>A payload is a record or object that the client's mapper can write, a {@code JsonNode}, {@code
 * byte[]} with JSON, or an {@code OutgoingMessage} to choose the transaction id.
 */
public class QueenTemplate {
  private final QueenClient client;
  private final PushObserver observer;

  /**
   * A template without observations.
   *
   * @param client sends
   */
  public QueenTemplate(QueenClient client) {
    this(client, QueenTemplate::unobserved);
  }

  /**
   * A template.
   *
   * @param client sends
   * @param observer is called around every push
   */
  public QueenTemplate(QueenClient client, PushObserver observer) {
    this.client = client;
    this.observer = observer;
  }

  private static <R> CompletableFuture<R> unobserved(
      String queue, Supplier<CompletableFuture<R>> push) {
    return push.get();
  }

  /**
   * Sends to the partition {@code Default} and waits until the broker has it.
   *
   * @param queue the queue
   * @param payload what to send
   * @return what became of it, never {@code FAILED}
   */
  public PushResult send(String queue, @Nullable Object payload) {
    return join(sendAsync(queue, payload));
  }

  /**
   * Sends to a partition and waits until the broker has it.
   *
   * @param queue the queue
   * @param partition the lane, for example the id of a customer
   * @param payload what to send
   * @return what became of it, never {@code FAILED}
   */
  public PushResult send(String queue, String partition, @Nullable Object payload) {
    return join(sendAsync(queue, partition, payload));
  }

  /**
   * Sends to the partition {@code Default}. Two sends that are under way at the same time may
   * arrive in either order.
   *
   * @param queue the queue
   * @param payload what to send
   * @return completes when the broker has it
   */
  public CompletableFuture<PushResult> sendAsync(String queue, @Nullable Object payload) {
    return observer.observe(queue, () -> client.queue(queue).pushAsync(payload));
  }

  /**
   * Sends to a partition. Two sends that are under way at the same time may arrive in either order.
   *
   * @param queue the queue
   * @param partition the lane
   * @param payload what to send
   * @return completes when the broker has it
   */
  public CompletableFuture<PushResult> sendAsync(
      String queue, String partition, @Nullable Object payload) {
    return observer.observe(
        queue, () -> client.queue(queue).partition(partition).pushAsync(payload));
  }

  /**
   * Sends to a partition, in order and in few requests.
   *
   * @param queue the queue
   * @param partition the lane
   * @param payloads what to send
   * @return a result for each, in the same order; look at {@code isAccepted()}
   */
  public List<PushResult> sendAll(String queue, String partition, Collection<?> payloads) {
    QueueRef lane = client.queue(queue).partition(partition);
    return join(
        observer.observe(queue, () -> CompletableFuture.completedFuture(lane.pushAll(payloads))));
  }

  /**
   * Takes one message of a queue, acks it and returns its payload. If the payload is of another
   * type, the message fails and is delivered again.
   *
   * @param <T> the payload
   * @param queue the queue
   * @param group the consumer group, null for none
   * @param type of the payload
   * @param wait how long to wait for a message
   * @return the payload; empty if there was no message
   */
  public <T> Optional<T> receive(
      String queue, @Nullable String group, Class<T> type, Duration wait) {
    return settled(from(queue, group).pop(type, PopOptions.batch(1).waitUpTo(wait)));
  }

  /**
   * Takes one message with a payload of a generic type.
   *
   * @param <T> the payload
   * @param queue the queue
   * @param group the consumer group, null for none
   * @param type of the payload
   * @param wait how long to wait for a message
   * @return the payload; empty if there was no message
   * @see #receive(String, String, Class, Duration)
   */
  public <T> Optional<T> receive(
      String queue, @Nullable String group, TypeReference<T> type, Duration wait) {
    return settled(from(queue, group).pop(type, PopOptions.batch(1).waitUpTo(wait)));
  }

  private QueueRef from(String queue, @Nullable String group) {
    return group == null ? client.queue(queue) : client.queue(queue).group(group);
  }

  private static <T> Optional<T> settled(List<Message<T>> messages) {
    if (messages.isEmpty()) {
      return Optional.empty();
    }
    Message<T> message = messages.get(0);
    T payload;
    try {
      payload = message.payload();
    } catch (QueenException e) {
      message.fail(e);
      throw e;
    }
    message.ack();
    return Optional.ofNullable(payload);
  }

  private static <R> R join(CompletableFuture<R> result) {
    try {
      return result.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw e;
    }
  }
}
