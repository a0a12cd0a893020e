package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.admin.history.StatisticsRefresh;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The sums over all partitions are the same, however many steps a pass takes. */
@ExtendWith(PostgresExtension.class)
class StatisticsStepsIT {
  private static final int PARTITIONS = 23;

  private TestStore broker;

  @BeforeEach
  void open(TestDatabase database) {
    broker = TestStore.migrated(database);
    fill();
  }

  @AfterEach
  void close() {
    broker.close();
  }

  @Test
  void sumsOfManySteps_areThoseOfOne() {
    assertThat(step(100_000)).isEqualTo("done");
    List<String> whole = sums();

    int steps = 1;
    while (step(1).equals("more")) {
      assertThat(sums()).as("until the end the old ones stand").isEqualTo(whole);
      steps++;
    }

    int partitions = ((Number) value("select count(*) from queen.partitions")).intValue();
    assertThat(steps).isGreaterThan(partitions);
    assertThat(sums()).isEqualTo(whole);
    assertThat(value("select count(*) from queen.statistics_pass")).isEqualTo(0L);
  }

  @Test
  void aPassThatWasLeft_isContinued() {
    step(100_000);
    List<String> whole = sums();
    for (int i = 0; i < 9; i++) {
      assertThat(step(3)).isEqualTo("more");
    }
    Object after = value("select after::text from queen.statistics_pass");
    PgConnection dying = broker.database().connect();
    await(dying.query("begin; " + sql(3)).execute());
    assertThat(step(3)).as("no two brokers do the same step").isEqualTo("busy");
    await(dying.close());
    assertThat(value("select after::text from queen.statistics_pass")).isEqualTo(after);

    while (step(3).equals("more")) {
      // Until it is done.
    }
    assertThat(sums()).isEqualTo(whole);
  }

  @Test
  void aPassThatWasLeftLongAgo_beginsAgain() {
    step(100_000);
    List<String> whole = sums();
    for (int i = 0; i < 9; i++) {
      step(3);
    }
    broker
        .database()
        .query(
            "update queen.statistics_pass set stepped_at = now() - interval '11 minutes',"
                + " partitions = 1000; update queen.statistics_pass_queues set pending = pending +"
                + " 1000");

    while (step(3).equals("more")) {
      // Until it is done.
    }
    assertThat(sums()).isEqualTo(whole);
  }

  @Test
  void theBroker_doesAllStepsOfAPass_andSaysWhatItDid() {
    Pool pool =
        PgBuilder.pool()
            .connectingTo(broker.database().options())
            .with(new PoolOptions().setMaxSize(1))
            .using(broker.database().vertx())
            .build();
    StatisticsRefresh refresh =
        new StatisticsRefresh(broker.database().vertx(), pool, (short) 0, Duration.ofHours(1), 2);

    JsonObject said = await(refresh.now());

    assertThat(said.getJsonObject("partition").getLong("partitionsUpdated"))
        .isEqualTo(value("select count(*) from queen.partitions"));
    List<String> made = sums();
    step(100_000);
    assertThat(made).isEqualTo(sums());
    await(pool.close());
  }

  /** Two queues, groups that stand anywhere, consumers without a group in one partition of one. */
  private void fill() {
    long seed = System.nanoTime();
    System.out.println("StatisticsStepsIT seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < 80; i++) {
      broker.push("q" + i % 2, "p" + random.nextInt(PARTITIONS), "t" + i);
    }
    broker.push("alone", "p", "unread");
    broker.push("q0", "p0", "first");
    for (int i = 0; i < 20; i++) {
      String group = List.of("g", "h").get(i % 2);
      PopOutcome.Served served =
          broker.pop("q" + random.nextInt(2), "p" + random.nextInt(PARTITIONS), group, 2);
      for (PartitionBatch batch : served.batches()) {
        for (String id : TestStore.transactionIds(served)) {
          if (random.nextBoolean()) {
            broker.ack(
                batch, group, id, random.nextBoolean() ? AckStatus.COMPLETED : AckStatus.DLQ);
          }
        }
      }
    }
    broker.pop("q0", "p0", PopRequest.QUEUE_MODE, 1);
    broker
        .database()
        .query(
            "update queen.segments set created_at = created_at - interval '900 seconds';"
                + " update queen.partitions set last_append_at = last_append_at - interval '900"
                + " seconds'");
  }

  private List<String> sums() {
    return broker
        .database()
        .query(
            "select 'queue', s::text from queen.statistics_queues s union all select 'group',"
                + " s::text from queen.statistics_groups s union all select 'state', (partitions,"
                + " offset_lag[2:], round(offset_lag[1]::numeric, 6), round(time_lag[3]::numeric,"
                + " -2), oldest_at, failed)::text from queen.statistics_state order by 1, 2")
        .stream()
        .map(row -> row.getString(0) + row.getString(1))
        .toList();
  }

  private String step(int page) {
    return (String) value(sql(page));
  }

  private static String sql(int page) {
    return "select o_outcome from queen.statistics_step_v1(0::smallint, 0, true, " + page + ")";
  }

  private Object value(String sql) {
    return broker.database().value(sql);
  }
}
