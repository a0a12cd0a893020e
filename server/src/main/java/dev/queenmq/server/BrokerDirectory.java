package dev.queenmq.server;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.broker.Directory;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Lets the sidecars ask the directory of queues. */
record BrokerDirectory(QueueDirectory queues) implements Directory {

  @Override
  public Future<List<NamedPartition>> names(List<UUID> partitionIds) {
    return queues
        .names(partitionIds)
        .map(
            found ->
                found.stream()
                    .map(each -> new NamedPartition(each.id(), each.queue(), each.partition()))
                    .toList());
  }

  @Override
  public Future<List<String>> labelled(Optional<String> namespace, Optional<String> task) {
    return queues.queuesLabelled(namespace, task);
  }
}
