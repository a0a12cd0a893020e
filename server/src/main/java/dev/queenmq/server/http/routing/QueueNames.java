package dev.queenmq.server.http.routing;

import dev.queenmq.server.model.QueueLabels;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Finds the queues of what clients name by id. Failures may be shown. */
public interface QueueNames {

  /** The queues of these partitions, each once; partitions that do not exist have none. */
  Future<List<String>> ofPartitions(Collection<UUID> partitionIds);

  /** The queues of the partitions that a lease holds, each once. */
  Future<List<String>> ofLease(UUID leaseId);

  /** The queues of a stream's query by its name: those that it reads and writes. */
  Future<List<String>> ofStream(String name);

  /** The same by the id of the query. */
  Future<List<String>> ofQuery(UUID queryId);

  /** The labels of a queue, if there is such a queue. */
  Future<Optional<QueueLabels>> labels(String queue);
}
