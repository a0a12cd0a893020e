package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.SqlClient;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What deleted queues leave is removed, and traffic hardly notices. */
@ExtendWith(PostgresExtension.class)
class SweepIT {
  private static final long MILLISECOND = 1_000_000;

  private record Statement(long began, long ended) {
    long took() {
      return ended - began;
    }
  }

  private final List<Statement> sweeps = new CopyOnWriteArrayList<>();
  private TestStore setup;
  private SqlClient client;

  @BeforeEach
  void start(TestDatabase database) {
    setup = TestStore.migrated(database);
    client =
        PgBuilder.client()
            .connectingTo(database.storeOptions())
            .with(new PoolOptions().setMaxSize(4))
            .using(database.vertx())
            .build();
    for (String queue : List.of("a", "b")) {
      setup.push(queue, "p", "t", "u");
      setup.pop(queue, "p", "g", 1);
    }
  }

  @AfterEach
  void stop() {
    await(client.close());
    setup.close();
  }

  private MessageStore store(StoreClient calls, SweepTurns turns) {
    return new MessageStore(
        setup.database().vertx().getOrCreateContext(),
        calls,
        StoreOptions.defaults(),
        1,
        transaction -> {},
        turns,
        Encryption.none(),
        AnswerMemory.unlimited(),
        InstantSource.system(),
        System::nanoTime);
  }

  @Test
  void sweepsOfABroker_goOneAfterTheOther_andRestAfterEachStatement() {
    StoreClient watched =
        (sql, arguments) -> {
          long began = System.nanoTime();
          return StoreClient.of(client)
              .call(sql, arguments)
              .onComplete(
                  done -> {
                    if (sql.contains("sweep_v1")) {
                      sweeps.add(new Statement(began, System.nanoTime()));
                    }
                  });
        };
    SweepTurns turns = new SweepTurns();
    MessageStore one = store(watched, turns);
    MessageStore other = store(watched, turns);

    await(Future.join(one.deleteQueues(List.of("a")), other.deleteQueues(List.of("b"))));
    await(one.swept());

    // For each the segments, then the cursors, then nothing.
    assertThat(sweeps).hasSize(6);
    for (int i = 1; i < sweeps.size(); i++) {
      long rest = sweeps.get(i).began() - sweeps.get(i - 1).ended();
      assertThat(rest)
          .isGreaterThanOrEqualTo(
              Math.max(4 * MILLISECOND, 4 * sweeps.get(i - 1).took() - MILLISECOND));
    }
    assertThat(
            setup
                .database()
                .value(
                    "select (select count(*) from queen.segments)"
                        + " + (select count(*) from queen.cursors)"))
        .isEqualTo(0L);
  }

  @Test
  void delete_doesNotWaitForTheSweep() {
    StoreClient neverSweeps =
        (sql, arguments) ->
            sql.contains("sweep_v1")
                ? Promise.<RowSet<Row>>promise().future()
                : StoreClient.of(client).call(sql, arguments);
    MessageStore store = store(neverSweeps, new SweepTurns());

    assertThat(await(store.deleteQueues(List.of("a", "none"))))
        .containsExactly(new DeleteOutcome.Deleted(true), new DeleteOutcome.Deleted(false));
    assertThat(store.swept().isComplete()).isFalse();
    assertThat(await(setup.store().sweepOrphans())).isPositive();
  }
}
