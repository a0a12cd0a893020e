package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.upkeep.UpkeepClaim;
import dev.queenmq.server.store.upkeep.UpkeepStep;
import dev.queenmq.server.store.upkeep.UpkeepStore;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A queue with many partitions goes at once for all clients, and is removed in steps. */
@ExtendWith(PostgresExtension.class)
class DeleteInStepsIT {
  private static final String MARKED =
      "select count(*) from queen.queues where deleted_at is not null";
  private static final int PARTITIONS = 5_000;

  private final AtomicInteger steps = new AtomicInteger();
  private volatile boolean broken;
  private TestStore other;
  private SqlClient client;
  private MessageStore store;

  @BeforeEach
  void start(TestDatabase database) {
    other = TestStore.migrated(database);
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
              if (sql.contains("delete_marked_v1")) {
                steps.incrementAndGet();
                if (broken) {
                  return Future.failedFuture(new IllegalStateException("the broker is gone"));
                }
              }
              return StoreClient.of(client).call(sql, arguments);
            },
            StoreOptions.defaults(),
            1,
            InstantSource.system(),
            System::nanoTime);
    other.push("large", "used", "old");
    query(
        "insert into queen.partitions (shard, id, queue_id, name)"
            + " select 0, gen_random_uuid(), q.id, 'p' || i"
            + " from queen.queues q, generate_series(1, "
            + PARTITIONS
            + ") i where q.name = 'large'");
    query(
        "insert into queen.cursors (shard, partition_id, consumer_group, committed)"
            + " select 0, p.id, 'g', 0 from queen.partitions p");
  }

  @AfterEach
  void stop() {
    await(client.close());
    other.close();
  }

  @Test
  void largeQueue_isOutOfReachAtOnce_andItsNameIsFree() {
    broken = true;
    assertThat(await(store.deleteQueues(List.of("large"))))
        .containsExactly(new DeleteOutcome.Deleted(true));

    assertThat(number(MARKED)).isEqualTo(1);
    assertThat(number("select count(*) from queen.queues where name = 'large'")).isZero();
    assertThat(other.pop("large", "used", "g", 10).batches()).isEmpty();
    // This broker remembers the partition's id, and the partition is still there.
    assertThat(other.push("large", "used", "old")).hasOnlyElementsOfType(PushOutcome.Queued.class);
    assertThat(
            number(
                "select count(*) from queen.messages m where m.queue = 'large'"
                    + " and m.transaction_id = 'old' and m.message_offset = 0"))
        .isEqualTo(1);
    assertThat(other.pop("large", "used", "h", 10).batches()).hasSize(1);
    assertThat(await(store.deleteQueues(List.of("nothing"))))
        .containsExactly(new DeleteOutcome.Deleted(false));
  }

  @Test
  void largeQueue_isRemovedInSteps() {
    await(store.deleteQueues(List.of("large")));
    await(store.swept());

    assertThat(steps.get()).isGreaterThan(5);
    assertThat(number("select count(*) from queen.queues")).isZero();
    assertThat(number("select count(*) from queen.partitions")).isZero();
    assertThat(number("select count(*) from queen.cursors")).isZero();
    assertThat(number("select count(*) from queen.segments")).isZero();
  }

  @Test
  void whatABrokerLeftInTheMiddle_upkeepGoesOnWith() {
    broken = true;
    await(store.deleteQueues(List.of("large")));
    query("select queen.delete_marked_v1(0::smallint, 1000)");
    assertThat(number("select count(*) from queen.partitions")).isEqualTo(PARTITIONS + 1 - 1000);

    UpkeepStore upkeep = new UpkeepStore(StoreClient.of(client), (short) 0, Duration.ofMinutes(1));
    UpkeepClaim.Claimed claim =
        (UpkeepClaim.Claimed) await(upkeep.claim("orphans", "here", Duration.ofHours(1), true));
    UpkeepStep step;
    do {
      step = await(upkeep.orphans(claim.token(), 1000, 10_000));
    } while (step.state() == UpkeepStep.State.MORE);

    assertThat(number("select count(*) from queen.queues")).isZero();
    assertThat(number("select count(*) from queen.partitions")).isZero();
    assertThat(number("select count(*) from queen.cursors")).isZero();
  }

  @Test
  void smallQueue_goesInOneStep() {
    other.push("small", "p", "1");
    await(store.deleteQueues(List.of("small")));

    assertThat(number(MARKED)).isZero();
    assertThat(steps.get()).isZero();
  }

  @Test
  void rowOfTheTable_canBeDeletedByHand() {
    query("delete from queen.queues where name = 'large'");

    assertThat(number("select count(*) from queen.partitions")).isZero();
  }

  private void query(String sql) {
    other.database().query(sql);
  }

  private long number(String sql) {
    return ((Number) other.database().value(sql)).longValue();
  }
}
