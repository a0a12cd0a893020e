package dev.queenmq.server.admin;

import dev.queenmq.server.broker.Directory;
import dev.queenmq.server.broker.StoredObjects;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.QueueLabels;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;

/**
 * Finds queues by their labels and partitions by their ids. Safe for use by several threads.
 * Failures are {@link AdminException}s.
 */
public final class QueueDirectory implements Directory, StoredObjects {
  private static final String LABELLED = "select queen.queues_labelled_v1($1, $2)";
  private static final String NAMES = "select * from queen.partition_names_v1($1, $2)";

  private static final String LEASE_QUEUES = "select queen.lease_queues_v1($1, $2)";
  private static final String STREAM_QUEUES = "select queen.stream_queues_v1($1)";
  private static final String QUERY_QUEUES = "select queen.stream_query_queues_v1($1)";
  private static final String LABELS = "select * from queen.queue_labels_v1($1)";
  private static final String COUNTS = "select * from queen.object_counts_v1($1, $2)";
  private static final String PRESENT = "select * from queen.present_partitions_v1($1, $2, $3)";
  private static final String HAS_GROUP = "select queen.has_group_v1($1, $2, $3, $4)";
  private static final int COUNTED_EXACTLY = 100_000;
  private static final String SETTINGS = "select * from queen.queue_settings_v1($1)";
  private static final String PARTITION_ID = "select queen.partition_id_v1($1, $2, $3)";

  /**
   * The options of a queue.
   *
   * @param version grows with every change
   */
  public record VersionedOptions(String queue, long version, JsonObject options) {}

  private final AdminSql sql;
  private final short shard;

  /** A directory that asks through this client. */
  public QueueDirectory(StoreClient client, short shard) {
    this.sql = new AdminSql(client);
    this.shard = shard;
  }

  /** The queues with these labels, by priority, the highest first, then by name. */
  @Override
  public Future<List<String>> labelled(Optional<String> namespace, Optional<String> task) {
    return sql.ask(LABELLED, Tuple.of(namespace.orElse(null), task.orElse(null)))
        .map(rows -> List.of(rows.iterator().next().getArrayOfStrings(0)));
  }

  /** The queues of the partitions that a lease holds. */
  public Future<List<String>> queuesOfLease(UUID leaseId) {
    return sql.ask(LEASE_QUEUES, Tuple.of(shard, leaseId))
        .map(rows -> List.of(rows.iterator().next().getArrayOfStrings(0)));
  }

  /** The queues that a query of a stream processor reads and writes. */
  public Future<List<String>> queuesOfStream(String name) {
    return sql.ask(STREAM_QUEUES, Tuple.of(name))
        .map(rows -> List.of(rows.iterator().next().getArrayOfStrings(0)));
  }

  /** The same, by the id of the query. */
  public Future<List<String>> queuesOfQuery(UUID queryId) {
    return sql.ask(QUERY_QUEUES, Tuple.of(queryId))
        .map(rows -> List.of(rows.iterator().next().getArrayOfStrings(0)));
  }

  /** The labels of a queue, if there is such a queue. */
  public Future<Optional<QueueLabels>> labels(String queue) {
    return sql.ask(LABELS, Tuple.of(queue))
        .map(
            rows -> {
              Optional<QueueLabels> found = Optional.empty();
              for (Row row : rows) {
                found =
                    Optional.of(
                        new QueueLabels(
                            row.getString("namespace"),
                            row.getString("task"),
                            row.getInteger("priority")));
              }
              return found;
            });
  }

  /** How many queues, partitions and subscriptions of groups there are; many are estimated. */
  @Override
  public Future<Counts> counts() {
    return sql.ask(COUNTS, Tuple.of(shard, COUNTED_EXACTLY))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return new Counts(
                  row.getLong("o_queues"), row.getLong("o_partitions"), row.getLong("o_groups"));
            });
  }

  /** Which of these partitions exist, and which of their queues, in their order. */
  @Override
  public Future<List<Presence>> presence(List<PartitionName> partitions) {
    return sql.ask(
            PRESENT,
            Tuple.of(shard)
                .addArrayOfString(names(partitions, PartitionName::queue))
                .addArrayOfString(names(partitions, PartitionName::partition)))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              Boolean[] ofQueues = row.getArrayOfBooleans("o_queues");
              Boolean[] ofPartitions = row.getArrayOfBooleans("o_partitions");
              List<Presence> all = new ArrayList<>(partitions.size());
              for (int i = 0; i < partitions.size(); i++) {
                all.add(new Presence(ofQueues[i], ofPartitions[i]));
              }
              return all;
            });
  }

  private static String[] names(
      List<PartitionName> partitions, Function<PartitionName, String> part) {
    return partitions.stream().map(part).toArray(String[]::new);
  }

  /** Whether a group has subscribed: to a queue or a partition of it; without a queue, to any. */
  @Override
  public Future<Boolean> hasGroup(
      Optional<String> queue, Optional<String> partition, String group) {
    return sql.ask(HAS_GROUP, Tuple.of(shard, queue.orElse(null), partition.orElse(null), group))
        .map(rows -> rows.iterator().next().getBoolean(0));
  }

  /** The options of all queues. */
  public Future<List<VersionedOptions>> allOptions() {
    return options(Tuple.of((Object) null));
  }

  /** The options of a queue, if there is such a queue. */
  public Future<Optional<VersionedOptions>> options(String queue) {
    return options(Tuple.tuple().addArrayOfString(new String[] {queue}))
        .map(found -> found.stream().findFirst());
  }

  private Future<List<VersionedOptions>> options(Tuple queues) {
    return sql.ask(SETTINGS, queues)
        .map(
            rows -> {
              List<VersionedOptions> all = new ArrayList<>(rows.size());
              for (Row row : rows) {
                all.add(
                    new VersionedOptions(
                        row.getString("queue"),
                        row.getLong("version"),
                        row.getJsonObject("options")));
              }
              return all;
            });
  }

  /** The id of a partition, if there is such a partition. */
  public Future<Optional<UUID>> partitionId(String queue, String partition) {
    return sql.ask(PARTITION_ID, Tuple.of(shard, queue, partition))
        .map(rows -> Optional.ofNullable(rows.iterator().next().getUUID(0)));
  }

  /** The names of these partitions, in any order, without those that do not exist. */
  @Override
  public Future<List<NamedPartition>> names(List<UUID> partitionIds) {
    if (partitionIds.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return sql.ask(NAMES, Tuple.of(shard).addArrayOfUUID(partitionIds.toArray(UUID[]::new)))
        .map(
            rows -> {
              List<NamedPartition> named = new ArrayList<>(rows.size());
              for (Row row : rows) {
                named.add(
                    new NamedPartition(
                        row.getUUID("partition_id"),
                        row.getString("queue"),
                        row.getString("partition")));
              }
              return named;
            });
  }
}
