package dev.queenmq.server.store.pop;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.OldForm;
import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.TestStore;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pops of one candidate each are one plain statement, and in every other state of a cursor or a
 * queue they are answered as by the procedures: each case runs on a store with plain statements and
 * on one without.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainPopIT {
  private static final String ONE = StatementFile.read("pop_one");
  private static final String ONE_RECENT = StatementFile.read("pop_one_recent");
  private static final String SEVERAL = StatementFile.read("pop_several");

  private TestStore plain;
  private TestStore procedures;

  PlainPopIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    plain = TestStore.migrated(database);
    procedures = plain.another(StoreOptions.defaults().withoutPlainStatements());
  }

  @AfterAll
  void close() {
    plain.close();
    procedures.close();
  }

  /** A partition with five messages in three segments, the first of which the group has done. */
  private record Lane(TestStore store, String queue, UUID id) {
    /** The same behind a message that another group has popped, so that the store keeps them. */
    static Lane recent(TestStore store, String queue) {
      store.push(queue, "p", "first");
      for (String group : List.of("seen", "g")) {
        store.ack(
            store.pop(queue, "p", group, 1).batches().get(0), group, "first", AckStatus.COMPLETED);
      }
      return of(store, queue);
    }

    static Lane of(TestStore store, String queue) {
      store.push(queue, "p", "a", "b");
      store.push(queue, "p", "c");
      store.push(queue, "p", "d", "e");
      PartitionBatch batch = store.pop(queue, "p", "g", 1).batches().get(0);
      store.ack(batch, "g", "a", AckStatus.COMPLETED);
      store.sent();
      return new Lane(store, queue, batch.partitionId());
    }

    PopRequest request(int batch) {
      return new PopRequest(
          new PopTarget.Candidates(Optional.of(queue), List.of(id)),
          "g",
          batch,
          1,
          false,
          new Subscription.All());
    }

    void cursor(String set) {
      store
          .database()
          .query(
              "update queen.cursors set %s where partition_id = '%s' and consumer_group = 'g'"
                  .formatted(set, id));
    }

    void queue(String set) {
      store.database().query("update queen.queues set %s where name = '%s'".formatted(set, queue));
    }

    /** The cursor without ids and moments. */
    String cursor() {
      List<Row> rows =
          store
              .database()
              .query(
                  "select concat_ws(' ', committed, acked, lease_id is null, round(extract(epoch"
                      + " from lease_expires_at - clock_timestamp()) / 30), leased, not_before is"
                      + " null, coalesce(batch_cap, 0), coalesce(lone_offset, -1), lone_deliveries,"
                      + " has_attempts, last_consumed_at is null, leased_at is null, lease_holder,"
                      + " coalesce(redeliveries, '{}')) from queen.cursors c where partition_id = '"
                      + id
                      + "' and consumer_group = 'g' and exists (select from queen.partitions p"
                      + " where p.shard = c.shard and p.id = c.partition_id)");
      return rows.isEmpty() ? "none" : rows.get(0).getString(0);
    }
  }

  static Stream<Arguments> states() {
    Map<String, Consumer<Lane>> all = new LinkedHashMap<>();
    all.put("usual", lane -> {});
    all.put("leased", lane -> lane.store.pop(lane.queue, "p", "g", 1));
    all.put(
        "lease expired",
        lane -> {
          lane.store.pop(lane.queue, "p", "g", 4);
          lane.store.expireLeases();
        });
    all.put("smaller batches", lane -> lane.cursor("batch_cap = 2"));
    all.put("done out of order", lane -> lane.cursor("acked = '{[2,3)}'"));
    all.put("delivered before", lane -> lane.cursor("redeliveries = '{4,1}'"));
    all.put(
        "to be delivered later",
        lane -> lane.cursor("not_before = clock_timestamp() + interval '1 hour'"));
    all.put(
        "due again", lane -> lane.cursor("not_before = clock_timestamp() - interval '1 second'"));
    all.put("delivered alone", lane -> lane.cursor("lone_offset = 1, lone_deliveries = 1"));
    all.put("another alone", lane -> lane.cursor("lone_offset = 3, lone_deliveries = 2"));
    all.put("at the end", lane -> lane.cursor("committed = 5"));
    all.put(
        "at the end and to be delivered later",
        lane -> lane.cursor("committed = 5, not_before = clock_timestamp() + interval '1 hour'"));
    all.put(
        "at the end and paused",
        lane -> {
          lane.cursor("committed = 5");
          lane.queue("pauses = '{\"\": {}}'");
        });
    all.put(
        "leased and paused",
        lane -> {
          lane.store.pop(lane.queue, "p", "g", 1);
          lane.queue("pauses = '{\"g\": {}}'");
        });
    all.put(
        "lease expired at the end",
        lane -> {
          lane.store.pop(lane.queue, "p", "g", 1);
          lane.store.expireLeases();
          lane.cursor("committed = 5");
        });
    all.put(
        "paused",
        lane ->
            await(
                lane.store
                    .store()
                    .pause(new PopPause(lane.queue, Optional.empty(), true, Optional.empty()))));
    all.put("group paused", lane -> lane.queue("pauses = '{\"g\": {}}'"));
    all.put("other group paused", lane -> lane.queue("pauses = '{\"h\": {}}'"));
    all.put("delayed", lane -> lane.queue("delayed_processing = 3600"));
    all.put("window", lane -> lane.queue("window_buffer = 3600"));
    all.put("no ttl", lane -> lane.queue("ttl = 0"));
    all.put("young enough", lane -> lane.queue("ttl = 3600"));
    all.put(
        "expired",
        lane -> {
          lane.queue("ttl = 10");
          lane.store
              .database()
              .query(
                  "update queen.segments set created_at = created_at - interval '1 minute' where"
                      + " base_offset < 3 and partition_id = '"
                      + lane.id
                      + "'");
        });
    all.put(
        "removed by retention",
        lane ->
            await(lane.store.store().dropSegments(lane.id, Instant.now().plusSeconds(60), 3, 2)));
    all.put("encrypted", lane -> lane.queue("encryption_enabled = true"));
    all.put("of the older form", lane -> lane.queue("bound_since = clock_timestamp()"));
    all.put(
        "huge messages",
        lane ->
            lane.store
                .database()
                .query(
                    "update queen.partitions set largest = 2000000000 where id = '"
                        + lane.id
                        + "'"));
    all.put("default lease time", lane -> lane.queue("lease_time = 0"));
    all.put(
        "message deleted",
        lane -> await(lane.store.store().deleteMessage(new MessageKey(lane.id, "c"))));
    all.put(
        "group deleted",
        lane ->
            await(
                lane.store
                    .store()
                    .deleteGroup(new GroupDeletion("g", Optional.of(lane.queue), true))));
    all.put(
        "partition deleted", lane -> await(lane.store.store().deletePartition(lane.queue, "p")));
    return all.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void pop_isAnsweredAsByTheProcedures(String name, Consumer<Lane> state) {
    assertSameAnswers(name, Lane::of, state);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void popOfRecentMessages_isAnsweredAsByTheProcedures(String name, Consumer<Lane> state) {
    assertSameAnswers("recent " + name, Lane::recent, state);
  }

  private void assertSameAnswers(
      String name, BiFunction<TestStore, String, Lane> lanes, Consumer<Lane> state) {
    for (int batch : List.of(1, 3, 100)) {
      String queue = name.replace(' ', '-') + batch;
      assertThat(results(plain, queue + "-1", lanes, state, batch))
          .as("%s, batch %d", name, batch)
          .isEqualTo(results(procedures, queue + "-2", lanes, state, batch));
    }
  }

  /** One request, and two of one call; then the next delivery. */
  private static List<String> results(
      TestStore store,
      String queue,
      BiFunction<TestStore, String, Lane> lanes,
      Consumer<Lane> state,
      int batch) {
    Lane alone = lanes.apply(store, queue + "-alone");
    Lane lane = lanes.apply(store, queue);
    Lane beside = lanes.apply(store, queue + "-other");
    state.accept(alone);
    state.accept(lane);
    List<String> results = new ArrayList<>();
    for (int delivery = 1; delivery <= 2; delivery++) {
      add(results, await(store.store().pop(List.of(alone.request(batch)))), queue);
      add(
          results,
          await(store.store().pop(List.of(lane.request(batch), beside.request(batch)))),
          queue);
      results.add(alone.cursor());
      results.add(lane.cursor());
      results.add(beside.cursor());
      store.expireLeases();
    }
    return results;
  }

  private static void add(List<String> results, List<PopOutcome> outcomes, String queue) {
    for (PopOutcome outcome : outcomes) {
      PopOutcome.Served served = (PopOutcome.Served) outcome;
      for (PartitionBatch each : served.batches()) {
        UUID lease = each.lease().orElseThrow().id();
        assertThat(lease.version()).isEqualTo(8);
        assertThat(lease.toString()).startsWith(each.partitionId().toString().substring(0, 13));
        results.add(each.queue().replace(queue, "q") + each.partition() + each.backlog());
        each.messages()
            .forEach(
                m ->
                    results.add(
                        m.offset() + m.transactionId() + m.payload() + m.attempt() + m.form()));
      }
      served.passed().forEach(each -> results.add(each.reason() + " " + each.dueAt().isPresent()));
    }
  }

  @Test
  void usualPops_areOnePlainStatement() {
    Lane one = Lane.of(plain, "one");
    Lane two = Lane.of(plain, "two");
    plain.sent();

    List<PopOutcome> outcomes = await(plain.store().pop(List.of(one.request(2), two.request(100))));

    assertThat(plain.sent()).containsExactly(SEVERAL);
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(0)))
        .containsExactly("b", "c");
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(1)))
        .containsExactly("b", "c", "d", "e");
  }

  @Test
  void usualPopAndItsAck_areOneStatementEach() {
    Lane lane = Lane.of(plain, "both");
    PartitionBatch batch = plain.pop(lane.request(2)).batches().get(0);
    await(
        plain
            .store()
            .ack(
                List.of(
                    plain.status(batch, "g", "b", AckStatus.COMPLETED),
                    plain.status(batch, "g", "c", AckStatus.COMPLETED))));

    assertThat(plain.sent()).containsExactly(ONE, StatementFile.read("ack_range"));
  }

  @Test
  void messagesInMemory_areThoseOfPostgreSql() {
    Lane lane = Lane.recent(plain, "memory");
    UUID trace = UUID.randomUUID();
    Message full =
        new Message(
            lane.queue,
            "p",
            plain.nextId(),
            "\u00e4 \ud83d\ude00",
            "{\"a\" : 1.0}",
            trace,
            "sub",
            false);
    await(plain.store().push(List.of(full, plain.message(lane.queue, "p", "last"))));
    plain.sent();

    PopOutcome.Served recent = plain.pop(lane.request(100));

    assertThat(plain.sent()).containsExactly(ONE_RECENT);
    List<StoredMessage> stored =
        procedures.pop(lane.queue, "p", "another", 100).batches().get(0).messages();
    assertThat(recent.batches().get(0).messages())
        .hasSize(6)
        .isEqualTo(stored.subList(stored.size() - 6, stored.size()));
  }

  @Test
  void messagesInMemory_areNotReadBySeveral() {
    Lane recent = Lane.recent(plain, "memory-several");
    Lane stored = Lane.of(plain, "memory-not");
    // What PostgreSQL has instead would show that it was read.
    for (Lane lane : List.of(recent, stored)) {
      plain
          .database()
          .query(
              "update queen.segments set payloads = array_fill('\"read\"'::text,"
                  + " array[message_count]) where partition_id = '"
                  + lane.id
                  + "'");
    }

    List<PopOutcome> outcomes =
        await(plain.store().pop(List.of(recent.request(3), stored.request(3))));

    assertThat(payloads(outcomes.get(0))).containsExactly("\"b\"", "\"c\"", "\"d\"");
    assertThat(payloads(outcomes.get(1))).containsOnly("\"read\"").hasSize(3);
  }

  @Test
  void messagesThatArePartlyInMemory_areReadBySeveral() {
    Lane partly = Lane.of(plain, "memory-partly");
    Lane recent = Lane.recent(plain, "memory-whole");
    plain.push(partly.queue, "p", "f");

    List<PopOutcome> outcomes =
        await(plain.store().pop(List.of(partly.request(100), recent.request(100))));

    assertThat(payloads(outcomes.get(0)))
        .containsExactly("\"b\"", "\"c\"", "\"d\"", "\"e\"", "\"f\"");
    assertThat(payloads(outcomes.get(1))).containsExactly("\"b\"", "\"c\"", "\"d\"", "\"e\"");
  }

  private static List<String> payloads(PopOutcome outcome) {
    return ((PopOutcome.Served) outcome)
        .batches().get(0).messages().stream().map(StoredMessage::payload).toList();
  }

  @Test
  void messagesOfAnotherServer_areForgotten() {
    Lane lane = Lane.recent(plain, "memory-server");
    plain
        .database()
        .query(
            "update queen.segments set payloads = array_fill('\"other\"'::text,"
                + " array[message_count]) where partition_id = '"
                + lane.id
                + "'");

    plain.store().forgetAll();

    assertThat(payloads(plain.pop(lane.request(3)))).containsOnly("\"other\"").hasSize(3);
  }

  @Test
  void messagesOfOtherBrokers_areReadFromPostgreSql() {
    Lane lane = Lane.recent(plain, "memory-gap");
    try (TestStore other = plain.another()) {
      other.push(lane.queue, "p", "other");
      plain.sent();

      assertThat(TestStore.transactionIds(plain.pop(lane.request(100))))
          .containsExactly("b", "c", "d", "e", "other");
    }
    assertThat(plain.sent()).containsExactly(ONE_RECENT, ONE);
  }

  /** Others keep its partition in memory, and it would be sent two statements for each pop. */
  @Test
  void groupThatIsBehind_isRarelyAskedForWhatIsInMemory() {
    Lane lane = Lane.of(plain, "memory-behind");
    plain.push(lane.queue, "p", "f");
    List<String> got = new ArrayList<>();
    List<String> pops = new ArrayList<>();
    plain.sent();
    for (int i = 0; i < 5; i++) {
      PartitionBatch batch = plain.pop(lane.request(1)).batches().get(0);
      pops.addAll(plain.sent());
      got.add(batch.messages().get(0).transactionId());
      plain.ack(batch, "g", got.get(i), AckStatus.COMPLETED);
      plain.sent();
    }

    assertThat(got).containsExactly("b", "c", "d", "e", "f");
    assertThat(pops).containsExactly(ONE_RECENT, ONE, ONE, ONE, ONE_RECENT, ONE, ONE);
  }

  @Test
  void unusualCursor_doesNotStartTheOthersAgain() {
    Lane one = Lane.of(plain, "unusual");
    Lane two = Lane.of(plain, "beside");
    one.cursor("batch_cap = 1");
    plain.sent();

    List<PopOutcome> outcomes = await(plain.store().pop(List.of(one.request(9), two.request(9))));

    assertThat(plain.sent()).hasSize(2).startsWith(SEVERAL);
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(0))).containsExactly("b");
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(1))).hasSize(4);
  }

  /** The statement leases only what fits for sure: the procedure counts, and leases a part. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void messagesThatDoNotFitIntoMemory_areLeftToTheProcedure(boolean several) {
    MemoryBudget budget = new MemoryBudget(32L << 20, 192 << 10);
    try (TestStore store = plain.another(new AnswerMemory(budget))) {
      Lane lane = Lane.of(store, "large" + several);
      Lane beside = Lane.of(store, "large-not" + several);
      String payload = "\"" + "x".repeat(1 << 20) + "\"";
      for (String id : List.of("f", "g", "h")) {
        await(
            store.store().push(List.of(Message.of(lane.queue, "p", store.nextId(), id, payload))));
      }
      lane.cursor("committed = 5");
      store.sent();

      List<PopOutcome> outcomes =
          await(
              store
                  .store()
                  .pop(
                      several
                          ? List.of(lane.request(9), beside.request(9))
                          : List.of(lane.request(9))));

      assertThat(store.sent()).startsWith(several ? SEVERAL : ONE).hasSizeGreaterThan(1);
      List<String> got = TestStore.transactionIds((PopOutcome.Served) outcomes.get(0));
      assertThat(got).isNotEmpty().hasSizeLessThan(3);
      assertThat(lane.cursor()).contains("{[5,%d)}".formatted(5 + got.size()));
      if (several) {
        assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(1))).hasSize(4);
      }
    }
  }

  /** A queue that was encrypted before payloads were bound to their message may hold such. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void sealedPayloadsOfTheOlderForm_areLeftToTheProcedure(boolean several) {
    EncryptionKey key = EncryptionKey.ofHex("a".repeat(64));
    Encryption keys = new Encryption(new PayloadCipher(Optional.of(key), Optional.empty()), false);
    try (TestStore store = plain.another(keys)) {
      Lane lane = Lane.of(store, "unbound" + several);
      Lane beside = Lane.of(store, "unbound-not" + several);
      store
          .database()
          .query(
              "update queen.segments set encrypted = true, payloads = array['%s', '%s']"
                      .formatted(OldForm.seal(key, "\"d\""), OldForm.seal(key, "\"e\""))
                  + " where base_offset = 3 and partition_id = '%s'".formatted(lane.id));
      lane.queue("bound_since = clock_timestamp()");

      List<PopOutcome> outcomes =
          await(
              store
                  .store()
                  .pop(
                      several
                          ? List.of(lane.request(9), beside.request(9))
                          : List.of(lane.request(9))));

      assertThat(((PopOutcome.Served) outcomes.get(0)).batches().get(0).messages())
          .extracting(StoredMessage::payload)
          .containsExactly("\"b\"", "\"c\"", "\"d\"", "\"e\"");
    }
  }

  @Test
  void sameCursorTwice_isLeasedOnce() {
    Lane lane = Lane.of(plain, "twice");

    List<PopOutcome> outcomes = await(plain.store().pop(List.of(lane.request(2), lane.request(2))));

    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(0)))
        .containsExactly("b", "c");
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(1))).isEmpty();
  }

  @Test
  void lockedCursor_isNotWaitedFor() {
    Lane locked = Lane.of(plain, "locked");
    Lane free = Lane.of(plain, "free");
    PgConnection holder = plain.database().connect();
    await(holder.query("begin").execute());
    await(
        holder
            .query("select from queen.cursors where partition_id = '" + locked.id + "' for update")
            .execute());

    List<PopOutcome> outcomes =
        await(plain.store().pop(List.of(locked.request(9), free.request(9))));
    await(holder.query("rollback").execute());
    await(holder.close());

    PopOutcome.Served busy = (PopOutcome.Served) outcomes.get(0);
    assertThat(busy.passed())
        .extracting(SkippedPartition::reason)
        .containsExactly(SkippedPartition.Reason.BUSY);
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(1))).hasSize(4);
  }

  /** Another consumer's ack commits after the statement began and before it locks the cursor. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void cursorThatChangesBeforeTheLock_isLeasedAsItIsThen(boolean several) {
    Lane lane = Lane.of(plain, "changes" + several);
    Lane beside = Lane.of(plain, "changes-not" + several);
    plain
        .database()
        .query(
            """
            create schema if not exists slow;
            create or replace function slow.clock_timestamp() returns timestamptz language plpgsql as $$
            begin
              perform pg_advisory_xact_lock_shared(48);
              return pg_catalog.clock_timestamp();
            end $$;
            """);
    PgConnection gate = plain.database().connect();
    PgConnection connection = plain.database().connectStore();
    await(connection.query("set search_path = slow, pg_catalog").execute());
    await(gate.query("select pg_advisory_lock(48)").execute());
    List<String> sent = new ArrayList<>();
    StoreClient line = StoreClient.of(connection);
    MessageStore store =
        new MessageStore(
            plain.database().vertx().getOrCreateContext(),
            (sql, arguments) -> {
              sent.add(sql);
              return line.call(sql, arguments);
            },
            StoreOptions.defaults(),
            42,
            InstantSource.system(),
            System::nanoTime);
    Future<List<PopOutcome>> popped =
        store.pop(several ? List.of(lane.request(9), beside.request(9)) : List.of(lane.request(9)));
    Awaitility.await()
        .until(
            () ->
                !plain
                    .database()
                    .query(
                        "select from pg_locks where locktype = 'advisory' and objid = 48 and not"
                            + " granted")
                    .isEmpty());

    lane.cursor("committed = 3");
    await(gate.query("select pg_advisory_unlock(48)").execute());
    PopOutcome.Served served = (PopOutcome.Served) await(popped).get(0);
    await(gate.close());
    await(connection.close());

    assertThat(sent).containsExactly(several ? SEVERAL : ONE);
    assertThat(TestStore.transactionIds(served)).containsExactly("d", "e");
    assertThat(lane.cursor()).startsWith("3 {} f 10 {[3,5)}");
  }

  @Test
  void procedureThatFails_doesNotTakeAwayWhatOthersGot() {
    Lane unusual = Lane.of(plain, "fails");
    Lane usual = Lane.of(plain, "succeeds");
    unusual.cursor("batch_cap = 1");
    PgConnection connection = plain.database().connectStore();
    StoreClient line = StoreClient.of(connection);
    MessageStore store =
        new MessageStore(
            plain.database().vertx().getOrCreateContext(),
            (sql, arguments) ->
                sql.equals(SEVERAL)
                    ? line.call(sql, arguments)
                    : Future.failedFuture(ClosedConnectionException.INSTANCE),
            StoreOptions.defaults(),
            42,
            InstantSource.system(),
            System::nanoTime);

    List<PopOutcome> outcomes = await(store.pop(List.of(unusual.request(9), usual.request(9))));
    await(connection.close());

    assertThat(((PopOutcome.Served) outcomes.get(0)).passed())
        .extracting(SkippedPartition::reason)
        .containsExactly(SkippedPartition.Reason.BUSY);
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(1))).hasSize(4);
  }

  @Test
  void traceIdsAndSubjects_areThoseOfTheirMessages() {
    List<Message> messages = new ArrayList<>();
    UUID trace = new UUID(4, 2);
    for (int i = 0; i < 4; i++) {
      messages.add(
          new Message(
              "traced",
              "p",
              plain.nextId(),
              "t" + i,
              "" + i,
              i == 2 ? trace : null,
              i == 1 ? "subject" : null,
              false));
    }
    await(plain.store().push(messages));
    PartitionBatch first = plain.pop("traced", "p", "g", 1).batches().get(0);
    plain.ack(first, "g", "t0", AckStatus.COMPLETED);
    Lane lane = new Lane(plain, "traced", first.partitionId());
    plain.sent();

    List<StoredMessage> got = plain.pop(lane.request(2)).batches().get(0).messages();

    assertThat(plain.sent()).containsExactly(ONE);
    assertThat(got).extracting(StoredMessage::transactionId).containsExactly("t1", "t2");
    assertThat(got).extracting(StoredMessage::payload).containsExactly("1", "2");
    assertThat(got).extracting(StoredMessage::producerSub).containsExactly("subject", null);
    assertThat(got).extracting(StoredMessage::traceId).containsExactly(null, trace);
  }

  @Test
  void cursorThatIsNotUsual_isAskedForByTheProcedureAtOnceNextTime() {
    Lane lane = Lane.of(plain, "missed");
    lane.queue("delayed_processing = 3600");
    plain.sent();

    plain.pop(lane.request(1));
    assertThat(plain.sent()).hasSize(2).startsWith(ONE);
    plain.pop(lane.request(1));
    plain.pop(lane.request(1));
    assertThat(plain.sent()).hasSize(2).doesNotContain(ONE);

    lane.queue("delayed_processing = 0");
    plain.pop(lane.request(1));
    assertThat(plain.sent()).containsExactly(ONE);
  }

  @Test
  void emptyAndLeasedPartitions_areAnsweredByTheStatementItself() {
    Lane empty = Lane.of(plain, "empty");
    Lane leased = Lane.of(plain, "leased-now");
    Lane usual = Lane.of(plain, "neither");
    empty.cursor("committed = 5");
    Instant until = plain.pop(leased.request(1)).batches().get(0).lease().orElseThrow().expiresAt();
    SkippedPartition nothing =
        new SkippedPartition(
            Optional.of(empty.id), SkippedPartition.Reason.EMPTY, Optional.empty());
    SkippedPartition held =
        new SkippedPartition(
            Optional.of(leased.id), SkippedPartition.Reason.LEASED, Optional.of(until));
    plain.sent();

    assertThat(plain.pop(empty.request(9)).passed()).containsExactly(nothing);
    assertThat(plain.pop(leased.request(9)).passed()).containsExactly(held);
    List<PopOutcome> outcomes =
        await(plain.store().pop(List.of(empty.request(9), usual.request(9), leased.request(9))));

    assertThat(plain.sent()).containsExactly(ONE, ONE, SEVERAL);
    assertThat(((PopOutcome.Served) outcomes.get(0)).passed()).containsExactly(nothing);
    assertThat(TestStore.transactionIds((PopOutcome.Served) outcomes.get(1))).hasSize(4);
    assertThat(((PopOutcome.Served) outcomes.get(2)).passed()).containsExactly(held);
  }

  @Test
  void firstContact_isNoMiss() {
    plain.push("contact", "p", "a");
    PartitionBatch first = plain.pop("contact", "p", "other", 1).batches().get(0);
    plain.push("contact", "p", "b");
    Lane lane = new Lane(plain, "contact", first.partitionId());
    PartitionBatch batch = plain.pop(lane.request(1)).batches().get(0);
    plain.ack(batch, "g", "a", AckStatus.COMPLETED);
    plain.sent();

    assertThat(TestStore.transactionIds(plain.pop(lane.request(1)))).containsExactly("b");

    assertThat(plain.sent()).containsExactly(ONE_RECENT);
  }

  @Test
  void otherStores_sendNoPlainStatement() {
    Lane lane = Lane.of(procedures, "procedures");

    procedures.pop(lane.request(1));

    assertThat(procedures.sent()).hasSize(1).doesNotContain(ONE);
  }

  @Test
  void autoAck_isLeftToTheProcedure() {
    Lane lane = Lane.of(plain, "auto");
    PopRequest leased = lane.request(2);

    PopOutcome.Served served =
        plain.pop(new PopRequest(leased.target(), "g", 2, 1, true, leased.subscription()));

    assertThat(plain.sent()).hasSize(1).doesNotContain(ONE);
    assertThat(TestStore.transactionIds(served)).containsExactly("b", "c");
  }

  /** Made once for a session, perhaps while there is nothing, and kept when there is much. */
  @Test
  void plans_lookAtNoOtherCursor_withAndWithoutStatistics(TestDatabase database) {
    assertPlans(database);
    database.query(
        "insert into queen.cursors (shard, partition_id, consumer_group, committed)"
            + " select 0, gen_random_uuid(), 'g', 0 from generate_series(1, 20000)");
    assertPlans(database);
    database.query("analyze queen.cursors");
    assertPlans(database);
  }

  private static void assertPlans(TestDatabase database) {
    PgConnection connection = database.connectStore();
    String one =
        plan(
            connection,
            ONE,
            "0::smallint, gen_random_uuid(), 'g', 10, gen_random_uuid(), '{}', 1000");
    String recent =
        plan(
            connection,
            ONE_RECENT,
            "0::smallint, gen_random_uuid(), 'g', 10, gen_random_uuid(), '{}', 1000, 0, 10");
    String several =
        plan(
            connection,
            SEVERAL,
            "0::smallint, array[gen_random_uuid(), gen_random_uuid()], array['g', 'g'],"
                + " array[10, 10], array[gen_random_uuid(), gen_random_uuid()], array['{}', '{}'],"
                + " array[0, 0], array[0, 0], 1000");
    await(connection.close());
    for (String each : List.of(one, recent)) {
      assertThat(each)
          .contains("Index Cond: ((shard = $1) AND (partition_id = $2) AND (consumer_group = $3))")
          .contains("Index Cond: ((shard = $1) AND (id = $2))");
    }
    assertThat(recent).doesNotContain("segments");
    assertThat(several)
        .contains(
            "Index Cond: ((shard = $1) AND (partition_id = (unnest($2)))"
                + " AND (consumer_group = (unnest($3))))")
        .contains("Index Cond: ((shard = $1) AND (id = (unnest($2))))");
    assertThat(one + recent + several)
        .doesNotContain("Seq Scan", "Bitmap", "Index Cond: (shard = $1)\n");
  }

  private static String plan(PgConnection connection, String sql, String arguments) {
    await(connection.query("prepare looked as " + sql).execute());
    StringBuilder plan = new StringBuilder();
    for (Row row : await(connection.query("explain execute looked(" + arguments + ")").execute())) {
      plan.append(row.getString(0)).append('\n');
    }
    await(connection.query("deallocate looked").execute());
    return plan.toString();
  }

  @Test
  void encryptedQueue_isAnsweredAsByTheProcedures() {
    plain.configure("sealed", new JsonObject().put("leaseTime", 20));
    Lane lane = Lane.of(plain, "sealed");
    lane.queue("encryption_enabled = true, sealed_since = '-infinity'");

    // Plain though it had to be sealed: it is held, and the lease given back.
    PopOutcome.Served served = plain.pop(lane.request(9));

    assertThat(served.batches()).isEmpty();
    assertThat(served.passed())
        .extracting(SkippedPartition::reason)
        .containsExactly(SkippedPartition.Reason.PAUSED);
  }
}
