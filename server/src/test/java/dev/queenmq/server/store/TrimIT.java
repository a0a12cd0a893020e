package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The tail and the lists of leases stay short, at whatever rate they grow. */
@ExtendWith(PostgresExtension.class)
class TrimIT {
  private static final Duration KEEP = Duration.ofMinutes(2);

  private final AtomicInteger steps = new AtomicInteger();
  private TestStore setup;
  private SqlClient client;
  private MessageStore store;

  @BeforeEach
  void start(TestDatabase database) {
    setup = TestStore.migrated(database);
    client =
        PgBuilder.client()
            .connectingTo(database.storeOptions())
            .with(new PoolOptions().setMaxSize(1))
            .using(database.vertx())
            .build();
    store =
        new MessageStore(
            database.vertx().getOrCreateContext(),
            (sql, arguments) -> {
              steps.incrementAndGet();
              return StoreClient.of(client).call(sql, arguments);
            },
            StoreOptions.defaults(),
            1,
            InstantSource.system(),
            System::nanoTime);
  }

  @AfterEach
  void stop() {
    await(client.close());
    setup.close();
  }

  @Test
  void oneRound_removesAllOfALongOldTail_inSmallSteps_andLeavesTheYoungOne() {
    query(
        "insert into queen.tail (shard, xid, appended_at, partition_ids)"
            + " select 0, i::text::xid8, now() - interval '3 minutes', '{}'"
            + " from generate_series(1, 200000) i");
    setup.push("q", "p", "young");

    long removed = await(store.trim(KEEP));

    assertThat(removed).isEqualTo(200_000);
    assertThat(steps.get()).isGreaterThanOrEqualTo(100);
    assertThat(number("select count(*) from queen.tail")).isEqualTo(1);
  }

  @Test
  void listsOfLeases_goOnceTheyAreFree_andAreNotLookedAtAgainBeforeTheLeaseEnds() {
    setup.push("q", "a", "1");
    setup.push("q", "b", "1");
    List<PartitionBatch> held =
        setup
            .pop(
                new PopRequest(
                    new PopTarget.Candidates(Optional.of("q"), partitionIds()),
                    "g",
                    10,
                    10,
                    false,
                    new Subscription.All()))
            .batches();
    assertThat(held).hasSize(2);
    query(
        "insert into queen.leases (shard, lease_id, consumer_group, partition_ids, created_at,"
            + " check_at) select 0, gen_random_uuid(), 'g', array(select id from queen.partitions),"
            + " now(), now() from generate_series(1, 5000)");
    query("update queen.leases set check_at = now() - interval '1 second'");

    assertThat(await(store.trim(KEEP))).isEqualTo(5_001);
    assertThat(number("select count(*) from queen.leases")).isEqualTo(1);
    assertThat(
            number(
                "select count(*) from queen.leases where check_at > now() + interval '4 minutes'"))
        .isEqualTo(1);
    assertThat(await(store.trim(KEEP))).as("nothing is due").isZero();

    query("update queen.cursors set lease_id = null, lease_expires_at = null, leased = '{}'");
    query("update queen.leases set check_at = now() - interval '1 second'");
    await(store.trim(KEEP));
    assertThat(number("select count(*) from queen.leases")).isZero();
  }

  @Test
  void rowsThatAnotherBrokerRemoves_arePassedOver() {
    query(
        "insert into queen.tail (shard, xid, appended_at, partition_ids)"
            + " select 0, i::text::xid8, now() - interval '3 minutes', '{}'"
            + " from generate_series(1, 10) i");
    PgConnection other = setup.database().connect();
    await(other.query("begin; delete from queen.tail where xid < '6'::xid8").execute());

    assertThat(await(store.trim(KEEP))).isEqualTo(5);

    await(other.query("commit").execute());
    await(other.close());
    assertThat(number("select count(*) from queen.tail")).isZero();
  }

  @Test
  void tables_haveTheVacuumSettingsOfADayAtFullRate() {
    assertThat(options("tail"))
        .contains("autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=20000")
        .contains("vacuum_truncate=false");
    assertThat(options("leases"))
        .contains("autovacuum_vacuum_scale_factor=0", "autovacuum_vacuum_threshold=20000");
    assertThat(options("partitions")).contains("fillfactor=70", "vacuum_truncate=false");
    assertThat(options("cursors")).contains("fillfactor=50", "vacuum_truncate=false");
    assertThat(options("segments"))
        .contains(
            "autovacuum_vacuum_insert_scale_factor=0.05",
            "autovacuum_freeze_min_age=1000000",
            "autovacuum_freeze_table_age=100000000");
    assertThat(
            text(
                "select t.reloptions::text from pg_class c join pg_class t on t.oid ="
                    + " c.reltoastrelid where c.oid = 'queen.segments'::regclass"))
        .contains("autovacuum_vacuum_insert_scale_factor=0.05")
        .contains("autovacuum_freeze_min_age=1000000");
  }

  private String options(String table) {
    return text(
        "select reloptions::text from pg_class where oid = 'queen." + table + "'::regclass");
  }

  private List<UUID> partitionIds() {
    return setup.database().query("select id from queen.partitions").stream()
        .map(row -> row.getUUID(0))
        .toList();
  }

  private void query(String sql) {
    setup.database().query(sql);
  }

  private String text(String sql) {
    return Optional.ofNullable(setup.database().value(sql)).map(String::valueOf).orElse("");
  }

  private long number(String sql) {
    return ((Number) setup.database().value(sql)).longValue();
  }
}
