package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.model.admin.QueueSettings;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
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
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** A store of a test's own, with short ways to say common things. */
public final class TestStore implements AutoCloseable {
  private final TestDatabase database;
  private final SqlClient client;
  private final List<String> sent = new CopyOnWriteArrayList<>();
  private final MessageStore store;
  private final MessageIds ids = new MessageIds(InstantSource.system());

  private TestStore(TestDatabase database, StoreOptions options) {
    this(database, options, Encryption.none(), AnswerMemory.unlimited());
  }

  private TestStore(
      TestDatabase database, StoreOptions options, Encryption encryption, AnswerMemory answers) {
    this.database = database;
    client =
        PgBuilder.client()
            .connectingTo(database.storeOptions())
            .with(new PoolOptions().setMaxSize(1))
            .using(database.vertx())
            .build();
    StoreClient line = StoreClient.of(client);
    store =
        new MessageStore(
            database.vertx().getOrCreateContext(),
            (sql, arguments) -> {
              sent.add(sql);
              return line.call(sql, arguments);
            },
            options,
            42,
            transaction -> {},
            new SweepTurns(),
            encryption,
            answers,
            InstantSource.system(),
            System::nanoTime);
  }

  /** Migrates the database and opens a store on it. */
  public static TestStore migrated(TestDatabase database) {
    await(Migrations.run(database.vertx(), database.options(), System::nanoTime));
    return new TestStore(database, StoreOptions.defaults());
  }

  /** Another broker's store on the same database. */
  public TestStore another() {
    return another(StoreOptions.defaults());
  }

  /** One that has this much memory for answers. */
  public TestStore another(AnswerMemory answers) {
    return new TestStore(database, StoreOptions.defaults(), Encryption.none(), answers);
  }

  /** One that has these keys. */
  public TestStore another(Encryption encryption) {
    return new TestStore(database, StoreOptions.defaults(), encryption, AnswerMemory.unlimited());
  }

  public TestStore another(StoreOptions options) {
    return new TestStore(database, options);
  }

  public TestDatabase database() {
    return database;
  }

  public MessageStore store() {
    return store;
  }

  /** The statements that it has sent since it was asked the last time. */
  public List<String> sent() {
    List<String> all = List.copyOf(sent);
    sent.clear();
    return all;
  }

  public UUID nextId() {
    return ids.next();
  }

  public Message message(String queue, String partition, String transactionId) {
    return Message.of(queue, partition, ids.next(), transactionId, "\"" + transactionId + "\"");
  }

  public List<PushOutcome> push(String queue, String partition, String... transactionIds) {
    return await(
        store.push(
            Arrays.stream(transactionIds).map(id -> message(queue, partition, id)).toList()));
  }

  public PopOutcome.Served pop(String queue, String partition, String group, int batch) {
    return pop(
        new PopRequest(
            new PopTarget.Named(queue, partition), group, batch, 1, false, new Subscription.All()));
  }

  public PopOutcome.Served pop(PopRequest request) {
    return (PopOutcome.Served) await(store.pop(List.of(request))).get(0);
  }

  public AckOutcome ack(
      PartitionBatch batch, String group, String transactionId, AckStatus status) {
    return await(store.ack(List.of(status(batch, group, transactionId, status)))).get(0);
  }

  public Ack status(PartitionBatch batch, String group, String transactionId, AckStatus status) {
    return new Ack(
        batch.partitionId(),
        group,
        new MessageRef.ByTransactionId(transactionId),
        batch.lease().map(Lease::id),
        status,
        Optional.empty());
  }

  public QueueSettings configure(String queue, JsonObject options) {
    ConfigureOutcome outcome =
        await(
                store.configure(
                    List.of(
                        new QueueConfiguration(
                            queue,
                            Optional.empty(),
                            Optional.empty(),
                            QueueOptions.of(options),
                            false))))
            .get(0);
    return ((ConfigureOutcome.Configured) outcome).settings();
  }

  /** Lets every lease run out, as if its time had passed. */
  public void expireLeases() {
    database.query(
        "update queen.cursors set lease_expires_at = clock_timestamp() - interval '1 second'"
            + " where lease_id is not null");
  }

  /** Waits until a statement in this database waits for a lock. */
  public void awaitLockWait() {
    Awaitility.await()
        .until(
            () ->
                (long)
                        database.value(
                            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                + " and datname = current_database()")
                    > 0);
  }

  public static List<String> transactionIds(PopOutcome.Served served) {
    return served.batches().stream()
        .flatMap(batch -> batch.messages().stream())
        .map(StoredMessage::transactionId)
        .toList();
  }

  @Override
  public void close() {
    await(client.close());
  }
}
