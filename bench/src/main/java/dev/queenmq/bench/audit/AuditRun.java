package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.audit.Stage.Phase;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** One audit from start to end. Blocks; for one use. */
public final class AuditRun {
  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(90);
  private static final Duration GLANCE = Duration.ofMillis(200);

  private final BenchPostgres postgres;
  private final AuditSettings settings;
  private final String database;
  private final Ledger ledger;
  private final List<String> groups = new ArrayList<>();
  private final Random random;
  private final MessageIds ids = new MessageIds(InstantSource.system());
  private final TailCheck tailCheck;
  private final Crasher crasher;

  /** An audit in a new database of this name. */
  public AuditRun(BenchPostgres postgres, String database, AuditSettings settings) {
    this.postgres = postgres;
    this.database = database;
    this.settings = settings;
    this.random = new Random(settings.seed());
    ledger = new Ledger(settings.producers(), settings.partitions());
    tailCheck = new TailCheck(ledger.violations());
    crasher = new Crasher(postgres, database, ledger.tally(), new Random(settings.seed() + 1));
    for (int i = 0; i < settings.groups(); i++) {
      groups.add(Names.group(i));
    }
    groups.add(Names.TRANSACTION_GROUP);
  }

  /** Runs it. */
  public AuditReport run() {
    postgres.createDatabase(database);
    try (Stage stage = new Stage(postgres, database, ledger, settings.seed())) {
      Context context = stage.newContext();
      MessageStore control = stage.newStore(context, 1);
      configure(control);
      List<Worker> producers = producers(stage);
      List<Worker> consumers = consumers(stage);
      consumers.add(new Watcher(stage, context, control, everyGroup(), tailCheck));
      List<Future<Void>> consuming = consumers.stream().map(Worker::run).toList();
      long start = System.nanoTime();
      List<Future<Void>> producing = producers.stream().map(Worker::run).toList();
      disturb(stage);
      stage.enter(Phase.DRAIN);
      Blocking.get(Future.join(producing));
      long pushed = System.nanoTime();
      drain(stage);
      stage.enter(Phase.STOP);
      Blocking.get(Future.join(consuming));
      long drained = System.nanoTime();
      return conclude((pushed - start) / 1e9, (drained - pushed) / 1e9);
    }
  }

  private void configure(MessageStore store) {
    JsonObject options =
        new JsonObject().put("leaseTime", Delivery.LEASE_SECONDS).put("retryLimit", 3);
    Blocking.get(
        store.configure(
            List.of(
                new QueueConfiguration(
                    Names.QUEUE,
                    Optional.empty(),
                    Optional.empty(),
                    QueueOptions.of(options),
                    false))));
  }

  private List<Worker> producers(Stage stage) {
    int connections = Math.max(1, settings.producers() / 2);
    List<MessageStore> brokers =
        List.of(
            stage.newStore(stage.newContext(), connections),
            stage.newStore(stage.newContext(), connections));
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < settings.producers(); i++) {
      workers.add(
          new AuditProducer(
              stage, stage.newContext(), i, brokers, tailCheck, ids, new Random(next())));
    }
    workers.add(new Saboteur(stage, stage.newContext(), new Random(next())));
    return workers;
  }

  private List<Worker> consumers(Stage stage) {
    List<Worker> workers = new ArrayList<>();
    for (int i = 0; i < Math.max(settings.consumers(), groups.size()); i++) {
      String group = groups.get(i % groups.size());
      stage.board(group);
      Context context = stage.newContext();
      MessageStore store = stage.newStore(context, 1);
      workers.add(
          group.equals(Names.TRANSACTION_GROUP)
              ? new TransactionConsumer(stage, context, store, ids, new Random(next()))
              : new AuditConsumer(stage, context, store, group, new Random(next())));
    }
    stage.board(Names.AUTO_GROUP);
    Context context = stage.newContext();
    workers.add(new AutoConsumer(stage, context, stage.newStore(context, 1), new Random(next())));
    return workers;
  }

  private long next() {
    return random.nextLong();
  }

  private List<String> everyGroup() {
    List<String> all = new ArrayList<>(groups);
    all.add(Names.AUTO_GROUP);
    return all;
  }

  /** Lets the workers work for the time and the messages, with a crash now and then. */
  private void disturb(Stage stage) {
    int parts = settings.kills() + 1;
    Duration between = settings.duration().dividedBy(parts);
    for (int part = 1; part <= parts; part++) {
      Blocking.get(stage.pause(between));
      while (ledger.tally().of(Tally.Count.PUSHED) < settings.messages() * part / parts) {
        Blocking.get(stage.pause(GLANCE));
      }
      if (part < parts) {
        crasher.crash();
      }
    }
  }

  /** Waits until every cursor is at the end: consumers find all that is left, or do not. */
  private void drain(Stage stage) {
    long deadline = System.nanoTime() + DRAIN_LIMIT.toNanos();
    long left = left();
    while (left > 0 && System.nanoTime() < deadline) {
      Blocking.get(stage.pause(GLANCE));
      left = left();
    }
    if (left > 0) {
      ledger.violations().add(Violation.NOT_DRAINED, left + " messages after " + DRAIN_LIMIT);
    }
  }

  private long left() {
    return database()
        .number(
            "select coalesce(sum(p.next_offset - coalesce(c.committed, 0)), 0)::bigint"
                + " from queen.partitions p join queen.queues q on q.id = p.queue_id"
                + " cross join unnest(array['"
                + String.join("','", everyGroup())
                + "']) as g (name)"
                + " left join queen.cursors c"
                + " on c.shard = p.shard and c.partition_id = p.id and c.consumer_group = g.name"
                + " where q.name = '"
                + Names.QUEUE
                + "'");
  }

  private BenchDatabase database() {
    return postgres.database(database);
  }

  private AuditReport conclude(double pushSeconds, double drainSeconds) {
    StoredCheck check = new StoredCheck(database(), ledger, groups);
    long stored = check.run();
    long auto = 0;
    for (int partition = 0; partition < settings.partitions(); partition++) {
      auto += ledger.cursor(Names.partition(partition), Names.AUTO_GROUP).deliveredCount();
    }
    if (auto < stored && ledger.tally().of(Tally.Count.CALLS_FAILED) == 0) {
      ledger.violations().add(Violation.LOST_DELIVERY, "autoAck: " + (stored - auto));
    }
    return new AuditReport(
        settings,
        ledger.tally(),
        ledger.violations(),
        stored,
        check.deadLetters(),
        stored - auto,
        pushSeconds,
        drainSeconds,
        crasher.recoveries());
  }
}
