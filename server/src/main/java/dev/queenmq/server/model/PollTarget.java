package dev.queenmq.server.model;

import java.util.Optional;
import java.util.function.Predicate;

/** Where a consumer wants messages from. */
public sealed interface PollTarget {

  /** Any partition of a queue, whether the queue exists yet or not. */
  record Queue(String queue) implements PollTarget {}

  /** One partition. */
  record Partition(String queue, String partition) implements PollTarget {}

  /**
   * Any partition of the queues with this namespace and this task; at least one is given.
   *
   * @param visible which of these queues the consumer may see
   */
  record Label(Optional<String> namespace, Optional<String> task, Predicate<String> visible)
      implements PollTarget {

    /** For a consumer who may see all of them. */
    public Label(Optional<String> namespace, Optional<String> task) {
      this(namespace, task, EVERY_QUEUE);
    }
  }

  /** No queue is hidden. */
  Predicate<String> EVERY_QUEUE = queue -> true;
}
