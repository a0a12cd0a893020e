package dev.queenmq.server.sidecar;

import java.util.Optional;

/** Where a consumer wants messages from. */
public sealed interface PollTarget {

  /** Any partition of a queue, whether the queue exists yet or not. */
  record Queue(String queue) implements PollTarget {}

  /** One partition. */
  record Partition(String queue, String partition) implements PollTarget {}

  /** Any partition of the queues with this namespace and this task; at least one is given. */
  record Label(Optional<String> namespace, Optional<String> task) implements PollTarget {}
}
