package dev.queenmq.server;

import static dev.queenmq.server.testing.Await.await;

import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.Directory;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.TrafficSnapshot;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Lease;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.MessageRef;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.postgres.Backends;
import dev.queenmq.server.postgres.PrimaryFinder;
import dev.queenmq.server.sidecar.SidecarLimits;
import dev.queenmq.server.sidecar.Sidecars;
import dev.queenmq.server.sidecar.WorkerContext;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;

/** A broker without HTTP, on a test's database, with short ways to say common things. */
public final class LocalBroker implements AutoCloseable {
  public static final String QUEUE_MODE = PopRequest.QUEUE_MODE;

  private final TestDatabase database;
  private final Workers workers;
  private final SqlClient client;
  private final Sidecars sidecars;
  private final MessageIds ids = new MessageIds(InstantSource.system());

  private LocalBroker(TestDatabase database, Workers workers, SidecarLimits limits) {
    this.database = database;
    this.workers = workers;
    client =
        PgBuilder.client()
            .connectingTo(database.options())
            .with(new PoolOptions().setMaxSize(1))
            .using(database.vertx())
            .build();
    Directory directory = new QueueDirectory(StoreClient.of(client), (short) 0);
    sidecars =
        new Sidecars(
            database.vertx(),
            workers.places(),
            limits,
            directory,
            workers.appends(),
            new NoPeers(),
            InstantSource.system(),
            System::nanoTime);
    await(sidecars.start());
  }

  public static LocalBroker start(TestDatabase database) {
    return start(database, SidecarLimits.defaults());
  }

  public static LocalBroker start(TestDatabase database, SidecarLimits limits) {
    await(Migrations.run(database.vertx(), database.options(), System::nanoTime));
    return new LocalBroker(
        database,
        await(
            Workers.start(
                database.vertx(),
                PrimaryFinder.of(database.vertx(), database.storeOptions()),
                true,
                true,
                new Backends(database.vertx(), database.options(), Duration.ofSeconds(2)),
                new Workers.Size(2, 6, Duration.ofSeconds(35)),
                Encryption.none(),
                new MemoryBudget(256L << 20, 64 << 10),
                InstantSource.system(),
                System::nanoTime)),
        limits);
  }

  public static SidecarLimits limits(BackoffRules backoff) {
    SidecarLimits usual = SidecarLimits.defaults();
    return new SidecarLimits(
        usual.maxItemsPerCall(),
        usual.maxBytesPerCall(),
        usual.microBatchWait(),
        usual.maxPendingItems(),
        usual.maxPendingBytes(),
        usual.maxWaiting(),
        backoff);
  }

  /** Another broker on the same database. */
  public LocalBroker another() {
    return start(database);
  }

  public Broker broker() {
    return sidecars;
  }

  /** The event loops that speak with PostgreSQL. */
  public List<Context> loops() {
    return workers.places().stream().map(WorkerContext::context).toList();
  }

  public SidecarFigures figures() {
    return sidecars.now();
  }

  /** What each event loop has done in this minute. */
  public List<TrafficSnapshot> traffic() {
    return await(sidecars.traffic(false));
  }

  /** Returns when this number of polls wait. */
  public void awaitWaiting(int polls) {
    Awaitility.await().until(() -> figures().waitingPolls() == polls);
  }

  public long calls(String operation) {
    return figures().operations().stream()
        .filter(each -> each.name().equals(operation))
        .mapToLong(SidecarFigures.OperationFigures::calls)
        .sum();
  }

  /** How many messages, of pops and pushes. */
  public long items(String operation) {
    return figures().operations().stream()
        .filter(each -> each.name().equals(operation))
        .mapToLong(SidecarFigures.OperationFigures::items)
        .sum();
  }

  /** Whether PostgreSQL has answered everything. */
  public boolean isIdle() {
    SidecarFigures now = figures();
    return now.idleSlots() == now.slots();
  }

  public List<PushOutcome> push(String queue, String partition, String... transactionIds) {
    List<Message> messages = new ArrayList<>();
    for (String id : transactionIds) {
      messages.add(message(queue, partition, id));
    }
    return await(sidecars.push(messages));
  }

  public Message message(String queue, String partition, String transactionId) {
    return Message.of(queue, partition, ids.next(), transactionId, "\"" + transactionId + "\"");
  }

  /** Waits for any partition of a queue. */
  public Poll poll(String queue, String group, Duration patience) {
    return poll(new PollTarget.Queue(queue), group, 10, patience);
  }

  public Poll poll(PollTarget target, String group, int batch, Duration patience) {
    return sidecars.pop(
        new PollRequest(target, group, batch, 1, false, new Subscription.All(), patience));
  }

  public Polled popNow(String queue, String group) {
    return await(poll(queue, group, Duration.ZERO).answer());
  }

  public List<AckOutcome> ack(Polled polled, AckStatus status) {
    return await(sidecars.ack(acks(polled, status)));
  }

  /** One for each message. */
  public static List<Ack> acks(Polled polled, AckStatus status) {
    List<Ack> acks = new ArrayList<>();
    for (PartitionBatch batch : polled.batches()) {
      for (StoredMessage message : batch.messages()) {
        acks.add(
            new Ack(
                batch.partitionId(),
                polled.group(),
                new MessageRef.ByTransactionId(message.transactionId()),
                batch.lease().map(Lease::id),
                status,
                Optional.empty()));
      }
    }
    return acks;
  }

  public void configure(String queue, JsonObject options) {
    await(
        sidecars.configure(
            new QueueConfiguration(
                queue, Optional.empty(), Optional.empty(), QueueOptions.of(options), false)));
  }

  public static List<String> transactionIds(Polled polled) {
    return polled.batches().stream()
        .flatMap(batch -> batch.messages().stream())
        .map(StoredMessage::transactionId)
        .toList();
  }

  public static String[] numbered(String prefix, int count) {
    return IntStream.range(0, count).mapToObj(i -> prefix + i).toArray(String[]::new);
  }

  @Override
  public void close() {
    await(sidecars.stop());
    await(workers.close());
    await(client.close());
  }
}
