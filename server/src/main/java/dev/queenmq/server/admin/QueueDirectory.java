package dev.queenmq.server.admin;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Finds queues by their labels and partitions by their ids. Safe for use by several threads.
 * Failures are {@link AdminException}s.
 */
public final class QueueDirectory {
  private static final String LABELLED = "select queen.queues_labelled_v1($1, $2)";
  private static final String NAMES = "select * from queen.partition_names_v1($1, $2)";

  private final Questions questions;
  private final short shard;

  /** A directory that asks through this client. */
  public QueueDirectory(SqlClient client, short shard) {
    this.questions = new Questions(client);
    this.shard = shard;
  }

  /** The queues with these labels, by priority, the highest first, then by name. */
  public Future<List<String>> queuesLabelled(Optional<String> namespace, Optional<String> task) {
    return questions
        .ask(LABELLED, Tuple.of(namespace.orElse(null), task.orElse(null)))
        .map(rows -> List.of(rows.iterator().next().getArrayOfStrings(0)));
  }

  /** The names of these partitions, in any order, without those that do not exist. */
  public Future<List<NamedPartition>> names(List<UUID> partitionIds) {
    if (partitionIds.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    return questions
        .ask(NAMES, Tuple.of(shard).addArrayOfUUID(partitionIds.toArray(UUID[]::new)))
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
