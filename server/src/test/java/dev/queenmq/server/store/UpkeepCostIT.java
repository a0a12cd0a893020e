package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.upkeep.UpkeepClaim;
import dev.queenmq.server.store.upkeep.UpkeepStep;
import dev.queenmq.server.store.upkeep.UpkeepStore;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What upkeep costs where there is little to do, counted by PostgreSQL; and that it is fenced. */
@ExtendWith(PostgresExtension.class)
class UpkeepCostIT {
  private static final int PARTITIONS = 50_000;
  private static final int FEWER = 3_000;
  private static final int PAGE = 1_000;
  private static final int OLD = 7;

  private TestStore setup;
  private PgConnection connection;
  private UpkeepStore upkeep;

  @BeforeEach
  void start(TestDatabase database) {
    setup = TestStore.migrated(database);
    connection = database.connect();
    upkeep = new UpkeepStore(StoreClient.of(connection), (short) 0, Duration.ofSeconds(30));
  }

  @AfterEach
  void stop() {
    await(connection.close());
    setup.close();
  }

  /** Partitions of which each has messages, the first ones in several segments, few of them old. */
  private void fill(int partitions, JsonObject options) {
    setup.configure("q", options);
    TestDatabase database = setup.database();
    database.query(
        "insert into queen.partitions (shard, id, queue_id, name, next_offset, last_append_at)"
            + " select 0, gen_random_uuid(), q.id, 'p' || lpad(i::text, 6, '0'), 10, now()"
            + " from queen.queues q cross join generate_series(1, "
            + partitions
            + ") as i");
    database.query(
        "insert into queen.segments select 0, p.id, s.o, 10 / s.n, case when p.name <= 'p"
            + "%06d".formatted(OLD)
            + "' then now() - interval '1 h' else now() end, false, array_fill(p.id, array[10 /"
            + " s.n]), array_fill('a'::text, array[10 / s.n]), array_fill('1'::text, array[10 /"
            + " s.n]) from queen.partitions p cross join lateral (select case when p.name < 'p001'"
            + " then 5 else 1 end as n, generate_series(0, 9, case when p.name < 'p001' then 2 else"
            + " 10 end) as o) s where p.name like 'p0%'");
    database.query("analyze queen.segments");
    database.query("analyze queen.partitions");
  }

  private long token(String job) {
    return ((UpkeepClaim.Claimed) await(upkeep.claim(job, "me", Duration.ofMinutes(5), true)))
        .token();
  }

  @Test
  void retention_looksOnceAtAPartitionWithoutOldMessages() {
    fill(PARTITIONS, new JsonObject().put("retentionEnabled", true).put("retentionSeconds", 60));
    long token = token("retention");
    int steps = 0;
    long removed = 0;
    UpkeepStep step;
    do {
      step = await(upkeep.retention(token, PAGE, PAGE));
      removed += step.removed();
      steps++;
    } while (step.state() == UpkeepStep.State.MORE);

    assertThat(step.state()).isEqualTo(UpkeepStep.State.DONE);
    assertThat(removed).isEqualTo(OLD * 10);
    // A page each, one more for "Default", one that finds no queue any more.
    assertThat(steps).isBetween(PARTITIONS / PAGE, PARTITIONS / PAGE + 3);

    await(upkeep.end("retention", token, Optional.empty(), false));
    long[] read = rowsRead("queen.upkeep_retention_v1", token("retention"));
    assertThat(read[0]).as("segments").isLessThanOrEqualTo(PAGE);
    assertThat(read[1]).as("cursors").isZero();
  }

  @Test
  void completedRetention_looksAtGroups_onlyWhereThereIsSomethingOld() {
    fill(
        FEWER, new JsonObject().put("retentionEnabled", true).put("completedRetentionSeconds", 60));
    long token = token("retention");
    // Pages in which it is found out that no consumer without a group reads the queue.
    for (int page = 0; page <= FEWER / PAGE; page++) {
      assertThat(await(upkeep.retention(token, PAGE, PAGE)).removed()).isZero();
    }

    long[] read = rowsRead("queen.upkeep_retention_v1", token);
    assertThat(read[0]).as("segments").isLessThanOrEqualTo(PAGE);
    assertThat(read[1]).as("cursors").isZero();
  }

  @Test
  void eviction_looksAtGroups_onlyWhereThereIsSomethingOld() {
    fill(FEWER, new JsonObject().put("maxWaitTimeSeconds", 60));
    setup
        .database()
        .query("delete from queen.segments s where created_at < now() - interval '1 m'");
    setup
        .database()
        .query(
            "insert into queen.cursors (shard, partition_id, consumer_group, committed)"
                + " select 0, p.id, 'g', 0 from queen.partitions p");
    long token = token("eviction");
    for (int page = 0; page <= FEWER / PAGE; page++) {
      await(upkeep.eviction(token, PAGE, PAGE));
    }

    long[] read = rowsRead("queen.upkeep_eviction_v1", token);
    assertThat(read[0]).as("segments").isLessThanOrEqualTo(PAGE);
    assertThat(read[1]).as("cursors").isZero();
  }

  @Test
  void aHolderThatWasReplaced_changesNothing() {
    setup.configure("q", new JsonObject().put("retentionEnabled", true).put("retentionSeconds", 1));
    setup.push("q", "p", "a");
    setup.database().query("update queen.segments set created_at = now() - interval '1 h'");
    long old = token("retention");
    assertThat(await(upkeep.claim("retention", "other", Duration.ofMinutes(5), true)))
        .isInstanceOf(UpkeepClaim.Held.class);
    setup.database().query("update queen.upkeep_leases set expires_at = now() - interval '1 s'");
    long young = token("retention");

    assertThat(await(upkeep.retention(old, 10, 10)).state()).isEqualTo(UpkeepStep.State.LOST);
    assertThat(await(upkeep.end("retention", old, Optional.empty(), false))).isEmpty();
    await(upkeep.release("retention", old));
    assertThat(await(upkeep.retention(young, 10, 10)).removed()).isEqualTo(1);
    assertThat(await(upkeep.claim("retention", "other", Duration.ofMinutes(5), false)))
        .isInstanceOf(UpkeepClaim.Held.class);
  }

  /** Rows of segments and of cursors that one step over a page reads. */
  private long[] rowsRead(String procedure, long token) {
    await(connection.query("begin").execute());
    // What this connection counted before and has not reported yet counts in both.
    long[] before = rowsRead();
    await(
        connection
            .preparedQuery(
                "select * from " + procedure + "(0::smallint, $1, interval '1 m', $2, $2)")
            .execute(Tuple.of(token, PAGE)));
    long[] after = rowsRead();
    await(connection.query("rollback").execute());
    return new long[] {after[0] - before[0], after[1] - before[1]};
  }

  private long[] rowsRead() {
    Row row =
        await(
                connection
                    .query(
                        "select coalesce(sum(idx_tup_fetch + seq_tup_read)"
                            + " filter (where relname = 'segments'), 0)::bigint,"
                            + " coalesce(sum(idx_tup_fetch + seq_tup_read)"
                            + " filter (where relname = 'cursors'), 0)::bigint"
                            + " from pg_stat_xact_user_tables")
                    .execute())
            .iterator()
            .next();
    return new long[] {row.getLong(0), row.getLong(1)};
  }
}
