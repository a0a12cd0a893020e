package dev.queenmq.server;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.http.messages.StoredObjects;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;

/** Lets the bounds of objects ask the directory of queues. */
record BrokerObjects(QueueDirectory directory) implements StoredObjects {

  @Override
  public Future<Counts> counts() {
    return directory
        .counts()
        .map(found -> new Counts(found.queues(), found.partitions(), found.groups()));
  }

  @Override
  public Future<List<Presence>> presence(List<Name> names) {
    return directory
        .presence(
            names.stream().map(Name::queue).toList(), names.stream().map(Name::partition).toList())
        .map(
            found ->
                found.stream().map(each -> new Presence(each.queue(), each.partition())).toList());
  }

  @Override
  public Future<Boolean> hasGroup(
      Optional<String> queue, Optional<String> partition, String group) {
    return directory.hasGroup(queue, partition, group);
  }
}
