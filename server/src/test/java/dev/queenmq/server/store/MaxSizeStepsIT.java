package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The limit of a queue with more partitions than a push may look at: it is measured in steps,
 * outside of pushes.
 */
class MaxSizeStepsIT extends MaxSizeFixture {
  /** More than 2,000, from where on pushes do not measure. */
  private static final int MANY = 2_500;

  private static final String STEP = "select queen.count_backlog_step_v1(0::smallint, 400, 2000)";

  /** Other queues would be measured, too. */
  @BeforeEach
  void clear() {
    broker
        .database()
        .query(
            "delete from queen.measurements; delete from queen.capacities;"
                + " delete from queen.queues");
  }

  @Test
  void aQueueThatWasNeverMeasured_takesNothing_untilItIsMeasuredInSteps() {
    wide("first");
    limit("first", MANY + 2);

    assertThat(broker.push("first", "p1", "a")).containsExactly(FULL);
    assertThat(capacity("first", "measured_at = '-infinity' and large and wanted")).isTrue();

    // A begin, 7 pages to find the groups, 7 pages to count.
    assertThat(steps()).isEqualTo(15);
    assertThat(capacity("first", "depth = " + MANY + " and known and not wanted")).isTrue();
    assertThat(broker.push("first", "p1", "a", "b", "c").subList(0, 2)).doesNotContain(FULL);
    assertThat(broker.push("first", "p2", "d")).containsExactly(FULL);
    assertThat(depth("first")).isEqualTo(MANY + 2);
  }

  @Test
  void noQueueWithALimit_isSaid_soThatBrokersLookLessOften() {
    wide("unlimited");
    assertThat(broker.database().value(STEP)).isEqualTo("off");

    limit("unlimited", 2 * MANY);
    steps();
    assertThat(broker.database().value(STEP)).isEqualTo("none");
  }

  @Test
  void aMeasurementThatWasLeft_isContinued_andCountsWhatCameMeanwhile() {
    wide("left");
    limit("left", MANY + 100);
    broker.push("left", "p1", "wish");
    for (int i = 0; i < 12; i++) {
      assertThat(step()).isTrue();
    }
    String before = measurement("left");
    // A broker that dies in the middle of a step.
    PgConnection dying = broker.database().connect();
    await(dying.query("begin; " + STEP).execute());
    assertThat(step()).as("no two brokers do the same step").isFalse();
    await(dying.close());
    assertThat(measurement("left")).isEqualTo(before);

    broker.database().query("update queen.capacities set depth = 0, measured_at = now()");
    assertThat(broker.push("left", "p1", "x", "y")).doesNotContain(FULL);
    assertThat(steps()).isLessThan(6);
    // Never too low, and too high by no more than what came meanwhile.
    assertThat(capacity("left", "depth between %d and %d".formatted(MANY + 2, MANY + 4))).isTrue();
  }

  @Test
  void room_isSeenAgain_whenConsumersMadeIt() {
    wide("room");
    limit("room", MANY);
    broker.push("room", "p1", "wish");
    steps();
    assertThat(broker.push("room", "p1", "a")).containsExactly(FULL);

    broker
        .database()
        .query(
            "insert into queen.cursors (shard, partition_id, consumer_group, committed)"
                + " select 0, p.id, 'g', 1 from queen.partitions p"
                + " join queen.queues q on q.id = p.queue_id where q.name = 'room'");
    rest("room");
    assertThat(broker.push("room", "p1", "a")).as("it asks").containsExactly(FULL);
    steps();
    assertThat(capacity("room", "depth = 0")).isTrue();
    assertThat(broker.push("room", "p1", "a")).doesNotContain(FULL);
  }

  @Test
  void producersThatOnlySendTransactions_areNotLockedOut() {
    wide("tx");
    limit("tx", MANY + 1);
    Transaction one =
        new Transaction(List.of(new Operation.Push(broker.message("tx", "p1", "one"))), List.of());
    assertThat(await(broker.store().transaction(one)))
        .as("rolled back, with all that it might have left behind")
        .isInstanceOf(TransactionOutcome.RolledBack.class);

    steps();
    assertThat(await(broker.store().transaction(one)))
        .isInstanceOf(TransactionOutcome.Committed.class);
  }

