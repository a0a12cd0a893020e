package dev.queenmq.server.admin;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** A database with a store in it, and short ways to fill it. */
final class FilledStore implements AutoCloseable {
  private final TestDatabase database;
  private final SqlClient client;
  private final MessageStore store;
  private final MessageIds ids = new MessageIds(InstantSource.system());

  FilledStore(TestDatabase database) {
    this.database = database;
    await(Migrations.run(database.vertx(), database.options(), System::nanoTime));
    client =
        PgBuilder.client()
            .connectingTo(database.storeOptions())
            .with(new PoolOptions().setMaxSize(1))
            .using(database.vertx())
            .build();
    store =
        new MessageStore(
            database.vertx().getOrCreateContext(),
            client,
            StoreOptions.defaults(),
            42,
            InstantSource.system(),
            System::nanoTime);
  }

  TestDatabase database() {
    return database;
  }

  SqlClient client() {
    return client;
  }

  void wipe() {
    database.query(
        "truncate queen.queues, queen.partitions, queen.segments, queen.cursors, queen.leases,"
            + " queen.attempts, queen.dead_letters, queen.subscriptions, queen.tail");
  }

  void push(String queue, String partition, String... transactionIds) {
    await(
        store.push(
            Arrays.stream(transactionIds)
                .map(id -> Message.of(queue, partition, ids.next(), id, "{}"))
                .toList()));
  }

  PartitionBatch pop(String queue, String partition, String group, int batch) {
    PopRequest request =
        new PopRequest(
            new PopTarget.Named(queue, partition), group, batch, 1, false, new Subscription.All());
    return ((PopOutcome.Served) await(store.pop(List.of(request))).get(0)).batches().get(0);
  }

  /** A group comes to a queue, and gets nothing. */
  void subscribe(String queue, String group, Subscription subscription) {
    await(
        store.pop(
            List.of(
                new PopRequest(
                    new PopTarget.Candidates(Optional.of(queue), List.of()),
                    group,
                    1,
                    1,
                    false,
                    subscription))));
  }

  void ack(PartitionBatch batch, String group, AckStatus status, String... transactionIds) {
    await(
        store.ack(
            Arrays.stream(transactionIds)
                .map(
                    id ->
                        new Ack(
                            batch.partitionId(),
                            group,
                            new MessageRef.ByTransactionId(id),
                            batch.lease().map(Lease::id),
                            status,
                            Optional.empty()))
                .toList()));
  }

  void configure(String queue, String namespace, String task, JsonObject options) {
    await(
        store.configure(
            List.of(
                new QueueConfiguration(
                    queue,
                    Optional.of(namespace),
                    Optional.of(task),
                    QueueOptions.of(options),
                    false))));
  }

  long dropSegments(UUID partitionId, long below) {
    return await(store.dropSegments(partitionId, InstantSource.system().instant(), below, 1_000));
  }

  @Override
  public void close() {
    await(client.close());
  }
}
