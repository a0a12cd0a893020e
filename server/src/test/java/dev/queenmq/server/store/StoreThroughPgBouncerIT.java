package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.postgres.PostgresGate;
import dev.queenmq.server.postgres.ReachedPostgres;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.PgBouncer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs where PgBouncer is installed, and is skipped elsewhere. */
@ExtendWith(PostgresExtension.class)
class StoreThroughPgBouncerIT {
  private static final int LANES = 6;
  private static final int ROUNDS = 40;

  StoreThroughPgBouncerIT() {}

  /** More stores than server connections, so that every call may meet another session. */
  @Test
  void pushPopAckAndTransactions_needNoSession(TestDatabase database, @TempDir Path folder)
      throws Exception {
    try (TestStore direct = TestStore.migrated(database);
        PgBouncer pooler = PgBouncer.start(database.endpoint(), 2, folder)) {
      ReachedPostgres reached =
          await(
              new PostgresGate(
                      database.vertx(),
                      SessionConfig.defaults(),
                      Duration.ofSeconds(20),
                      new Backoff(20, 100, new Random(5)),
                      System::nanoTime)
                  .enter(pooler.endpoint()));
      assertThat(reached.pooler()).isEqualTo(Pooler.TRANSACTION);
      List<SqlClient> clients = new ArrayList<>();
      List<Future<Integer>> lanes = new ArrayList<>();
      for (int lane = 0; lane < LANES; lane++) {
        SqlClient client =
            PgBuilder.client()
                .using(database.vertx())
                .connectingTo(reached.options())
                .with(new PoolOptions().setMaxSize(1))
                .build();
        clients.add(client);
        MessageStore store =
            new MessageStore(
                database.vertx().getOrCreateContext(),
                client,
                StoreOptions.defaults().withoutPlainStatements(),
                lane,
                InstantSource.system(),
                System::nanoTime);
        lanes.add(lane(store, direct, "lane" + lane, 0));
      }
      assertThat(await(Future.all(lanes)).<Integer>list()).containsOnly(ROUNDS).hasSize(LANES);
      clients.forEach(client -> await(client.close()));
      assertThat(database.value("select count(*) from queen.messages where queue = 'out'"))
          .isEqualTo((long) LANES * ROUNDS);
      assertThat(
              database.value("select sum(committed) from queen.cursors where consumer_group = 'g'"))
          .hasToString(String.valueOf(LANES * ROUNDS * 3));
    }
  }

  /** Three messages in, popped, answered by a transaction that pushes one on. */
  private static Future<Integer> lane(MessageStore store, TestStore ids, String lane, int round) {
    if (round == ROUNDS) {
      return Future.succeededFuture(round);
    }
    List<Message> messages =
        IntStream.range(0, 3).mapToObj(i -> ids.message("in", lane, round + "-" + i)).toList();
    return store
        .push(messages)
        .compose(
            pushed ->
                store.pop(
                    List.of(
                        new PopRequest(
                            new PopTarget.Named("in", lane),
                            "g",
                            10,
                            1,
                            false,
                            new Subscription.All()))))
        .compose(
            popped -> {
              PartitionBatch batch = ((PopOutcome.Served) popped.get(0)).batches().get(0);
              List<Operation> operations = new ArrayList<>();
              for (StoredMessage message : batch.messages()) {
                operations.add(
                    new Operation.Acknowledge(
                        new Ack(
                            batch.partitionId(),
                            "g",
                            new MessageRef.ByTransactionId(message.transactionId()),
                            Optional.empty(),
                            AckStatus.COMPLETED,
                            Optional.empty())));
              }
              operations.add(new Operation.Push(ids.message("out", lane, "done" + round)));
              return store.transaction(
                  new Transaction(operations, List.of(batch.lease().orElseThrow().id())));
            })
        .compose(
            outcome ->
                outcome instanceof TransactionOutcome.Committed
                    ? lane(store, ids, lane, round + 1)
                    : Future.failedFuture("rolled back: " + outcome));
  }
}