  @Test
  void untilItIsMeasured_whatWasSummedUpDecides() {
    wide("sums");
    broker.database().query("select queen.statistics_step_v1(0::smallint, 0, true, 100000)");
    limit("sums", MANY + 1);

    assertThat(broker.push("sums", "p1", "a", "b").get(0)).isNotEqualTo(FULL);
    broker.configure("sums", new JsonObject().put("maxSize", MANY));
    assertThat(broker.push("sums", "p1", "c")).containsExactly(FULL);
    steps();
  }

  @Test
  void aGroupThatMoves_whileItIsMeasured_hasItMeasuredAgain() {
    wide("doubt");
    limit("doubt", MANY * 2);
    broker.push("doubt", "p1", "wish");
    step();
    broker
        .database()
        .query(
            "select queen.invalidate_capacity_v1(0::smallint, array(select id from queen.queues"
                + " where name = 'doubt'))");
    while (!measurement("doubt").equals("null")) {
      step();
    }
    assertThat(capacity("doubt", "version = -1")).isTrue();
    rest("doubt");
    assertThat(steps()).isPositive();
    assertThat(capacity("doubt", "version > 0 and depth = " + MANY)).isTrue();
  }

  @Test
  void pages_addUpToTheWhole() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 60; i++) {
      broker.push("pages", "p" + random.nextInt(20), "t" + i);
    }
    for (int i = 0; i < 25; i++) {
      String group = List.of("g", "h", PopRequest.QUEUE_MODE).get(random.nextInt(3));
      PopOutcome.Served served = broker.pop("pages", "p" + random.nextInt(20), group, 3);
      for (PartitionBatch batch : served.batches()) {
        for (String id : TestStore.transactionIds(served)) {
          if (random.nextBoolean()) {
            broker.ack(batch, group, id, AckStatus.COMPLETED);
          }
        }
      }
    }
    String whole =
        "select m.o_depth from queen.queues q, queen.count_backlog_v1(0::smallint, q.id, q.name,"
            + " null, '', 2001) m where q.name = 'pages'";
    String pages =
        """
        with recursive everybody as (
          select array(
            select distinct c.consumer_group from queen.cursors c
            join queen.partitions p on p.id = c.partition_id
            join queen.queues q on q.id = p.queue_id where q.name = 'pages'
            union select s.consumer_group from queen.subscriptions s where s.queue = 'pages') as all
        ), page as (
          select '' as after, 0::bigint as depth
          union all
          select m.o_last, m.o_depth
          from page, everybody e, queen.queues q,
               queen.count_backlog_v1(0::smallint, q.id, q.name, e.all, page.after, 3) m
          where q.name = 'pages' and page.after is not null
        ) select sum(depth)::bigint from page
        """;
    assertThat(broker.database().value(pages))
        .as("seed %d", seed)
        .isEqualTo(broker.database().value(whole));
  }

  /** One message in each of many partitions. */
  private void wide(String queue) {
    broker.configure(queue, new JsonObject());
    broker
        .database()
        .query(
            "insert into queen.partitions (shard, id, queue_id, name, next_offset, last_append_at)"
                + " select 0, gen_random_uuid(), q.id, 'p' || i, 1, now()"
                + " from queen.queues q, generate_series(1, "
                + MANY
                + ") i where q.name = '"
                + queue
                + "'");
  }

  /** As if the pause after a measurement were over. */
  private void rest(String queue) {
    broker
        .database()
        .query(
            "update queen.capacities c set measured_at = c.measured_at - interval '1 hour' from"
                + " queen.queues q where q.id = c.queue_id and q.name = '"
                + queue
                + "'");
  }

  private boolean step() {
    return broker.database().value(STEP).equals("more");
  }

  private int steps() {
    int steps = 0;
    while (step()) {
      steps++;
    }
    return steps;
  }

  private boolean capacity(String queue, String condition) {
    return (Boolean)
        broker
            .database()
            .value(
                "select "
                    + condition
                    + " from (select c.* from queen.capacities c join queen.queues q on q.id ="
                    + " c.queue_id where q.name = '"
                    + queue
                    + "') c");
  }

  private String measurement(String queue) {
    return String.valueOf(
        broker
            .database()
            .value(
                "select max(m::text) from queen.measurements m join queen.queues q on q.id ="
                    + " m.queue_id where q.name = '"
                    + queue
                    + "'"));
  }
}
