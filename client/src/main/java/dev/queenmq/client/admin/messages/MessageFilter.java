package dev.queenmq.client.admin.messages;

import dev.queenmq.client.admin.query.TimeRange;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which stored messages. What is null selects any.
 *
 * @param queue its exact name
 * @param partition its exact name
 * @param namespace of the queue
 * @param task of the queue
 * @param status of the message
 * @param from created at this moment or later; an hour ago if null
 * @param to created up to this minute; now if null
 */
public record MessageFilter(
    @Nullable String queue,
    @Nullable String partition,
    @Nullable String namespace,
    @Nullable String task,
    @Nullable MessageStatus status,
    @Nullable Instant from,
    @Nullable Instant to) {

  /**
   * Messages of the last hour.
   *
   * @return the filter
   */
  public static MessageFilter any() {
    return new MessageFilter(null, null, null, null, null, null, null);
  }

  /**
   * Those of one queue.
   *
   * @param queue its name
   * @return the filter
   */
  public static MessageFilter queue(String queue) {
    return new MessageFilter(queue, null, null, null, null, null, null);
  }

  /**
   * Only those of a partition.
   *
   * @param name of the partition
   * @return a changed copy
   */
  public MessageFilter partition(String name) {
    return new MessageFilter(queue, name, namespace, task, status, from, to);
  }

  /**
   * Only those of queues with this namespace.
   *
   * @param name of the namespace
   * @return a changed copy
   */
  public MessageFilter namespace(String name) {
    return new MessageFilter(queue, partition, name, task, status, from, to);
  }

  /**
   * Only those of queues with this task.
   *
   * @param name of the task
   * @return a changed copy
   */
  public MessageFilter task(String name) {
    return new MessageFilter(queue, partition, namespace, name, status, from, to);
  }

  /**
   * Only those in this state.
   *
   * @param wanted the state
   * @return a changed copy
   */
  public MessageFilter status(MessageStatus wanted) {
    return new MessageFilter(queue, partition, namespace, task, wanted, from, to);
  }

  /**
   * Only those that were created in this time.
   *
   * @param range when
   * @return a changed copy
   */
  public MessageFilter created(TimeRange range) {
    return new MessageFilter(queue, partition, namespace, task, status, range.from(), range.to());
  }
}
