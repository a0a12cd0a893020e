package dev.queenmq.server.broker;

import dev.queenmq.server.model.PartitionName;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Which queues, partitions and groups exist, for the bounds on their number. */
public interface StoredObjects {

  /**
   * How many there are; large numbers are estimates.
   *
   * @param groups subscriptions of groups
   */
  record Counts(long queues, long partitions, long groups) {}

  /** Whether a partition exists, and its queue. */
  record Presence(boolean queue, boolean partition) {}

  /** Counts them. */
  Future<Counts> counts();

  /** Which of these exist, in their order. */
  Future<List<Presence>> presence(List<PartitionName> names);

  /** Whether a group has subscribed: to a queue or a partition of it; without a queue, to any. */
  Future<Boolean> hasGroup(Optional<String> queue, Optional<String> partition, String group);
}
