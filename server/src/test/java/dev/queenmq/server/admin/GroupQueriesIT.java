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
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Lag is exact, whatever a group has done and wherever it starts. */
@Tag("oldest-postgres")
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class GroupQueriesIT {
  private FilledStore store;
  private GroupQueries queries;

  GroupQueriesIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    store = new FilledStore(database);
    queries = new GroupQueries(StoreClient.of(store.client()), (short) 0, Integer.MAX_VALUE);
  }

  @BeforeEach
  void wipe() {
    store.wipe();
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void lag_countsWhatIsNotDone_leasedOrNot() {
    store.push("q", "p", "1", "2", "3", "4", "5");
    PartitionBatch batch = store.pop("q", "p", "g", 4);
    assertThat(lag("g")).isEqualTo(5);

    store.ack(batch, "g", AckStatus.COMPLETED, "1");
    assertThat(lag("g")).isEqualTo(4);
    // Done out of order: behind the cursor lie 2, and 4 and 5.
    store.ack(batch, "g", AckStatus.COMPLETED, "3");
    assertThat(lag("g")).isEqualTo(3);
    assertThat(partition("g").getInteger("totalConsumed")).isEqualTo(2);
    store.ack(batch, "g", AckStatus.DLQ, "2");
    assertThat(lag("g")).isEqualTo(2);
    store.ack(batch, "g", AckStatus.FAILED, "4");
    assertThat(lag("g")).isEqualTo(2);
    assertThat(partition("g").getInteger("totalConsumed")).isEqualTo(3);
    assertThat(partition("g").getBoolean("leaseActive")).isFalse();
  }

  @Test
  void timeLag_isTheAgeOfTheOldestThatIsNotDone() {
    store.push("q", "p", "1");
    makeOlder(1_000);
    store.push("q", "p", "2");
    makeOlder(100);
    store.push("q", "p", "3");
    PartitionBatch batch = store.pop("q", "p", "g", 3);
    assertThat(partition("g").getInteger("timeLagSeconds")).isBetween(1_100, 1_900);

    store.ack(batch, "g", AckStatus.COMPLETED, "1", "3");
    assertThat(partition("g").getInteger("timeLagSeconds")).isBetween(100, 900);
    assertThat(await(queries.groups(1_000, 0)).getJsonObject(0).getInteger("maxTimeLag"))
        .isBetween(100, 900);

    store.ack(batch, "g", AckStatus.COMPLETED, "2");
    assertThat(partition("g").getInteger("timeLagSeconds")).isZero();
  }

  @Test
  void lag_ofPartitionsNotReadYet_isWhatTheyWouldGet() {
    store.push("q", "old", "1", "2");
    makeOlder(100);
    store.subscribe("q", "all", new Subscription.All());
    store.subscribe("q", "new", new Subscription.New());
    store.subscribe("q", "from", new Subscription.After(Instant.now().minusSeconds(50)));
    store.push("q", "old", "3");
    store.push("q", "born-later", "4", "5");

    assertThat(lag("all")).isEqualTo(5);
    assertThat(lag("new")).isEqualTo(3);
    assertThat(lag("from")).isEqualTo(3);
    store.pop("q", "old", "new", 10);
    assertThat(lag("new")).isEqualTo(3);
    assertThat(row("new").getInteger("members")).isEqualTo(1);
    assertThat(row("new").getInteger("partitionsWithLag")).isEqualTo(2);
  }

  @Test
  void groupOfOnePartition_doesNotLagInOthers() {
    store.push("q", "a", "1");
    store.push("q", "b", "1");
    store.pop("q", "a", "g", 1);

    assertThat(lag("g")).isEqualTo(1);
    assertThat(await(queries.group("g", 10_000, 0)).getJsonObject("q").getJsonArray("partitions"))
        .hasSize(1);
  }

  @Test
  void lag_afterRetention_isWhatIsLeft() {
    store.push("q", "p", "1", "2");
    store.push("q", "p", "3");
    store.subscribe("q", "waiting", new Subscription.All());
    PartitionBatch batch = store.pop("q", "p", "g", 1);
    makeOlder(100);
    store.push("q", "p", "4");

    store.dropSegments(batch.partitionId(), 2);

    assertThat(lag("g")).isEqualTo(2);
    assertThat(lag("waiting")).isEqualTo(2);
    assertThat(partition("g").getInteger("timeLagSeconds")).isBetween(100, 900);
  }

  @Test
  void queueMode_lagsInAllPartitionsOfAQueueThatItReads() {
    store.push("q", "a", "1");
    store.push("q", "b", "1", "2");
    store.push("untouched", "a", "1");
    store.pop("q", "a", PopRequest.QUEUE_MODE, 1);

    assertThat(lag(PopRequest.QUEUE_MODE)).isEqualTo(3);
    assertThat(await(queries.groups(1_000, 0))).hasSize(1);
  }

  @Test
  void lagging_leavesOutWhatIsDone() {
    store.push("q", "a", "1");
    store.push("q", "b", "1");
    makeOlder(100);
    PartitionBatch done = store.pop("q", "a", "g", 1);
    store.ack(done, "g", AckStatus.COMPLETED, "1");
    store.pop("q", "b", "g", 1);

    assertThat(await(queries.lagging(50, 10_000)))
        .singleElement()
        .satisfies(
            row -> assertThat(((JsonObject) row).getString("partition_name")).isEqualTo("b"));
    assertThat(await(queries.lagging(500, 10_000))).isEmpty();
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
            select 0, p.id, 'g', case when p.name < 'x5' then 1000 else 500 end
            from queen.partitions p where p.next_offset = 1000;
            analyze;
            """);
    long lagging =
        (long) store.database().value("select count(*) from queen.cursors where committed = 500");

    assertThat(lag("g")).isEqualTo(lagging * 500);
    for (String question :
        List.of(
            "groups_v1(0::smallint, 1000000)",
            "group_partitions_v1(0::smallint, 'g', 10000, 0)",
            "lagging_partitions_v1(0::smallint, 0, 10000, 1000000)")) {
      assertThat(segmentReads(question)).as(question).isEqualTo(lagging);
    }
  }

  private long segmentReads(String question) {
    PgConnection connection = store.database().connect();
    return await(
        connection
            .query("begin")
            .execute()
            .compose(begun -> connection.query("select queen." + question).execute())
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

  private int lag(String group) {
    return row(group).getInteger("totalLag");
  }

  private JsonObject row(String group) {
    return await(queries.groups(1_000, 0)).stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("name").equals(group))
        .findFirst()
        .orElseThrow();
  }

  /** The only partition that a group reads. */
  private JsonObject partition(String group) {
    JsonObject queues = await(queries.group(group, 10_000, 0));
    assertThat(queues).hasSize(1);
    return queues.getJsonObject("q").getJsonArray("partitions").getJsonObject(0);
  }

  private void makeOlder(int seconds) {
    store
        .database()
        .query(
            ("update queen.segments set created_at = created_at - interval '%1$d seconds';"
                    + " update queen.partitions"
                    + " set last_append_at = last_append_at - interval '%1$d seconds'")
                .formatted(seconds));
  }
}
