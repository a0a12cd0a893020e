package dev.queenmq.bench.audit;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.audit.ledger.AuditedMessage;
import dev.queenmq.bench.audit.ledger.Ledger;
import dev.queenmq.bench.audit.ledger.Names;
import dev.queenmq.bench.audit.ledger.TailCheck;
import dev.queenmq.bench.audit.ledger.Through;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Clients straight at the store, as two brokers use it. This way shows what brokers hide: offsets,
 * the moments at which leases are granted, the tail feed. And it allows to roll pushes back, to
 * cancel statements of others and to kill PostgreSQL.
 */
final class StoreFront extends FrontEnd {
  /** Consumes with autoAck, by one consumer. */
  static final String AUTO_GROUP = "auto";

  private static final int BROKERS = 2;
  private static final String DEADLOCK = "40P01";

  private final BenchPostgres postgres;
  private final String databaseName;
  private final int kills;
  private final long clockBase = nanos(Instant.now()) - System.nanoTime();
  private final MessageIds ids = new MessageIds(InstantSource.system());
  private final Map<String, ReadyPartitions> readyByGroup = new HashMap<>();
  private final List<SqlClient> connections = new ArrayList<>();
  private final List<MessageStore> brokers = new ArrayList<>();
  private final Set<UUID> audited = new HashSet<>();
  private Random random = new Random();

  @SuppressWarnings("NullAway.Init")
  private AuditContext audit;

  @SuppressWarnings("NullAway.Init")
  private TailCheck tail;

  @SuppressWarnings("NullAway.Init")
  private Crasher crasher;

  @SuppressWarnings("NullAway.Init")
  private AutoConsumer automatic;

  StoreFront(BenchPostgres postgres, String databaseName, int kills) {
    this.postgres = postgres;
    this.databaseName = databaseName;
    this.kills = kills;
  }

  @Override
  Through through() {
    return Through.STORE;
  }

  @Override
  void open(AuditContext opened) {
    audit = opened;
    random = new Random(~audit.settings().seed());
    tail = new TailCheck(audit.ledger().violations());
    crasher = new Crasher(postgres, databaseName, audit.ledger(), random);
    postgres.createDatabase(databaseName);
    IntStream.range(0, audit.settings().allGroups())
        .mapToObj(Names::group)
        .forEach(group -> readyByGroup.put(group, new ReadyPartitions()));
    readyByGroup.put(AUTO_GROUP, new ReadyPartitions());
    int each = Math.max(1, audit.settings().producers() / BROKERS);
    for (int i = 0; i < BROKERS; i++) {
      brokers.add(newStore(each));
    }
    JsonObject options =
        new JsonObject()
            .put("leaseTime", audit.settings().leaseSeconds())
            .put("retryLimit", audit.settings().behaviour().retryLimit());
    QueueConfiguration configuration =
        new QueueConfiguration(
            audit.names().queue(),
            Optional.empty(),
            Optional.empty(),
            QueueOptions.of(options),
            false);
    audit.loop().await(() -> brokers.get(0).configure(List.of(configuration)));
  }

  /**
   * A store with a memory of its own, as a broker has one, on this many connections that come back
   * by themselves after a cut.
   */
  MessageStore newStore(int size) {
    SqlClient client =
        PgBuilder.client()
            .connectingTo(() -> Future.succeededFuture(options()))
            .with(new PoolOptions().setMaxSize(size))
            .using(audit.loop().vertx())
            .build();
    connections.add(client);
    return new MessageStore(
        audit.loop().context(),
        client,
        StoreOptions.defaults(),
        audit.settings().seed() * 31 + connections.size(),
        InstantSource.system(),
        System::nanoTime);
  }

  PgConnectOptions options() {
    return database().storeOptions();
  }

  MessageIds ids() {
    return ids;
  }

  /** Any of those that producers use. */
  MessageStore anyBroker(Random own) {
    return brokers.get(own.nextInt(brokers.size()));
  }

  Collection<ReadyPartitions> allReadyPartitions() {
    return readyByGroup.values();
  }

  ReadyPartitions readyPartitions(String group) {
    return readyByGroup.computeIfAbsent(group, name -> new ReadyPartitions());
  }

  Set<String> groups() {
    return readyByGroup.keySet();
  }

  TailCheck tail() {
    return tail;
  }

  /** A push to the audited queue was answered with this partition. */
  void isAudited(UUID partition) {
    audited.add(partition);
  }

