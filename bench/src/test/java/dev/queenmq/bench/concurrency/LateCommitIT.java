package dev.queenmq.bench.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import dev.queenmq.bench.Blocking;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.polling.TailLook;
import io.vertx.core.Future;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A push transaction that stays open while others commit and consumers drain. */
@ExtendWith(BenchPostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LateCommitIT {
  private static final String GROUP = "g";

  private final BenchDatabase database;

  LateCommitIT(BenchPostgres postgres) {
    database = postgres.createDatabase("late_commit");
  }

  @Test
  void lateCommit_isNotSkipped_byConsumersWhoDrainMeanwhile() {
    try (Session late = Session.open(database);
        Session other = Session.open(database);
        Session consumer = Session.open(database)) {
      Blocking.get(other.push("late", "same", "early"));
      TailLook before = Blocking.get(consumer.store().tail(Optional.empty()));
      late.sql("begin");
      UUID partition =
          queued(Blocking.get(late.push("late", "same", "l1", "l2", "l3"))).partitionId();

      Future<List<PushOutcome>> blocked = other.push("late", "same", "after");
      try (Session third = Session.open(database)) {
        Blocking.get(third.push("late", "elsewhere", "e1", "e2"));
      }
      awaitBlocked();
      assertThat(consumer.drain("late", "same", GROUP)).containsExactly("early");
      assertThat(consumer.drain("late", "elsewhere", GROUP)).containsExactly("e1", "e2");
      TailLook meanwhile = Blocking.get(consumer.store().tail(Optional.of(before.bookmark())));
      assertThat(meanwhile.partitionIds()).hasSize(1).doesNotContain(partition);

      late.sql("commit");
      assertThat(queued(Blocking.get(blocked)).offset()).isEqualTo(4);
      assertThat(
              Blocking.get(consumer.store().tail(Optional.of(meanwhile.bookmark()))).partitionIds())
          .containsExactly(partition);
      assertThat(consumer.drain("late", "same", GROUP)).containsExactly("l1", "l2", "l3", "after");
      assertThat(consumer.drain("late", "same", "another"))
          .containsExactly("early", "l1", "l2", "l3", "after");
    }
  }

  @Test
  void lateRollback_leavesNoGap() {
    try (Session late = Session.open(database);
        Session other = Session.open(database);
        Session consumer = Session.open(database)) {
      Blocking.get(other.push("back", "same", "early"));
      late.sql("begin");
      Blocking.get(late.push("back", "same", "l1", "l2"));
      Blocking.get(late.push("back", "made-by-it", "m1"));

      Future<List<PushOutcome>> blocked = other.push("back", "same", "after", "l1");
      awaitBlocked();
      assertThat(consumer.drain("back", "same", GROUP)).containsExactly("early");

      late.sql("rollback");
      assertThat(Blocking.get(blocked))
          .extracting(outcome -> ((PushOutcome.Queued) outcome).offset())
          .containsExactly(1L, 2L);
      assertThat(consumer.drain("back", "same", GROUP)).containsExactly("after", "l1");
      assertThat(consumer.drain("back", "made-by-it", GROUP)).isEmpty();
    }
  }

  @Test
  void lateCommits_ofManyWriters_keepOffsetOrder() {
    try (Session consumer = Session.open(database);
        Session one = Session.open(database);
        Session two = Session.open(database)) {
      for (int round = 0; round < 20; round++) {
        one.sql("begin");
        Blocking.get(one.push("many", "p", "a" + round));
        Future<List<PushOutcome>> second = two.push("many", "p", "b" + round);
        awaitBlocked();
        assertThat(consumer.drain("many", "p", GROUP)).isEmpty();
        one.sql(round % 2 == 0 ? "commit" : "rollback");
        Blocking.get(second);
        assertThat(consumer.drain("many", "p", GROUP))
            .containsExactlyElementsOf(
                round % 2 == 0 ? List.of("a" + round, "b" + round) : List.of("b" + round));
      }
    }
  }

  private void awaitBlocked() {
    await()
        .until(
            () ->
                database.number(
                        "select count(*) from pg_stat_activity where wait_event = 'transactionid'"
                            + " and datname = current_database()")
                    == 1);
  }

  private static PushOutcome.Queued queued(List<PushOutcome> outcomes) {
    return (PushOutcome.Queued) outcomes.get(0);
  }
}
