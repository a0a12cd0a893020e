package dev.queenmq.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.http.routing.QueueNames;
import dev.queenmq.server.model.QueueLabels;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Resolves the ids that clients send to queues. A partition never moves to another queue and its id
 * is never reused, so results can be cached.
 */
final class KnownQueues implements QueueNames {
  private static final int MOST_REMEMBERED = 50_000;
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(10);

  private static final int MOST_QUERIES = 1_000;
  private static final Duration QUERIES_FOR = Duration.ofSeconds(5);

  private final QueueDirectory directory;
  private final Cache<UUID, String> remembered =
      Caffeine.newBuilder().maximumSize(MOST_REMEMBERED).expireAfterWrite(FORGOTTEN_AFTER).build();

  /** Short-lived, because a query may be registered for other queues later. */
  private final Cache<UUID, List<String>> queries =
      Caffeine.newBuilder().maximumSize(MOST_QUERIES).expireAfterWrite(QUERIES_FOR).build();

  KnownQueues(QueueDirectory directory) {
    this.directory = directory;
  }

  /** Forgets all: another server takes the writes. */
  void forgetAll() {
    remembered.invalidateAll();
    queries.invalidateAll();
  }

  @Override
  public Future<List<String>> ofPartitions(Collection<UUID> partitionIds) {
    Set<UUID> wanted = new HashSet<>(partitionIds);
    Map<UUID, String> known = remembered.getAllPresent(wanted);
    Set<String> queues = new LinkedHashSet<>(known.values());
    wanted.removeAll(known.keySet());
    return directory
        .names(List.copyOf(wanted))
        .map(
            found -> {
              for (NamedPartition each : found) {
                remembered.put(each.partitionId(), each.queue());
                queues.add(each.queue());
              }
              return List.copyOf(queues);
            });
  }

  @Override
  public Future<List<String>> ofLease(UUID leaseId) {
    return directory.queuesOfLease(leaseId);
  }

  @Override
  public Future<List<String>> ofStream(String name) {
    return directory.queuesOfStream(name);
  }

  @Override
  public Future<List<String>> ofQuery(UUID queryId) {
    @Nullable List<String> known = queries.getIfPresent(queryId);
    return known == null
        ? directory.queuesOfQuery(queryId).onSuccess(found -> queries.put(queryId, found))
        : Future.succeededFuture(known);
  }

  @Override
  public Future<Optional<QueueLabels>> labels(String queue) {
    return directory.labels(queue);
  }
}