  Set<UUID> audited() {
    return audited;
  }

  /** A moment of the database's clock, on that of this JVM. */
  long onOurClock(Instant moment) {
    return nanos(moment) - clockBase;
  }

  private static long nanos(Instant moment) {
    return moment.getEpochSecond() * 1_000_000_000 + moment.getNano();
  }

  @Override
  AuditClient newClient(Random own) {
    return new StoreClient(audit, this, own);
  }

  @Override
  List<Actor> helpers() {
    automatic = new AutoConsumer(audit, this, new Random(random.nextLong()));
    return List.of(
        automatic,
        new Watcher(audit, this),
        new StatementCanceller(audit, this, new Random(random.nextLong())));
  }

  @Override
  Failure classify(Throwable failure) {
    if (failure instanceof StoreException store && store.kind() != StoreException.Kind.INTERNAL) {
      if (store.getCause() instanceof PgException pg && DEADLOCK.equals(pg.getSqlState())) {
        violation(Violation.DEADLOCK, String.valueOf(pg.getMessage()));
      }
      return Failure.PROVOKED;
    }
    return Failure.UNEXPECTED;
  }

  private void violation(Violation violation, String detail) {
    audit.ledger().violations().add(violation, detail);
  }

  @Override
  int disturbances() {
    return kills;
  }

  @Override
  void disturb() {
    crasher.crash();
  }

  @Override
  long left() {
    return database()
        .number(
            """
            select coalesce(sum(p.next_offset - coalesce(c.committed, 0)), 0)::bigint
            from queen.partitions p
            join queen.queues q on q.id = p.queue_id
            cross join unnest(array[%s]) as g (name)
            left join queen.cursors c
              on c.shard = p.shard and c.partition_id = p.id and c.consumer_group = g.name
            where q.name = '%s'\
            """
                .formatted(
                    groups().stream()
                        .map(name -> "'" + name + "'")
                        .collect(Collectors.joining(",")),
                    audit.names().queue()));
  }

  private BenchDatabase database() {
    return postgres.database(databaseName);
  }

  /** Asks the database itself. */
  @Override
  List<List<AuditedMessage>> read() {
    Ledger ledger = audit.ledger();
    long left = left();
    if (left > 0) {
      violation(Violation.NOT_DRAINED, left + " messages of all groups");
    }
    List<List<AuditedMessage>> partitions = new ArrayList<>();
    long all = 0;
    for (int i = 0; i < audit.settings().partitions(); i++) {
      List<AuditedMessage> stored = new ArrayList<>();
      partitions.add(stored);
      long expected = 0;
      for (Row row : messages(audit.names().queue(), Names.partition(i))) {
        long offset = row.getLong("message_offset");
        if (offset != expected) {
          violation(Violation.LOST_PUSH, Names.partition(i) + ": a gap before offset " + offset);
        }
        expected = offset + 1;
        ledger
            .find(
                row.getString("transaction_id"),
                Names.partition(i),
                row.getUUID("message_id").toString(),
                number(row))
            .ifPresent(
                message -> {
                  ledger.knownAt(message, offset);
                  ledger.stored(message, stored);
                });
      }
      all += stored.size();
      messages(audit.names().copies(), Names.partition(i))
          .forEach(row -> ledger.copied(row.getString("transaction_id"), number(row)));
    }
    readDeadLetters();
    if (database()
            .number("select deadlocks from pg_stat_database where datname = current_database()")
        > 0) {
      violation(Violation.DEADLOCK, "counted by PostgreSQL");
    }
    automatic.conclude(all);
    return partitions;
  }

  private List<Row> messages(String queue, String partition) {
    return database()
        .query(
            """
            select message_offset, message_id, transaction_id, payload from queen.messages
            where queue = '%s' and partition = '%s' order by 1\
            """
                .formatted(queue, partition));
  }

  private static long number(Row row) {
    return new JsonObject(row.getString("payload")).getLong(PopMessage.NUMBER, -1L);
  }

  private void readDeadLetters() {
    for (Row row :
        database()
            .query("select transaction_id, consumer_group, payload from queen.dead_letters")) {
      audit
          .ledger()
          .deadLetter(
              row.getString(0), Names.groupIndex(row.getString(1)), row.getString("payload"));
    }
  }

  @Override
  List<String> notes() {
    return crasher.notes();
  }

  @Override
  public void close() {
    connections.forEach(client -> Blocking.get(client.close()));
  }
}
