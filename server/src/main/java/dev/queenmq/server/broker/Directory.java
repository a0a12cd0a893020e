package dev.queenmq.server.broker;

import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds queues and partitions by what is known of them. */
public interface Directory {

  /** A partition and its names. */
  record NamedPartition(UUID partitionId, String queue, String partition) {}

  /** The names of these partitions; those that are gone are left out. */
  Future<List<NamedPartition>> names(List<UUID> partitionIds);

  /** The queues with this namespace and this task, the most important first. */
  Future<List<String>> labelled(Optional<String> namespace, Optional<String> task);
}
