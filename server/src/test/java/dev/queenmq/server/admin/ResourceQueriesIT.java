package dev.queenmq.server.admin;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("oldest-postgres")
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ResourceQueriesIT {
  private static final String MOMENT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  private final AtomicLong nanoTime = new AtomicLong();
  private FilledStore store;
  private ResourceQueries resources;

  ResourceQueriesIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    store = new FilledStore(database);
  }

  @BeforeEach
  void wipe() {
    store.wipe();
    resources =
        new ResourceQueries(
            StoreClient.of(store.client()), (short) 0, nanoTime::get, Integer.MAX_VALUE);
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void everything_isEmpty_atFirst() {
    JsonObject overview = await(resources.overview());

    assertThat(await(resources.queues(1_000, 0))).isEqualTo(json("{'queues': []}"));
    assertThat(await(resources.namespaces(1_000, 0))).isEqualTo(json("{'namespaces': []}"));
    assertThat(await(resources.tasks(1_000, 0))).isEqualTo(json("{'tasks': []}"));
    assertThat(await(resources.queue("none", 10_000, 0))).isEmpty();
    assertThat(await(resources.partitions("none", 10, 0))).isEmpty();
    assertThat(await(resources.partitions(10, 0)))
        .isEqualTo(json("{'partitions': [], 'total': 0}"));
    assertThat((String) overview.remove("timestamp")).matches(MOMENT);
    assertThat(overview)
        .isEqualTo(
            json(
                """
                {'queues': 0, 'partitions': 0, 'namespaces': 0, 'tasks': 0,
                 'messages': {'total': 0, 'pending': 0, 'processing': 0, 'completed': 0,
                              'failed': 0, 'deadLetter': 0},
                 'lag': {'time': {'avg': 0, 'median': 0, 'min': 0, 'max': 0},
                         'offset': {'avg': 0, 'median': 0, 'min': 0, 'max': 0}},
                 'throughput': {'ingestedPerSecond': 0.0, 'processedPerSecond': 0.0},
                 'statsAge': 0}
                """));
  }

  @Test
  void queues_areListed_theNewestFirst() {
    store.push("shop.orders", "a", "1", "2", "3", "4");
    store.push("shop.orders", "b", "1");
    store.push("mail", "Default", "1");
    PartitionBatch batch = store.pop("shop.orders", "a", "g", 3);
    store.ack(batch, "g", AckStatus.COMPLETED, "1");

    JsonArray queues = await(resources.queues(1_000, 0)).getJsonArray("queues");

    JsonObject orders = queues.getJsonObject(1);
    assertThat(UUID.fromString((String) orders.remove("id"))).isNotNull();
    assertThat((String) orders.remove("createdAt")).matches(MOMENT);
    assertThat(orders)
        .isEqualTo(
            json(
                """
                {'name': 'shop.orders', 'namespace': 'shop', 'task': 'orders', 'partitions': 2,
                 'messages': {'total': 5, 'pending': 2, 'processing': 2},
                 'paused': false, 'pausedBy': null, 'pausedGroups': [], 'pausedSince': null}
                """));
    assertThat(queues.getJsonObject(0).getString("name")).isEqualTo("mail");
    assertThat(queues).hasSize(2);
  }

  @Test
  void queue_tellsTheWorstGroupOfEachPartition() {
    store.push("q", "b", "1", "2");
    store.push("q", "a", "1", "2", "3", "4", "5");
    PartitionBatch fast = store.pop("q", "a", "fast", 5);
    store.ack(fast, "fast", AckStatus.COMPLETED, "1", "2", "3", "4", "5");
    PartitionBatch slow = store.pop("q", "a", "slow", 3);
    store.ack(slow, "slow", AckStatus.COMPLETED, "1");
    PartitionBatch broken = store.pop("q", "a", "broken", 2);
    store.ack(broken, "broken", AckStatus.DLQ, "1", "2");

    JsonObject queue = await(resources.queue("q", 10_000, 0)).orElseThrow();

    JsonObject a = queue.getJsonArray("partitions").getJsonObject(0);
    assertThat(a.fieldNames())
        .containsExactlyInAnyOrder(
            "id", "name", "createdAt", "stats", "oldestMessage", "newestMessage");
    assertThat(a.getString("name")).isEqualTo("a");
    assertThat(a.getJsonObject("stats"))
        .isEqualTo(
            json(
                """
                {'total': 5, 'pending': 4, 'processing': 2, 'completed': 5, 'failed': 0,
                 'deadLetter': 2}
                """));
    assertThat(a.getString("oldestMessage")).matches(MOMENT);
    assertThat(queue.getJsonArray("partitions").getJsonObject(1).getJsonObject("stats"))
        .isEqualTo(
            json(
                """
                {'total': 2, 'pending': 2, 'processing': 0, 'completed': 0, 'failed': 0,
                 'deadLetter': 0}
                """));
    assertThat(queue.getJsonObject("totals"))
        .isEqualTo(
            json(
                """
                {'total': 7, 'pending': 6, 'processing': 2, 'completed': 5, 'failed': 0,
                 'deadLetter': 2}
                """));
    assertThat(queue.fieldNames())
        .containsExactlyInAnyOrder(
            "id",
            "name",
            "namespace",
            "task",
            "createdAt",
            "partitionCount",
            "paused",
            "pausedBy",
            "pausedGroups",
            "pausedSince",
            "partitions",
            "totals",
            "options");
    assertThat(queue.getJsonObject("options").getInteger("leaseTime")).isEqualTo(300);
  }

  @Test
  void queue_countsWhatIsDoneOutOfOrder_andForgetsLeasesThatRanOut() {
    store.push("q", "p", "1", "2", "3", "4");
    PartitionBatch batch = store.pop("q", "p", "g", 4);
    store.ack(batch, "g", AckStatus.COMPLETED, "2", "4");

    assertThat(totals("q")).isEqualTo(counters(4, 2, 2, 2));

    store
        .database()
        .query("update queen.cursors set lease_expires_at = clock_timestamp() - interval '1 s'");
    assertThat(totals("q")).isEqualTo(counters(4, 2, 0, 2));
  }

  @Test
  void queue_hasNoOldestMessage_whenAllIsDone() {
    store.push("q", "p", "1");
    store.ack(store.pop("q", "p", "g", 1), "g", AckStatus.COMPLETED, "1");
    store.configure("q", "", "", new JsonObject());

    JsonArray partitions =
        await(resources.queue("q", 10_000, 0)).orElseThrow().getJsonArray("partitions");

    assertThat(partitions.getJsonObject(0).getString("name")).isEqualTo("Default");
    assertThat(partitions.getJsonObject(0).getValue("newestMessage")).isNull();
    assertThat(partitions.getJsonObject(0).containsKey("newestMessage")).isTrue();
    assertThat(partitions.getJsonObject(1).getValue("oldestMessage")).isNull();
    assertThat(partitions.getJsonObject(1).getString("newestMessage")).matches(MOMENT);
  }

  @Test
  void queue_countsGroupsThatHaveSubscribedButNotCome() {
    store.push("q", "p", "1", "2", "3");
    store.subscribe("q", "late", new Subscription.New());
    store.push("q", "p", "4");
    PartitionBatch all = store.pop("q", "p", PopRequest.QUEUE_MODE, 10);
    store.ack(all, PopRequest.QUEUE_MODE, AckStatus.COMPLETED, "1", "2", "3", "4");

    assertThat(totals("q")).isEqualTo(counters(4, 1, 0, 4));

    store.subscribe("q", "first", new Subscription.All());
    assertThat(totals("q")).isEqualTo(counters(4, 4, 0, 4));
  }

  @Test
  void queue_doesNotCountWhatRetentionRemoved() {
    store.push("q", "p", "1", "2");
    store.push("q", "p", "3");
    JsonObject before = await(resources.queue("q", 10_000, 0)).orElseThrow();
    UUID id = UUID.fromString(before.getJsonArray("partitions").getJsonObject(0).getString("id"));

    assertThat(store.dropSegments(id, 2)).isEqualTo(2);

    assertThat(totals("q")).isEqualTo(counters(3, 1, 0, 0));
    store.pop("q", "p", "g", 1);
    assertThat(totals("q")).isEqualTo(counters(3, 1, 1, 2));
  }

  @Test
  void namespacesAndTasks_areSummedUp() {
    store.push("b.x", "1", "1", "2");
    store.push("b.y", "1", "1");
    store.push("a.y", "1", "1");
    store.push("a.y", "2", "1");
    store.push("plain", "1", "1");
    store.configure("unlabelled", "", "", new JsonObject());
    store.pop("b.x", "1", "g", 1);

    assertThat(await(resources.namespaces(1_000, 0)))
        .isEqualTo(
            json(
                """
                {'namespaces': [
                  {'namespace': 'a', 'queues': 1, 'partitions': 2,
                   'messages': {'total': 2, 'pending': 2}},
                  {'namespace': 'b', 'queues': 2, 'partitions': 2,
                   'messages': {'total': 3, 'pending': 3}},
                  {'namespace': 'plain', 'queues': 1, 'partitions': 1,
                   'messages': {'total': 1, 'pending': 1}}]}
                """));
    assertThat(await(resources.tasks(1_000, 0)))
        .isEqualTo(
            json(
                """
                {'tasks': [
                  {'task': 'x', 'queues': 1, 'partitions': 1,
                   'messages': {'total': 2, 'pending': 2}},
                  {'task': 'y', 'queues': 2, 'partitions': 3,
                   'messages': {'total': 3, 'pending': 3}}]}
                """));
  }

  @Test
  void overview_tellsHowFarBehindPartitionsAre_andHowFastTheyMove() {
    store.push("n.t", "idle", "1");
    store.ack(store.pop("n.t", "idle", "g", 1), "g", AckStatus.COMPLETED, "1");
    store.push("n.t", "a", "1", "2");
    store.push("n.t", "b", "1", "2", "3", "4");
    store
        .database()
        .query(
            "update queen.segments set created_at = created_at - interval '60 s'"
                + " where message_count = 2;"
                + " update queen.segments set created_at = created_at - interval '600 s'"
                + " where message_count = 4");
    store.ack(store.pop("n.t", "a", "g", 1), "g", AckStatus.FAILED, "1");
    await(resources.overview());
    nanoTime.addAndGet(Duration.ofSeconds(10).toNanos());
    store.push(
        "n.t", "idle", IntStream.range(2, 52).mapToObj(String::valueOf).toArray(String[]::new));
    store.ack(store.pop("n.t", "idle", "g", 2), "g", AckStatus.COMPLETED, "2", "3");

    JsonObject overview = await(resources.overview());

    assertThat(overview.getJsonObject("messages"))
        .isEqualTo(
            json(
                """
                {'total': 57, 'pending': 54, 'processing': 0, 'completed': 3, 'failed': 1,
                 'deadLetter': 0}
                """));
    assertThat(overview.getJsonObject("lag").getJsonObject("offset"))
        .isEqualTo(json("{'avg': 18, 'median': 4, 'min': 2, 'max': 48}"));
    JsonObject time = overview.getJsonObject("lag").getJsonObject("time");
    assertThat(time.getLong("max")).isBetween(600L, 1_500L);
    assertThat(time.getLong("median")).isBetween(60L, 120L);
    assertThat(time.getLong("min")).isBetween(0L, 59L);
    assertThat(overview.getJsonObject("throughput"))
        .isEqualTo(json("{'ingestedPerSecond': 5.0, 'processedPerSecond': 0.2}"));
    assertThat(overview.getInteger("queues")).isOne();
    assertThat(overview.getInteger("namespaces")).isOne();
    assertThat(overview.getInteger("tasks")).isOne();
  }

  @Test
  void partitions_areGivenInPages() {
    for (String name : List.of("c", "a", "b")) {
      store.push("q", name, "1");
    }
    store.push("other", "z", "1");

    JsonObject page = await(resources.partitions("q", 2, 1)).orElseThrow();

    assertThat(page.getInteger("total")).isEqualTo(3);
    assertThat(names(page)).containsExactly("q/b", "q/c");
    assertThat(page.getJsonArray("partitions").getJsonObject(0).fieldNames())
        .containsExactlyInAnyOrder("id", "name", "queue", "createdAt", "stats");
    assertThat(names(await(resources.partitions(2, 0)))).containsExactly("other/z", "q/a");
    assertThat(await(resources.partitions(2, 0)).getInteger("total")).isEqualTo(4);
    assertThat(names(await(resources.partitions("q", 10, 3)).orElseThrow())).isEmpty();
  }

  /** What would be slow if it read messages: 1,000 partitions with a million of them. */
  @Test
  void cost_growsWithPartitions_notWithMessages() {
    store.push("big", "p0", "1");
    store
        .database()
        .query(
            """
            insert into queen.partitions (shard, id, queue_id, name, next_offset, last_append_at)
            select 0, gen_random_uuid(), q.id, 'x' || n, 1000, clock_timestamp()
            from queen.queues q, generate_series(1, 1000) n where q.name = 'big';
            insert into queen.segments (shard, partition_id, base_offset, message_count, created_at,
              encrypted, message_ids, transaction_ids, payloads)
            select 0, p.id, n * 10, 10, clock_timestamp(), false, '{}', '{}', '{}'
            from queen.partitions p, generate_series(0, 99) n where p.next_offset = 1000;
            insert into queen.cursors (shard, partition_id, consumer_group, committed)
            select 0, p.id, 'g' || n, n * 100 from queen.partitions p, generate_series(1, 3) n
            where p.next_offset = 1000;
            """);
    JsonObject queues = await(resources.queues(1_000, 0));
    JsonObject overview = await(resources.overview());
    JsonObject queue = await(resources.queue("big", 10_000, 0)).orElseThrow();

    assertThat(queues.getJsonArray("queues").getJsonObject(0).getJsonObject("messages"))
        .isEqualTo(json("{'total': 1000001, 'pending': 900001, 'processing': 0}"));
    assertThat(overview.getJsonObject("messages").getInteger("pending")).isEqualTo(900_001);
    assertThat(queue.getJsonObject("totals").getInteger("completed")).isEqualTo(300_000);
    assertThat(segmentReads()).isEqualTo(1_001);
  }

  /** How many segments are read to tell times for all partitions. */
  private long segmentReads() {
    PgConnection connection = store.database().connect();
    return await(
        connection
            .query("begin")
            .execute()
            .compose(
                begun ->
                    connection
                        .query("select queen.resources_overview_v1(0::smallint, 1000000)")
                        .execute())
            .compose(
                asked ->
                    connection
                        .query(
                            "select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables"
                                + " where relname = 'segments'")
                        .execute())
            .map(rows -> rows.iterator().next().getLong(0))
            .eventually(connection::close));
  }

  private JsonObject totals(String queue) {
    return await(resources.queue(queue, 10_000, 0)).orElseThrow().getJsonObject("totals");
  }

  private static List<String> names(JsonObject page) {
    return page.getJsonArray("partitions").stream()
        .map(JsonObject.class::cast)
        .map(partition -> partition.getString("queue") + "/" + partition.getString("name"))
        .toList();
  }

  private static JsonObject counters(int total, int pending, int processing, int completed) {
    return json("{'failed': 0, 'deadLetter': 0}")
        .put("total", total)
        .put("pending", pending)
        .put("processing", processing)
        .put("completed", completed);
  }

  private static JsonObject json(String text) {
    return new JsonObject(text.replace('\'', '"'));
  }
}
