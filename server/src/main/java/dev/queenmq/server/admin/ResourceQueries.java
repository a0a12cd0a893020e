package dev.queenmq.server.admin;

import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Future;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Queues and partitions with their counters, in the words of the HTTP contract. Safe for use by
 * several threads. Failures are {@link AdminException}s.
 */
public final class ResourceQueries {
  private static final String QUEUES = "select * from queen.resources_queues_v1($1, $2)";
  private static final String QUEUES_PAGE =
      "select * from queen.resources_queues_v1($1, $2) offset $3 limit $4";
  private static final String QUEUE = "select * from queen.resources_queue_v1($1, $2)";
  private static final String PARTITIONS =
      "select * from queen.resources_partitions_v1($1, $2, $3, $4, $5)";
  private static final String OVERVIEW = "select * from queen.resources_overview_v1($1, $2)";
  private static final String SETTINGS = "select * from queen.queue_settings_v1($1)";
  private static final String ONE = "select * from queen.status_queue_v1($1, $2)";

  private record Listed(List<QueueRow> queues, Pauses pauses) {}

  private final AdminSql sql;
  private final short shard;
  private final Overview overview;
  private final int liveLimit;

  /**
   * Queries through this client.
   *
   * @param client best not the one that carries messages: an answer may take a while
   * @param nanoTime as {@link System#nanoTime} counts
   * @param liveLimit up to this many partitions and cursors, sums are computed for each request;
   *     beyond it, they are some seconds old
   */
  public ResourceQueries(StoreClient client, short shard, LongSupplier nanoTime, int liveLimit) {
    this.liveLimit = liveLimit;
    this.sql = new AdminSql(client);
    this.shard = shard;
    this.overview = new Overview(nanoTime);
  }

  /** A page of all queues, the newest first; {@code hasMore} says that there are more. */
  public Future<JsonObject> queues(int limit, int offset) {
    return sql.ask(QUEUES_PAGE, Tuple.of(shard, liveLimit, (long) offset, limit + 1L))
        .map(ResourceQueries::queueRows)
        .compose(
            queues ->
                Pauses.all(sql)
                    .map(
                        pauses ->
                            page(
                                "queues",
                                new JsonArray(
                                    queues.stream()
                                        .map(each -> shown(each, each.toJson(), pauses))
                                        .toList()),
                                limit,
                                0)));
  }

  /** A page of all namespaces, by name. */
  public Future<JsonObject> namespaces(int limit, int offset) {
    return queueRows()
        .map(queues -> LabelSums.of(queues, "namespace", QueueRow::namespace))
        .map(sums -> page("namespaces", sums, limit, offset));
  }

  /** A page of all tasks, by name. */
  public Future<JsonObject> tasks(int limit, int offset) {
    return queueRows()
        .map(queues -> LabelSums.of(queues, "task", QueueRow::task))
        .map(sums -> page("tasks", sums, limit, offset));
  }

  private static JsonObject page(String name, JsonArray list, int limit, int offset) {
    JsonObject page =
        new JsonObject().put(name, new JsonArray(list.stream().skip(offset).limit(limit).toList()));
    return list.size() > (long) offset + limit ? page.put("hasMore", true) : page;
  }

  /** Everything summed up. */
  public Future<JsonObject> overview() {
    return sql.ask(OVERVIEW, Tuple.of(shard, liveLimit))
        .map(rows -> overview.of(rows.iterator().next()));
  }

  /** A page of all queues, the newest first. An empty text stands for any. */
  public Future<JsonObject> statusQueues(String namespace, String task, int limit, int offset) {
    return queueRows()
        .compose(queues -> Pauses.all(sql).map(pauses -> new Listed(queues, pauses)))
        .map(
            listed ->
                new JsonObject()
                    .put("pagination", new JsonObject().put("limit", limit).put("offset", offset))
                    .put(
                        "queues",
                        new JsonArray(
                            listed.queues.stream()
                                .filter(
                                    queue ->
                                        namespace.isEmpty() || namespace.equals(queue.namespace()))
                                .filter(queue -> task.isEmpty() || task.equals(queue.task()))
                                .skip(offset)
                                .limit(limit)
                                .map(each -> shown(each, each.toStatusJson(), listed.pauses))
                                .toList())));
  }

  /**
   * A queue with its partitions, by name, or a page of them, and the options that are in force;
   * empty if there is none of that name.
   */
  public Future<Optional<JsonObject>> queue(String name, int limit, int offset) {
    Future<Optional<JsonObject>> page = one(name, limit, offset, QueuePages::resource);
    Future<Optional<JsonObject>> options =
        sql.ask(SETTINGS, Tuple.tuple().addArrayOfString(new String[] {name}))
            .map(rows -> StreamSupport.stream(rows.spliterator(), false).findFirst())
            .map(row -> row.map(it -> QueueOptions.of(it.getJsonObject("options")).inForce()));
    return Future.all(page, options)
        .map(
            both ->
                page.result()
                    .flatMap(found -> options.result().map(it -> found.put("options", it))));
  }

  /** The same with some of its options, and how far consumers are. */
  public Future<Optional<JsonObject>> statusQueue(String name, int limit, int offset) {
    return one(name, limit, offset, QueuePages::status);
  }

  private Future<Optional<JsonObject>> one(
      String name, int limit, int offset, BiFunction<Row, List<PartitionRow>, JsonObject> page) {
    return sql.ask(ONE, Tuple.of(shard).addString(name))
        .map(rows -> StreamSupport.stream(rows.spliterator(), false).findFirst())
        .compose(
            found ->
                found.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : partitionRows(found.get().getUUID("queue_id"), limit, offset, true)
                        .compose(
                            partitions ->
                                Pauses.of(name, sql)
                                    .map(
                                        pauses ->
                                            Optional.of(
                                                pauses.addTo(
                                                    page.apply(found.get(), partitions), name)))));
  }

  private static JsonObject shown(QueueRow queue, JsonObject json, Pauses pauses) {
    return pauses.addTo(json, queue.name());
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
    return sql.ask(QUEUE, Tuple.of(shard).addString(null))
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

  private Future<Optional<Row>> queueRow(String name) {
    return sql.ask(QUEUE, Tuple.of(shard).addString(name))
        .map(rows -> StreamSupport.stream(rows.spliterator(), false).findFirst());
  }

  private Future<List<QueueRow>> queueRows() {
    return sql.ask(QUEUES, Tuple.of(shard, liveLimit)).map(ResourceQueries::queueRows);
  }

  private static List<QueueRow> queueRows(RowSet<Row> rows) {
    List<QueueRow> queues = new ArrayList<>(rows.size());
    rows.forEach(row -> queues.add(QueueRow.of(row)));
    return queues;
  }

  private Future<List<PartitionRow>> partitionRows(
      @Nullable UUID queueId, @Nullable Integer limit, int offset, boolean times) {
    return sql.ask(PARTITIONS, Tuple.of(shard, queueId, limit, offset, times))
        .map(
            rows -> {
              List<PartitionRow> partitions = new ArrayList<>(rows.size());
              rows.forEach(row -> partitions.add(PartitionRow.of(row)));
              return partitions;
            });
  }
}
