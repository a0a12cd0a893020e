package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.memory.Purpose;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A pop leases what there is memory for, at least one message, and nothing else. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PopMemoryIT {
  private static final int LARGE = 1 << 20;

  private TestStore own;

  PopMemoryIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    own = TestStore.migrated(database);
  }

  @AfterAll
  void close() {
    own.close();
  }

  /** Answers of up to 2 MiB. */
  private static MemoryBudget budget() {
    return new MemoryBudget(32L << 20, 192 << 10);
  }

  private void fill(String queue, String partition, int count, int bytes) {
    for (int i = 0; i < count; i++) {
      await(own.store().push(List.of(message(queue, partition, i, bytes))));
    }
  }

  private Message message(String queue, String partition, int number, int bytes) {
    return Message.of(
        queue, partition, own.nextId(), "t" + number, "\"" + "x".repeat(bytes) + "\"");
  }

  private static PopRequest named(String queue, String partition, int batch, boolean autoAck) {
    return new PopRequest(
        new PopTarget.Named(queue, partition), "g", batch, 1, autoAck, new Subscription.All());
  }

  private PopRequest candidates(String queue, int batch, int partitions, boolean autoAck) {
    List<UUID> ids = new ArrayList<>();
    own.database()
        .query(
            "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                + " where q.name = '"
                + queue
                + "' order by p.name")
        .forEach(row -> ids.add(row.getUUID(0)));
    return new PopRequest(
        new PopTarget.Candidates(Optional.of(queue), ids),
        "g",
        batch,
        partitions,
        autoAck,
        new Subscription.All());
  }

  private long leased(String queue) {
    return (long)
        own.database()
            .value(
                "select coalesce(sum(queen.multirange_size_v1(c.leased)), 0)::bigint"
                    + " from queen.cursors c join queen.partitions p on p.id = c.partition_id"
                    + " join queen.queues q on q.id = p.queue_id where q.name = '"
                    + queue
                    + "'");
  }

  @Test
  void largeMessages_comeInSeveralAnswers_nothingIsLeasedWithoutDelivery() {
    MemoryBudget budget = budget();
    try (TestStore store = own.another(new AnswerMemory(budget))) {
      fill("cut", "p", 6, LARGE);
      List<String> got = new ArrayList<>();
      for (int pops = 0; got.size() < 6; pops++) {
        assertThat(pops).as("answers are not smaller than need be").isLessThan(7);
        PopOutcome.Served served = store.pop(named("cut", "p", 10, false));
        List<String> ids = TestStore.transactionIds(served);
        assertThat(ids).hasSizeBetween(1, 2);
        assertThat(leased("cut")).isEqualTo(ids.size());
        got.addAll(ids);
        ids.forEach(id -> store.ack(served.batches().get(0), "g", id, AckStatus.COMPLETED));
        served.memory().release();
      }
      assertThat(got).containsExactly("t0", "t1", "t2", "t3", "t4", "t5");
      assertThat(budget.figures().held().get(Purpose.ANSWERS)).isZero();
    }
  }

  @Test
  void autoAck_takesWhatItDelivers_byNameAndAmongCandidates() {
    for (boolean byName : List.of(true, false)) {
      String queue = "auto" + byName;
      try (TestStore store = own.another(new AnswerMemory(budget()))) {
        fill(queue, "p", 5, LARGE);
        List<String> got = new ArrayList<>();
        while (got.size() < 5) {
          PopOutcome.Served served =
              store.pop(byName ? named(queue, "p", 10, true) : candidates(queue, 10, 1, true));
          assertThat(served.batches()).hasSize(1);
          got.addAll(TestStore.transactionIds(served));
          served.memory().release();
        }
        assertThat(got).containsExactly("t0", "t1", "t2", "t3", "t4");
      }
    }
  }

  @Test
  void aMessageLargerThanAnyAnswer_isDeliveredAlone() {
    try (TestStore store = own.another(new AnswerMemory(budget()))) {
      fill("huge", "p", 2, 6 * LARGE);
      PopOutcome.Served served = store.pop(candidates("huge", 10, 1, false));
      assertThat(TestStore.transactionIds(served)).containsExactly("t0");
      assertThat(leased("huge")).isEqualTo(1);
    }
  }

  @Test
  void severalPartitions_areGivenAsFarAsTheyFit() {
    try (TestStore store = own.another(new AnswerMemory(budget()))) {
      for (String partition : List.of("a", "b", "c", "d")) {
        fill("wide", partition, 1, LARGE / 2);
      }
      PopOutcome.Served served = store.pop(candidates("wide", 10, 4, false));
      assertThat(served.batches().size()).isBetween(1, 3);
      assertThat(leased("wide")).isEqualTo(served.batches().size());
    }
  }

  @Test
  void withoutMemory_smallMessagesAreDelivered_largeOnesWaitAndAreNotLeased() {
    MemoryBudget budget = budget();
    MemoryBudget.Reservation others = budget.open(Purpose.BODIES);
    assertThat(others.growTo(budget.largest())).isTrue();
    try (TestStore store = own.another(new AnswerMemory(budget))) {
      fill("small", "p", 3, 100);
      fill("large", "p", 3, LARGE);
      assertThat(TestStore.transactionIds(store.pop(named("small", "p", 10, false))))
          .containsExactly("t0", "t1", "t2");
      List<PopOutcome> both =
          await(
              store
                  .store()
                  .pop(List.of(named("large", "p", 10, true), candidates("large", 1, 1, false))));
      assertThat(both)
          .allSatisfy(
              outcome -> {
                PopOutcome.Served served = (PopOutcome.Served) outcome;
                assertThat(served.batches()).isEmpty();
                assertThat(served.passed())
                    .extracting(SkippedPartition::reason)
                    .containsExactly(SkippedPartition.Reason.PAUSED);
              });
      assertThat(leased("large")).isZero();
      others.release();
      assertThat(TestStore.transactionIds(store.pop(named("large", "p", 10, true))))
          .startsWith("t0");
    }
  }

  @Test
  void requestsOfOneCall_shareTheRoom_eachGetsItsMessagesInTheEnd() {
    try (TestStore store = own.another(new AnswerMemory(budget()))) {
      List<PopRequest> requests = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        fill("shared" + i, "p", 1, LARGE - 10_000);
        requests.add(candidates("shared" + i, 10, 1, false));
      }
      List<Integer> served = new ArrayList<>();
      for (int rounds = 0; served.size() < 5; rounds++) {
        assertThat(rounds).isLessThan(5);
        List<PopOutcome> outcomes = await(store.store().pop(requests));
        for (int i = 0; i < 5; i++) {
          if (outcomes.get(i) instanceof PopOutcome.Served some && !some.batches().isEmpty()) {
            served.add(i);
            some.memory().release();
          }
        }
      }
      assertThat(served).containsExactlyInAnyOrder(0, 1, 2, 3, 4);
    }
  }

  @Test
  void segmentsWithoutTheirSize_areMeasured() {
    try (TestStore store = own.another(new AnswerMemory(budget()))) {
      fill("old", "p", 4, LARGE);
      own.database().query("update queen.segments set bytes = null");
      assertThat(TestStore.transactionIds(store.pop(named("old", "p", 10, false))))
          .hasSizeBetween(1, 2);
    }
  }

  /** A pop relies on it. */
  @Test
  void partitions_rememberTheirLargestPayload_inBytes() {
    for (String text : List.of("a", "\u00fc", "\u4e2d", "\ud83d\ude00", "b")) {
      await(
          own.store()
              .push(
                  List.of(
                      Message.of("wide-text", "p", own.nextId(), text, "\"" + text + "\""),
                      Message.of(
                          "wide-text", text, own.nextId(), text, "\"" + text.repeat(9) + "\""))));
    }
    assertThat(
            (long)
                own.database()
                    .value(
                        "select count(*) from queen.partitions p"
                            + " join queen.queues q on q.id = p.queue_id"
                            + " join queen.segments s on s.partition_id = p.id"
                            + " where q.name = 'wide-text'"
                            + " and p.largest >= octet_length(s.payloads[1])"))
        .isEqualTo(10);
    assertThat(
            own.database()
                .value(
                    "select largest from queen.partitions where name = '\u4e2d' and largest < 40"))
        .isEqualTo(29);
  }
}
