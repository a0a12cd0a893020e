package dev.queenmq.server.admin;

import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Queues and partitions with their counters, in the words of the HTTP contract. Safe for use by
 * several threads. Failures are {@link AdminException}s.
 */
public final class ResourceQueries {
  private static final String QUEUES = "select * from queen.resources_queues_v1($1)";
  private static final String QUEUE = "select * from queen.resources_queue_v1($1, $2)";
  private static final String PARTITIONS =
      "select * from queen.resources_partitions_v1($1, $2, $3, $4, $5)";
  private static final String OVERVIEW = "select * from queen.resources_overview_v1($1)";

  private final Questions questions;
  private final short shard;
  private final Overview overview;

  /**
   * Queries through this client.
   *
   * @param client best not the one that carries messages: an answer may take a while
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public ResourceQueries(SqlClient client, short shard, LongSupplier nanoTime) {
    this.questions = new Questions(client);
    this.shard = shard;
    this.overview = new Overview(nanoTime);
  }

  /** All queues, the newest first. */
  public Future<JsonObject> queues() {
    return queueRows()
        .map(
            queues ->
                new JsonObject()
                    .put("queues", new JsonArray(queues.stream().map(QueueRow::toJson).toList())));
  }

  /** All namespaces, by name. */
  public Future<JsonObject> namespaces() {
    return queueRows()
        .map(queues -> LabelSums.of(queues, "namespace", QueueRow::namespace))
        .map(sums -> new JsonObject().put("namespaces", sums));
  }

  /** All tasks, by name. */
  public Future<JsonObject> tasks() {
    return queueRows()
        .map(queues -> LabelSums.of(queues, "task", QueueRow::task))
        .map(sums -> new JsonObject().put("tasks", sums));
  }

  /** Everything summed up. */
  public Future<JsonObject> overview() {
    return questions
        .ask(OVERVIEW, Tuple.of(shard))
        .map(rows -> overview.of(rows.iterator().next()));
  }

  /** A queue with all its partitions, by name; empty if there is none of that name. */
  public Future<Optional<JsonObject>> queue(String name) {
    return queueRow(name)
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : partitionRows(found.get().getUUID("queue_id"), null, 0, true)
                        .map(partitions -> Optional.of(queue(found.get(), partitions))));
  }

  /** A page of the partitions of a queue, by name; empty if there is no queue of that name. */
  public Future<Optional<JsonObject>> partitions(String queue, int limit, int offset) {
    return queueRow(queue)
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : page(found.get(), limit, offset).map(Optional::of));
  }

  /** A page of all partitions, by queue and name. */
  public Future<JsonObject> partitions(int limit, int offset) {
    return questions
        .ask(QUEUE, Tuple.of(shard).addString(null))
        .compose(rows -> page(rows.iterator().next(), limit, offset));
  }

  private Future<JsonObject> page(Row counted, int limit, int offset) {
    return partitionRows(counted.getUUID("queue_id"), limit, offset, false)
        .map(
            partitions ->
                new JsonObject()
                    .put(
                        "partitions",
                        new JsonArray(
                            partitions.stream().map(PartitionRow::toJsonWithQueue).toList()))
                    .put("total", counted.getLong("partitions")));
  }

  private static JsonObject queue(Row row, List<PartitionRow> partitions) {
    Counters totals =
        partitions.stream().map(PartitionRow::counters).reduce(Counters.ZERO, Counters::plus);
    return new JsonObject()
        .put("createdAt", Moments.text(row.getOffsetDateTime("created_at")))
        .put("id", row.getUUID("queue_id").toString())
        .put("name", row.getString("queue"))
        .put("namespace", row.getString("namespace"))
        .put("partitions", new JsonArray(partitions.stream().map(PartitionRow::toJson).toList()))
        .put("task", row.getString("task"))
        .put("totals", totals.toJson());
  }

  private Future<Optional<Row>> queueRow(String name) {
    return questions
        .ask(QUEUE, Tuple.of(shard).addString(name))
        .map(rows -> StreamSupport.stream(rows.spliterator(), false).findFirst());
  }

  private Future<List<QueueRow>> queueRows() {
    return questions.ask(QUEUES, Tuple.of(shard)).map(ResourceQueries::queueRows);
  }

  private static List<QueueRow> queueRows(RowSet<Row> rows) {
    List<QueueRow> queues = new ArrayList<>(rows.size());
    rows.forEach(row -> queues.add(QueueRow.of(row)));
    return queues;
  }

  private Future<List<PartitionRow>> partitionRows(
      @Nullable UUID queueId, @Nullable Integer limit, int offset, boolean times) {
    return questions
        .ask(PARTITIONS, Tuple.of(shard, queueId, limit, offset, times))
        .map(
            rows -> {
              List<PartitionRow> partitions = new ArrayList<>(rows.size());
              rows.forEach(row -> partitions.add(PartitionRow.of(row)));
              return partitions;
            });
  }
}
