package dev.queenmq.server.store.push;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

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
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.PushCounter;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pushes as plain statements: that the usual ones are, and that nothing gets past the rules when
 * what this broker believes is wrong. Where order matters, a third session holds the partition's
 * row until all of them wait for it.
 */
@ExtendWith(PostgresExtension.class)
class PlainPushIT {
  private static final Logger LOG = LoggerFactory.getLogger(PlainPushIT.class);

  private final MessageIds ids = new MessageIds(InstantSource.system());
  private final List<PgConnection> connections = new ArrayList<>();
  private final Map<String, Integer> numbers = new HashMap<>();
  private TestDatabase database;
  private Broker one;
  private Broker two;

  PlainPushIT() {}

  /** A store on a connection of its own, and what it sends there. */
  private record Broker(
      PgConnection connection, PushCounter pushes, PushCounter.Counts counts, MessageStore store) {}

  @BeforeEach
  void open(TestDatabase database) {
    this.database = database;
    await(Migrations.run(database.vertx(), database.options(), System::nanoTime));
    one = broker(StoreOptions.defaults());
    two = broker(StoreOptions.defaults());
  }

  @AfterEach
  void close() {
    connections.forEach(connection -> await(connection.close()));
  }

  @Test
  void usualPush_isOneStatement_andAPlainOne() {
    push(one, "usual", "p", "a");
    one.pushes().takeStatements();

    push(one, "usual", "p", "b");
    push(one, "usual", "p", "c", "d", "d");

    assertThat(one.pushes().takeStatements())
        .hasSize(2)
        .allMatch(sql -> sql.startsWith("/* queen.push_one */"));
    assertThat(stored("usual", "p")).containsExactly("a", "b", "c", "d");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 100})
  void messages_costOneStatementEachToPushPopAndAck_howeverManyTheyAre(int messages) {
    push(one, "counted", "p", "first");
    consume(one, "counted", "p", 1);
    one.pushes().takeStatements();

    await(
        one.store()
            .push(
                IntStream.range(0, messages)
                    .mapToObj(i -> message("counted", "p", "id" + i))
                    .toList()));
    assertThat(one.pushes().takeStatements()).hasSize(1);
    assertThat(consume(one, "counted", "p", messages)).isEqualTo(messages);
    assertThat(one.pushes().takeStatements()).hasSize(2);
  }

  /** Pops and acks; how many. */
  private static int consume(Broker broker, String queue, String partition, int batch) {
    PopRequest request =
        new PopRequest(
            new PopTarget.Named(queue, partition), "g", batch, 1, false, new Subscription.All());
    PartitionBatch got =
        ((PopOutcome.Served) await(broker.store().pop(List.of(request))).get(0)).batches().get(0);
    List<Ack> acks =
        got.messages().stream()
            .map(
                message ->
                    new Ack(
                        got.partitionId(),
                        "g",
                        new MessageRef.ByTransactionId(message.transactionId()),
                        got.lease().map(Lease::id),
                        AckStatus.COMPLETED,
                        Optional.empty()))
            .toList();
    assertThat(await(broker.store().ack(acks))).allMatch(AckOutcome.Applied.class::isInstance);
    return acks.size();
  }

  @Test
  void plainPushes_stayPrepared_withOnePlan() {
    for (int round = 0; round < 3; round++) {
      await(one.store().push(spread("prepared", 1, 3)));
      await(one.store().push(spread("prepared", 5, 2)));
      await(one.store().push(spread("prepared", 40, 1)));
    }

    List<Row> prepared =
        rows(
            one.connection(),
            "select substring(statement from 'push_\\w+') as name, generic_plans, custom_plans"
                + " from pg_prepared_statements where statement like '/* queen.push_%' order by 1");
    assertThat(prepared)
        .extracting(row -> row.getString("name"))
        .containsExactly("push_one", "push_several", "push_singles");
    assertThat(prepared).allMatch(row -> row.getLong("generic_plans") >= 2);
    assertThat(prepared).allMatch(row -> row.getLong("custom_plans") == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"push_one", "push_several", "push_singles", "push_and_lease"})
  void plan_goesThroughThePrimaryKey_whateverTheStatistics(String name) {
    assertThat(plan(name)).satisfies(PlainPushIT::isByPrimaryKey);
    // A queue for each partition: by the queue there would be fewer rows than by the ids.
    database.query(
        """
        insert into queen.queues (name) select 'many' || i from generate_series(1, 3000) i;
        insert into queen.partitions (shard, id, queue_id, name)
        select 0, gen_random_uuid(), q.id, 'p' from queen.queues q;
        insert into queen.partitions (shard, id, queue_id, name)
        select 0, gen_random_uuid(), (select q.id from queen.queues q limit 1), 'p' || i
        from generate_series(1, 30000) i
        """);
    database.query("analyze queen.queues, queen.partitions");

    assertThat(plan(name)).satisfies(PlainPushIT::isByPrimaryKey);
  }

  @Test
  void rows_areThoseOfTheProcedure() {
    Broker procedure = broker(StoreOptions.defaults().withoutPlainStatements());
    Function<String, List<List<Message>>> calls =
        queue ->
            List.of(
                spread(queue, 40, 1),
                spread(queue, 1, 1),
                spread(queue, 1, 12),
                spread(queue, 40, 1),
                spread(queue, 7, 3),
                spread(queue, 1, 600),
                traced(spread(queue, 1, 4)),
                traced(spread(queue, 3, 4)),
                traced(spread(queue, 40, 1)));

    calls.apply("asplain").forEach(call -> await(one.store().push(call)));
    calls.apply("asprocedure").forEach(call -> await(procedure.store().push(call)));

    assertThat(one.counts().plain()).isEqualTo(8);
    assertThat(one.counts().procedure().sum()).isEqualTo(1);
    assertThat(procedure.counts().plain()).isZero();
    assertThat(shape("asplain"))
        .isEqualTo(shape("asprocedure"))
        .hasSizeGreaterThan(100)
        .allMatch(segment -> segment.endsWith(" true"), "has as many bytes as its payloads");
    assertThat(partitions("asplain")).isEqualTo(partitions("asprocedure")).hasSize(40);
    assertThat(
            database.value(
                "select count(*) from queen.segments s join queen.partitions p on p.id ="
                    + " s.partition_id where not exists (select from queen.tail t where p.id = any"
                    + " (t.partition_ids))"))
        .isEqualTo(0L);
  }

  @Test
  void twoBrokersAtOnce_storeAnIdOnce() {
    bothKnow("race", "p");
    PgConnection holder = holdPartition("race", "p");

    Future<List<PushOutcome>> first = one.store().push(List.of(message("race", "p", "same")));
    awaitWaiting(1);
    Future<List<PushOutcome>> second = two.store().push(List.of(message("race", "p", "same")));
    awaitWaiting(2);
    release(holder);

    // Usually the first wins. On a slow machine it has waited for too long, and goes a second way.
    PushOutcome mine = await(first).get(0);
    PushOutcome other = await(second).get(0);
    PushOutcome.Queued queued =
        (PushOutcome.Queued) (mine instanceof PushOutcome.Queued ? mine : other);
    assertThat(List.of(mine, other))
        .containsExactlyInAnyOrder(
            queued, new PushOutcome.Duplicate(queued.messageId(), queued.partitionId()));
    assertThat(one.counts().missed().sum() + two.counts().missed().sum()).isPositive();
    assertThat(stored("race", "p")).endsWith("same").doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3600, -1})
  void firstAttemptThatWaitsBehindItsRepetition_storesNothing(int window) {
    String queue = "repeated" + window;
    configure(queue, new JsonObject().put("dedupWindowSeconds", window));
    bothKnow(queue, "p");
    Message message = message(queue, "p", "once");
    PgConnection holder = holdPartition(queue, "p");

    Future<List<PushOutcome>> repetition =
        two.store().push(List.of(message.sentAt(Instant.now().minusSeconds(1))));
    awaitWaiting(1);
    Future<List<PushOutcome>> late = one.store().push(List.of(message));
    awaitWaiting(2);
    one.pushes().dropNext("push_v1"); // it is over for this broker: its connection is gone
    release(holder);

    assertThat(await(repetition).get(0)).isInstanceOf(PushOutcome.Queued.class);
    Awaitility.await().until(late::isComplete);
    assertThat(late.failed()).isTrue();
    assertThat(one.counts().missed().sum()).isEqualTo(1);
    assertThat(stored(queue, "p")).filteredOn("once"::equals).hasSize(1);
  }

  @Test
  void manyPushesOfTwoBrokers_keepEveryRule() {
    long seed = 20_261_117;
    Random random = new Random(seed);
    LOG.info("seed {}", seed);
    List<Message> every = spread("mixed", 45, 1);
    await(one.store().push(every));
    await(two.store().push(spread("mixed", 45, 1)));
    List<PushOutcome> outcomes = new ArrayList<>();
    for (int round = 0; round < 60; round++) {
      // Mostly one of them alone, for as long as plain pushes need to be tried again.
      List<Broker> active =
          round % 3 == 2 ? List.of(one, two) : List.of(round % 2 == 0 ? one : two);
      int spread = random.nextInt(3) == 0 ? 45 : 1 + random.nextInt(8);
      int newest = round;
      List<Future<List<PushOutcome>>> calls = new ArrayList<>();
      for (Broker broker : active) {
        List<Message> messages =
            random
                .ints(0, 45)
                .distinct()
                .limit(spread)
                .boxed()
                .flatMap(
                    partition ->
                        random
                            .ints(1 + random.nextInt(spread == 45 ? 1 : 3), 0, 3)
                            .mapToObj(
                                back ->
                                    message("mixed", "p" + partition, "r" + (newest * 2 - back))))
                .toList();
        calls.add(broker.store().push(messages));
      }
      calls.forEach(call -> outcomes.addAll(await(call)));
    }

    LOG.info("one: {}; two: {}", one.counts(), two.counts());
    assertThat(one.counts().plain() + two.counts().plain()).isGreaterThan(20);
    assertThat(one.counts().missed().sum() + two.counts().missed().sum()).isPositive();
    assertThat(outcomes.stream().filter(PushOutcome.Duplicate.class::isInstance)).isNotEmpty();
    holdsTogether("mixed");
    assertThat(outcomes.stream().filter(PushOutcome.Queued.class::isInstance).count() + 90)
        .isEqualTo(
            ((Number)
                    database.value("select count(*) from queen.messages m where m.queue = 'mixed'"))
                .longValue());
  }

  @Test
  void queueThatIsEncryptedMeanwhile_waitsForThePlainPush() {
    bothKnow("sealed", "p");
    PgConnection holder = holdPartition("sealed", "p");

    Future<List<PushOutcome>> push = one.store().push(List.of(message("sealed", "p", "plain")));
    awaitWaiting(1);
    Future<List<ConfigureOutcome>> encrypted =
        two.store().configure(List.of(configuration("sealed", "encryptionEnabled", true)));
    Awaitility.await()
        .until(
            () ->
                (boolean)
                    database.value(
                        "select encryption_enabled from queen.queues where name = 'sealed'"));
    // A look of the upkeep must not say that all is sealed before the push has its time.
    database.query("select queen.encryption_began_v1(null)");
    assertThat(encrypted.isComplete()).isFalse();
    release(holder);

    assertThat(await(push).get(0)).isInstanceOf(PushOutcome.Queued.class);
    await(encrypted);
    assertThat(
            database.value(
                "select bool_and(m.created_at < q.sealed_since) from queen.messages m"
                    + " join queen.queues q on q.name = m.queue where m.queue = 'sealed'"))
        .isEqualTo(true);
    assertThat(await(one.store().push(List.of(message("sealed", "p", "later")))))
        .containsExactly(new PushOutcome.KeyMissing());
    assertThat(stored("sealed", "p")).endsWith("plain");
  }

  @Test
  void queueThatGotAMaxSize_isLeftToTheProcedure() {
    push(one, "capped", "p", "a");
    push(one, "capped", "p", "b");
    configure("capped", new JsonObject().put("maxSize", 2));

    assertThat(await(one.store().push(List.of(message("capped", "p", "c")))))
        .containsExactly(new PushOutcome.QueueFull());
    assertThat(one.counts().missed().sum()).isEqualTo(1);
    one.pushes().takeStatements();
    assertThat(await(one.store().push(List.of(message("capped", "p", "d")))))
        .containsExactly(new PushOutcome.QueueFull());
    assertThat(one.pushes().takeStatements()).hasSize(1).noneMatch(PushCounter::isPlain);
  }

  @Test
  void queueWithAnotherWindow_isLeftToTheProcedure() {
    configure("window", new JsonObject().put("dedupWindowSeconds", 0));
    push(one, "window", "p", "a");
    push(one, "window", "p", "a");
    configure("window", new JsonObject().put("dedupWindowSeconds", 3600));

    assertThat(await(one.store().push(List.of(message("window", "p", "a")))).get(0))
        .isInstanceOf(PushOutcome.Duplicate.class);
    assertThat(one.counts().missed().sum()).isEqualTo(1);
  }

  @Test
  void queueThatIsDeletedMeanwhile_isMadeAgain() {
    bothKnow("gone", "p");
    PgConnection holder = connect();
    rows(holder, "begin");
    rows(holder, "delete from queen.queues where name = 'gone'");

    Future<List<PushOutcome>> push = one.store().push(List.of(message("gone", "p", "new")));
    awaitWaiting(1);
    release(holder);

    assertThat(((PushOutcome.Queued) await(push).get(0)).offset()).isZero();
    assertThat(stored("gone", "p")).containsExactly("new");
  }

  @Test
  void queueThatIsMarkedAsDeleted_countsAsGone() {
    bothKnow("marked", "p");
    database.query("select queen.delete_queues_v1(0::smallint, array['marked'], 0)");

    assertThat(((PushOutcome.Queued) push(one, "marked", "p", "new").get(0)).offset()).isZero();
    assertThat(one.counts().missed().sum()).isEqualTo(1);
    assertThat(stored("marked", "p")).containsExactly("new");
  }

  @Test
  void partitionThatRetentionHasEmptied_goesOn() {
    UUID partition = ((PushOutcome.Queued) push(one, "kept", "p", "a", "b").get(0)).partitionId();
    await(one.store().dropSegments(partition, Instant.now().plusSeconds(60), 2, 10));

    assertThat(((PushOutcome.Queued) push(one, "kept", "p", "c").get(0)).offset()).isEqualTo(2);
    assertThat(one.counts().one().sum()).isEqualTo(1);
    assertThat(one.counts().missed().sum()).isZero();
    assertThat(stored("kept", "p")).containsExactly("c");
  }

  @Test
  void fence_leavesEverythingToTheProcedure() {
    push(one, "fenced", "p", "a");
    Message superseded = message("fenced", "p", "b");
    database.query(
        "insert into queen.push_fences values (0, '%s', 7, clock_timestamp())"
            .formatted(superseded.id()));

    assertThat(await(one.store().push(List.of(superseded))).get(0))
        .isInstanceOf(PushOutcome.Duplicate.class);
    assertThat(one.counts().missed().sum()).isEqualTo(1);
    assertThat(stored("fenced", "p")).containsExactly("a");
  }

  @Test
  void partOfThePartitionsMoved_onlyTheirMessagesAreSentAgain() {
    List<Message> all = spread("partly", 6, 1);
    await(one.store().push(all));
    push(two, "partly", "p3", "other");

    assertThat(await(one.store().push(spread("partly", 6, 2))))
        .allMatch(PushOutcome.Queued.class::isInstance);
    assertThat(one.counts().several().sum()).isEqualTo(1);
    assertThat(one.counts().procedure().sum()).isEqualTo(2);
    holdsTogether("partly");
    one.pushes().takeStatements();
    await(one.store().push(List.of(message("partly", "p2", "plain"))));
    await(one.store().push(List.of(message("partly", "p3", "not for a while"))));
    assertThat(one.pushes().takeStatements())
        .extracting(PushCounter::isPlain)
        .containsExactly(true, false);
  }

  @Test
  void longWaitForALock_leavesItToTheProcedure() {
    bothKnow("slow", "p");
    PgConnection holder = holdPartition("slow", "p");

    Future<List<PushOutcome>> push = one.store().push(List.of(message("slow", "p", "late")));
    Awaitility.await()
        .until(
            () ->
                (long)
                        database.value(
                            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                + " and datname = current_database()"
                                + " and query_start < clock_timestamp() - interval '2.1 seconds'")
                    == 1);
    release(holder);

    assertThat(await(push).get(0)).isInstanceOf(PushOutcome.Queued.class);
    assertThat(one.counts().missed().sum()).isEqualTo(1);
    assertThat(stored("slow", "p")).endsWith("late");
  }

  /** Offsets are dense, times follow them, and no id stands twice. */
  private void holdsTogether(String queue) {
    assertThat(
            database.query(
                """
                select p.name
                from queen.partitions p
                join queen.queues q on q.id = p.queue_id
                cross join lateral (
                  select sum(s.message_count) as total, min(s.base_offset) as first,
                         max(s.base_offset + s.message_count) as next, count(*) as segments,
                         count(*) filter (where s.base_offset = s.expected) as following,
                         count(*) filter (where s.created_at < s.before) as backwards,
                         max(s.created_at) as newest
                  from (
                    select s.*, coalesce(lag(s.base_offset + s.message_count) over w, 0) as expected,
                           lag(s.created_at) over w as before
                    from queen.segments s
                    where s.partition_id = p.id
                    window w as (order by s.base_offset)
                  ) s
                ) s
                where q.name = '%1$s' and not (s.total = p.next_offset and s.next = p.next_offset and s.first = 0
                  and s.following = s.segments and s.backwards = 0 and s.newest = p.last_append_at)
                union all
                select m.partition from queen.messages m where m.queue = '%1$s'
                group by m.partition, m.transaction_id having count(*) > 1
                """
                    .formatted(queue)))
        .isEmpty();
  }

  private List<String> shape(String queue) {
    return database
        .query(
            """
            select p.name || ' ' || s.base_offset || ' ' || s.message_count || ' ' || s.encrypted || ' '
                   || cardinality(s.message_ids) || ' ' || s.transaction_ids::text || ' ' || s.payloads::text || ' '
                   || coalesce(s.trace_ids::text, '-') || ' ' || coalesce(s.producer_subs::text, '-') || ' '
                   || case
                        when s.message_count = 1 then s.bytes = octet_length(s.payloads[1])
                        else s.bytes between 1 and 100000
                      end
            from queen.segments s
            join queen.partitions p on p.shard = s.shard and p.id = s.partition_id
            join queen.queues q on q.id = p.queue_id
            where q.name = '%s'
            order by p.name, s.base_offset
            """
                .formatted(queue))
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private Map<String, List<Long>> partitions(String queue) {
    return database
        .query(
            "select p.name, p.next_offset, p.largest::bigint from queen.partitions p join"
                + " queen.queues q on q.id = p.queue_id where p.next_offset > 0 and q.name = '%s'"
                    .formatted(queue))
        .stream()
        .collect(
            Collectors.toMap(
                row -> row.getString(0), row -> List.of(row.getLong(1), row.getLong(2))));
  }

  private String plan(String name) {
    PgConnection connection = connect();
    rows(connection, "prepare planned as " + StatementFile.read(name));
    int parameters =
        rows(
                connection,
                "select cardinality(parameter_types) from pg_prepared_statements where name ="
                    + " 'planned'")
            .get(0)
            .getInteger(0);
    String nulls =
        Stream.generate(() -> "null").limit(parameters).collect(Collectors.joining(", "));
    return rows(connection, "explain execute planned (" + nulls + ")").stream()
        .map(row -> row.getString(0))
        .collect(Collectors.joining("\n"));
  }

  private static void isByPrimaryKey(String plan) {
    assertThat(plan)
        .contains("Index Scan using partitions_pkey on partitions p")
        .doesNotContain("partitions_by_name", "Seq Scan", "Bitmap", "Hash Join", "Merge Join");
  }

  /** The messages of a call: a number for each of the first partitions. */
  private List<Message> spread(String queue, int partitions, int each) {
    return IntStream.range(0, partitions * each)
        .mapToObj(
            i -> {
              String partition = "p" + i % partitions;
              return Message.of(
                  queue, partition, ids.next(), partition + "-" + next(queue), "{\"ü\":" + i + "}");
            })
        .toList();
  }

  private int next(String queue) {
    return numbers.merge(queue, 1, Integer::sum);
  }

  private static List<Message> traced(List<Message> messages) {
    return IntStream.range(0, messages.size())
        .mapToObj(
            i -> {
              Message m = messages.get(i);
              return new Message(
                  m.queue(),
                  m.partition(),
                  m.id(),
                  m.transactionId(),
                  m.payload(),
                  i % 3 == 0 ? new UUID(7, i) : null,
                  i % 2 == 0 ? "producer" + i : null,
                  false);
            })
        .toList();
  }

  /**
   * Either broker knows where the partition ends, so that its next push is a plain one; where
   * nothing is a duplicate, only the first knows it.
   */
  private void bothKnow(String queue, String partition) {
    push(broker(StoreOptions.defaults()), queue, partition, "seed");
    push(two, queue, partition, "seed");
    push(one, queue, partition, "seed");
    one.counts().reset();
    two.counts().reset();
  }

  private List<PushOutcome> push(Broker broker, String queue, String partition, String... ids) {
    return await(
        broker.store().push(Stream.of(ids).map(id -> message(queue, partition, id)).toList()));
  }

  private Message message(String queue, String partition, String transactionId) {
    return Message.of(queue, partition, ids.next(), transactionId, "\"" + transactionId + "\"");
  }

  private void configure(String queue, JsonObject options) {
    await(
        two.store()
            .configure(
                List.of(
                    new QueueConfiguration(
                        queue,
                        Optional.empty(),
                        Optional.empty(),
                        QueueOptions.of(options),
                        false))));
  }

  private static QueueConfiguration configuration(String queue, String option, Object value) {
    return new QueueConfiguration(
        queue,
        Optional.empty(),
        Optional.empty(),
        QueueOptions.of(new JsonObject().put(option, value)),
        true);
  }

  private List<String> stored(String queue, String partition) {
    return database
        .query(
            "select m.transaction_id from queen.messages m where m.queue = '%s' and m.partition ="
                    .formatted(queue)
                + " '%s' order by m.message_offset".formatted(partition))
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  /** Locks and changes its row: whoever waits for it has to look again. */
  private PgConnection holdPartition(String queue, String partition) {
    PgConnection holder = connect();
    rows(holder, "begin");
    rows(
        holder,
        "update queen.partitions p set largest = p.largest where p.name = '%s' and p.queue_id ="
                .formatted(partition)
            + " (select q.id from queen.queues q where q.name = '%s')".formatted(queue));
    return holder;
  }

  private static void release(PgConnection holder) {
    rows(holder, "commit");
  }

  private void awaitWaiting(int sessions) {
    Awaitility.await()
        .until(
            () ->
                (long)
                        database.value(
                            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                + " and datname = current_database()")
                    == sessions);
  }

  private Broker broker(StoreOptions options) {
    PgConnection connection = connect();
    PushCounter.Counts counts = new PushCounter.Counts();
    PushCounter pushes = new PushCounter(StoreClient.of(connection), counts);
    MessageStore store =
        new MessageStore(
            database.vertx().getOrCreateContext(),
            pushes,
            options,
            42,
            transaction -> {},
            new SweepTurns(),
            Encryption.none(),
            AnswerMemory.unlimited(),
            InstantSource.system(),
            System::nanoTime);
    return new Broker(connection, pushes, counts, store);
  }

  private PgConnection connect() {
    PgConnection connection = database.connectStore();
    connections.add(connection);
    return connection;
  }

  private static List<Row> rows(PgConnection connection, String sql) {
    return await(
        connection
            .query(sql)
            .execute()
            .map(
                rows -> {
                  List<Row> all = new ArrayList<>();
                  rows.forEach(all::add);
                  return all;
                }));
  }
}
