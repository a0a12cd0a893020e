package dev.queenmq.client.admin.queues;

import org.jspecify.annotations.Nullable;

/**
 * Which queues a chart is about. What is null selects any.
 *
 * @param queue its exact name
 * @param namespace of the queue
 * @param task of the queue
 */
public record QueueFilter(
    @Nullable String queue, @Nullable String namespace, @Nullable String task) {

  /**
   * All queues.
   *
   * @return the filter
   */
  public static QueueFilter any() {
    return new QueueFilter(null, null, null);
  }

  /**
   * One queue.
   *
   * @param name of the queue
   * @return the filter
   */
  public static QueueFilter queue(String name) {
    return new QueueFilter(name, null, null);
  }

  /**
   * The queues of a namespace.
   *
   * @param name of the namespace
   * @return the filter
   */
  public static QueueFilter namespace(String name) {
    return new QueueFilter(null, name, null);
  }

  /**
   * The queues of a task.
   *
   * @param name of the task
   * @return the filter
   */
  public static QueueFilter task(String name) {
    return new QueueFilter(null, null, name);
  }
}
