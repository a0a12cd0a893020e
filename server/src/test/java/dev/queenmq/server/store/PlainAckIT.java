package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Acks of whole leases are one plain statement, and whatever happens between a pop and its ack is
 * answered as by the procedures. Each case runs on a store with plain statements and on one
 * without, and both must answer alike, leave the same cursor and deliver the same next.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PlainAckIT {
  private static final String ONE = StatementFile.read("ack_range");
  private static final String SEVERAL = StatementFile.read("ack_ranges");
  private static final String BY_IDS = StatementFile.read("ack_by_ids");

  private TestStore plain;
  private TestStore procedures;

  /** Another broker's, with plain statements. */
  private TestStore other;

  PlainAckIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    plain = TestStore.migrated(database);
    procedures = plain.another(StoreOptions.defaults().withoutPlainStatements());
    other = plain.another();
  }

  @AfterAll
  void close() {
    plain.close();
    procedures.close();
    other.close();
  }

  /** A lease on three messages of two segments, and what may happen to it. */
  private record Scene(TestStore store, TestStore other, String queue, PartitionBatch batch) {
    static Scene of(TestStore store, TestStore other, String queue) {
      store.push(queue, "p", "a", "b");
      store.push(queue, "p", "c");
      Scene scene = new Scene(store, other, queue, store.pop(queue, "p", "g", 3).batches().get(0));
      store.push(queue, "p", "d");
      return scene;
    }

    Ack ack(String transactionId, AckStatus status) {
      return store.status(batch, "g", transactionId, status);
    }

    List<Ack> acks(String... transactionIds) {
      return Arrays.stream(transactionIds).map(id -> ack(id, AckStatus.COMPLETED)).toList();
    }

    List<AckOutcome> acked(String... transactionIds) {
      return await(store.store().ack(acks(transactionIds)));
    }

    void change(String set) {
      store
          .database()
          .query(
              "update queen.cursors set %s where partition_id = '%s' and consumer_group = 'g'"
                  .formatted(set, batch.partitionId()));
    }

    MessageKey message(String transactionId) {
      return new MessageKey(batch.partitionId(), transactionId);
    }

    void seek(Seek.Position to) {
      await(store.store().seek(new Seek(queue, Optional.empty(), "g", to)));
    }

    /** What is left of the lease and how far the group is, without ids and moments. */
    String cursor() {
      List<Row> rows =
          store
              .database()
              .query(
                  "select concat_ws(' ', committed, acked, lease_id is null, lease_expires_at is"
                      + " null, leased, not_before is null, coalesce(batch_cap, 0), coalesce("
                      + "lone_offset, -1), lone_deliveries, has_attempts, last_consumed_at is"
                      + " null, coalesce(redeliveries, '{}')) from queen.cursors c where"
                      + " partition_id = '"
                      + batch.partitionId()
                      + "' and consumer_group = 'g' and exists (select from queen.partitions p"
                      + " where p.shard = c.shard and p.id = c.partition_id)");
      return rows.isEmpty() ? "none" : rows.get(0).getString(0);
    }
  }

  static Stream<Arguments> disturbances() {
    Map<String, Consumer<Scene>> all = new LinkedHashMap<>();
    all.put("nothing", scene -> {});
    all.put("expired", scene -> scene.store.expireLeases());
    all.put(
        "expired and leased to another",
        scene -> {
          scene.store.expireLeases();
          scene.other.pop(scene.queue, "p", "g", 2);
        });
    all.put(
        "renewed",
        scene ->
            await(
                scene
                    .store
                    .store()
                    .renew(
                        List.of(
                            new Renewal(
                                scene.batch.lease().orElseThrow().id(), Duration.ofHours(1))))));
    all.put(
        "ended by an operator",
        scene -> await(scene.store.store().endLease(scene.batch.lease().orElseThrow().id())));
    all.put("moved to the end", scene -> scene.seek(new Seek.Position.End()));
    all.put(
        "moved to the start and leased to another",
        scene -> {
          scene.seek(new Seek.Position.After(Instant.EPOCH));
          assertThat(TestStore.transactionIds(scene.other.pop(scene.queue, "p", "g", 3)))
              .containsExactly("a", "b", "c");
        });
    all.put("moved to the start", scene -> scene.seek(new Seek.Position.After(Instant.EPOCH)));
    all.put(
        "group deleted",
        scene ->
            await(
                scene
                    .store
                    .store()
                    .deleteGroup(new GroupDeletion("g", Optional.of(scene.queue), true))));
    all.put(
        "first message deleted",
        scene -> await(scene.store.store().deleteMessage(scene.message("a"))));
    all.put(
        "last message deleted",
        scene -> await(scene.store.store().deleteMessage(scene.message("c"))));
    all.put(
        "message moved to the dead letters",
        scene ->
            await(
                scene
                    .store
                    .store()
                    .deadLetter(new DeadLettering(scene.message("b"), "g", Optional.empty()))));
    all.put(
        "first segment removed by retention",
        scene ->
            await(
                scene
                    .store
                    .store()
                    .dropSegments(scene.batch.partitionId(), Instant.now().plusSeconds(60), 2, 1)));
    all.put(
        "queue cleared", scene -> await(scene.store.store().clear(scene.queue, Optional.empty())));
    all.put(
        "partition deleted", scene -> await(scene.store.store().deletePartition(scene.queue, "p")));
    all.put(
        "queue deleted", scene -> await(scene.store.store().deleteQueues(List.of(scene.queue))));
    all.put("failed before", scene -> scene.change("has_attempts = true"));
    all.put("batches made smaller", scene -> scene.change("batch_cap = 3"));
    all.put("batches made a little smaller", scene -> scene.change("batch_cap = 1024"));
    all.put("batches nearly as large again", scene -> scene.change("batch_cap = 1025"));
    all.put("lease on less", scene -> scene.change("leased = '{[0,2)}'"));
    all.put("lease on more", scene -> scene.change("leased = '{[0,4)}'"));
    all.put("second acked elsewhere", scene -> await(scene.other.store().ack(scene.acks("b"))));
    all.put("first acked elsewhere", scene -> await(scene.other.store().ack(scene.acks("a"))));
    all.put("first acked here", scene -> scene.acked("a"));
    all.put("first two acked here", scene -> scene.acked("a", "b"));
    all.put("last acked here", scene -> scene.acked("c"));
    all.put("all acked here", scene -> scene.acked("a", "b", "c"));
    all.put(
        "all acked elsewhere", scene -> await(scene.other.store().ack(scene.acks("a", "b", "c"))));
    all.put(
        "first to come again",
        scene -> await(scene.store.store().ack(List.of(scene.ack("a", AckStatus.RETRY)))));
    all.put(
        "first failed",
        scene -> await(scene.store.store().ack(List.of(scene.ack("a", AckStatus.FAILED)))));
    return all.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("disturbances")
  void ack_isAnsweredAsByTheProcedures_whateverHappenedBefore(
      String name, Consumer<Scene> disturbance) {
    for (List<String> ids :
        List.of(
            List.of("a", "b", "c"),
            List.of("a"),
            List.of("a", "b"),
            List.of("b", "c"),
            List.of("c", "b", "a"),
            List.of("a", "a", "b", "c"),
            List.of("a", "b", "x"),
            List.of("a", "b", "c", "d"))) {
      String queue = name.replace(' ', '-') + String.join("", ids);
      List<String> expected =
          results(procedures, procedures, queue + "-2", disturbance, ids, false);
      assertThat(results(plain, plain, queue + "-1", disturbance, ids, false))
          .as("%s, then %s", name, ids)
          .isEqualTo(expected);
      assertThat(results(plain, other, queue + "-3", disturbance, ids, false))
          .as("%s, then %s at another broker", name, ids)
          .isEqualTo(expected);
    }
    String queue = name.replace(' ', '-') + "-beside";
    List<String> all = List.of("a", "b", "c");
    assertThat(results(plain, plain, queue + "-1", disturbance, all, true))
        .as("%s, then all, beside another lease", name)
        .isEqualTo(results(procedures, procedures, queue + "-2", disturbance, all, true));
  }

  private List<String> results(
      TestStore store,
      TestStore acking,
      String queue,
      Consumer<Scene> disturbance,
      List<String> ids,
      boolean besideAnother) {
    Scene scene = Scene.of(store, other, queue);
    List<Ack> acks = new ArrayList<>(scene.acks(ids.toArray(String[]::new)));
    if (besideAnother) {
      acks.addAll(Scene.of(store, other, queue + "-other").acks("a", "b", "c"));
    }
    disturbance.accept(scene);
    List<String> results = new ArrayList<>();
    await(acking.store().ack(acks))
        .forEach(outcome -> results.add(outcome.toString().replace(queue, "q")));
    results.add(scene.cursor());
    results.add(TestStore.transactionIds(store.pop(queue, "p", "g", 9)).toString());
    return results;
  }

  @Test
  void usualAck_isOnePlainStatement() {
    Scene scene = Scene.of(plain, other, "usual");
    plain.sent();

    assertThat(scene.acked("a", "b", "c"))
        .containsOnly(new AckOutcome.Applied("usual", "p", true, false));
    assertThat(plain.sent()).containsExactly(ONE);
  }

  @Test
  void acksInOrder_areOnePlainStatementEach() {
    Scene scene = Scene.of(plain, other, "one-by-one");
    plain.sent();

    assertThat(scene.acked("a")).containsOnly(applied("one-by-one", false));
    assertThat(scene.acked("b")).containsOnly(applied("one-by-one", false));
    assertThat(scene.acked("c")).containsOnly(applied("one-by-one", true));
    assertThat(plain.sent()).containsExactly(ONE, ONE, ONE);
  }

  @Test
  void acksInAnotherOrder_areTriedAtMostOnce() {
    Scene scene = Scene.of(plain, other, "other-order");
    plain.sent();

    assertThat(scene.acked("c")).containsOnly(applied("other-order", false));
    assertThat(scene.acked("a")).containsOnly(applied("other-order", false));
    assertThat(scene.acked("b")).containsOnly(applied("other-order", true));
    assertThat(plain.sent()).hasSize(4).startsWith(BY_IDS).noneMatch(ONE::equals);
  }

  @Test
  void acksAtAnotherBroker_areOnePlainStatementEach() {
    Scene scene = Scene.of(plain, other, "elsewhere");
    other.sent();

    assertThat(await(other.store().ack(scene.acks("a", "b"))))
        .containsExactly(applied("elsewhere", false), applied("elsewhere", false));
    assertThat(await(other.store().ack(scene.acks("c"))))
        .containsExactly(applied("elsewhere", true));
    assertThat(other.sent()).containsExactly(BY_IDS, BY_IDS);
  }

  @Test
  void acksInOrder_thatGoToAnotherBrokerEach_arePlainStatements() {
    Scene scene = Scene.of(plain, other, "in-turn");
    plain.sent();
    other.sent();

    assertThat(await(other.store().ack(scene.acks("a")))).containsOnly(applied("in-turn", false));
    assertThat(scene.acked("b")).containsOnly(applied("in-turn", false));
    assertThat(await(other.store().ack(scene.acks("c")))).containsOnly(applied("in-turn", true));
    assertThat(plain.sent()).containsExactly(BY_IDS);
    assertThat(other.sent()).containsExactly(BY_IDS, BY_IDS);
  }

  @Test
  void acksInAnotherOrderAtAnotherBroker_areTriedOnce() {
    Scene scene = Scene.of(plain, other, "other-order-elsewhere");
    other.sent();

    for (String id : List.of("c", "b", "a")) {
      assertThat(await(other.store().ack(scene.acks(id)))).noneMatch(AckOutcome::isLeaseLost);
    }
    assertThat(other.sent()).hasSize(4).startsWith(BY_IDS);
    assertThat(scene.cursor()).startsWith("3 {} t t {}");
  }

  @Test
  void acksOfManyLeases_areOnePlainStatement() {
    List<Scene> scenes = scenes("many");
    List<Ack> acks = new ArrayList<>();
    // Not sorted by cursor, and those of a lease not together.
    for (String id : List.of("a", "b", "c")) {
      scenes.forEach(scene -> acks.addAll(scene.acks(id)));
    }
    plain.sent();

    List<AckOutcome> outcomes = await(plain.store().ack(acks));

    assertThat(plain.sent()).containsExactly(SEVERAL);
    for (int i = 0; i < acks.size(); i++) {
      assertThat(outcomes.get(i)).isEqualTo(applied("many" + i % 10, true));
    }
    assertThat(scenes).allSatisfy(scene -> assertThat(scene.cursor()).startsWith("3 {} t t {}"));
  }

  @Test
  void oneLostLeaseAmongMany_leavesTheOthersToBeAcked() {
    List<Scene> scenes = scenes("lost");
    await(plain.store().endLease(scenes.get(4).batch.lease().orElseThrow().id()));
    List<Ack> acks = new ArrayList<>();
    scenes.forEach(scene -> acks.addAll(scene.acks("a", "b", "c")));
    plain.sent();

    List<AckOutcome> outcomes = await(plain.store().ack(acks));

    assertThat(plain.sent()).startsWith(SEVERAL).hasSizeGreaterThan(1);
    for (int i = 0; i < acks.size(); i++) {
      assertThat(outcomes.get(i).isLeaseLost()).as("ack %d", i).isEqualTo(i / 3 == 4);
    }
  }

  /** How many leases are acked, and at which broker. */
  private record Acking(String name, int leases, TestStore at) {}

  private List<Acking> ackings() {
    return List.of(
        new Acking("-one", 1, plain),
        new Acking("-three", 3, plain),
        new Acking("-elsewhere", 1, other));
  }

  /** The row is another version than the statement has seen, once it has waited for its lock. */
  @Test
  void leaseThatIsRenewedMeanwhile_isAcked() {
    for (Acking acking : ackings()) {
      int leases = acking.leases();
      List<Scene> scenes = scenes("renewed" + acking.name()).subList(0, leases);
      List<AckOutcome> outcomes =
          whileLocked(
              acking.at(), scenes, 0, "lease_expires_at = lease_expires_at + interval '1 hour'");

      assertThat(outcomes).hasSize(3 * leases).noneMatch(AckOutcome::isLeaseLost);
      assertThat(scenes).allSatisfy(scene -> assertThat(scene.cursor()).startsWith("3 {} t t {}"));
    }
  }

  @Test
  void leaseThatEndsMeanwhile_isLost_andTheOthersAreAcked() {
    for (Acking acking : ackings()) {
      int leases = acking.leases();
      List<Scene> scenes = scenes("ended" + acking.name()).subList(0, leases);
      List<AckOutcome> outcomes =
          whileLocked(
              acking.at(),
              scenes,
              leases - 1,
              "lease_id = null, lease_expires_at = null, leased = '{}'");

      for (int i = 0; i < outcomes.size(); i++) {
        assertThat(outcomes.get(i).isLeaseLost()).as("ack %d", i).isEqualTo(i / 3 == leases - 1);
      }
      assertThat(scenes.get(leases - 1).cursor()).startsWith("0 {}");
    }
  }

  @Test
  void firstMessageAckedElsewhereMeanwhile_countsOnce() {
    for (Acking acking : ackings()) {
      int leases = acking.leases();
      List<Scene> scenes = scenes("meanwhile" + acking.name()).subList(0, leases);
      List<AckOutcome> outcomes = whileLocked(acking.at(), scenes, 0, "committed = committed + 1");

      assertThat(outcomes).hasSize(3 * leases).noneMatch(AckOutcome::isLeaseLost);
      assertThat(scenes).allSatisfy(scene -> assertThat(scene.cursor()).startsWith("3 {} t t {}"));
    }
  }

  @Test
  void lostReply_isAnsweredAsTheLeaseIs() {
    AtomicBoolean losing = new AtomicBoolean();
    PgConnection connection = plain.database().connectStore();
    StoreClient line = StoreClient.of(connection);
    MessageStore store =
        new MessageStore(
            plain.database().vertx().getOrCreateContext(),
            (sql, arguments) ->
                line.call(sql, arguments)
                    .compose(
                        rows ->
                            losing.get()
                                ? Future.failedFuture(ClosedConnectionException.INSTANCE)
                                : Future.succeededFuture(rows)),
            StoreOptions.defaults(),
            42,
            InstantSource.system(),
            System::nanoTime);
    plain.push("reply", "p", "a", "b", "c");
    PopRequest request =
        new PopRequest(new PopTarget.Named("reply", "p"), "g", 3, 1, false, new Subscription.All());
    PartitionBatch batch =
        ((PopOutcome.Served) await(store.pop(List.of(request))).get(0)).batches().get(0);
    List<Ack> acks =
        Stream.of("a", "b", "c")
            .map(id -> plain.status(batch, "g", id, AckStatus.COMPLETED))
            .toList();

    losing.set(true);
    assertThat(failureOf(store.ack(acks))).isInstanceOf(StoreException.class);
    losing.set(false);

    assertThat(await(store.ack(acks))).hasSize(3).allMatch(AckOutcome::isLeaseLost);
    assertThat(TestStore.transactionIds(plain.pop("reply", "p", "g", 3))).isEmpty();
    await(connection.close());
  }

  @Test
  void leaseOverSeveralPartitions_isLeftToTheProcedure() {
    plain.push("wide", "p0", "a");
    plain.push("wide", "p1", "b");
    List<UUID> ids =
        plain
            .database()
            .query(
                "select p.id from queen.partitions p join queen.queues q on q.id ="
                    + " p.queue_id where q.name = 'wide' order by p.name")
            .stream()
            .map(row -> row.getUUID(0))
            .toList();
    PopOutcome.Served served =
        plain.pop(
            new PopRequest(
                new PopTarget.Candidates(Optional.of("wide"), ids),
                "g",
                10,
                2,
                false,
                new Subscription.All()));
    List<Ack> acks = new ArrayList<>();
    for (PartitionBatch batch : served.batches()) {
      batch
          .messages()
          .forEach(m -> acks.add(plain.status(batch, "g", m.transactionId(), AckStatus.COMPLETED)));
    }
    assertThat(served.batches()).extracting(b -> b.lease().orElseThrow().id()).hasSize(2);
    plain.sent();

    assertThat(await(plain.store().ack(acks)))
        .hasSize(2)
        .allMatch(AckOutcome.Applied.class::isInstance);
    assertThat(plain.sent()).hasSize(1).noneMatch(SEVERAL::equals);
  }

  @Test
  void partOfALeaseOverSeveralPartitions_leavesItsOtherPartitionsAlone() {
    plain.push("shared", "p0", "a");
    plain.push("shared", "p1", "b", "c", "d");
    List<UUID> ids =
        plain
            .database()
            .query(
                "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                    + " where q.name = 'shared' order by p.name")
            .stream()
            .map(row -> row.getUUID(0))
            .toList();
    PopOutcome.Served both =
        plain.pop(
            new PopRequest(
                new PopTarget.Candidates(Optional.of("shared"), ids),
                "g",
                10,
                2,
                false,
                new Subscription.All()));
    PartitionBatch first = both.batches().get(0);
    PartitionBatch beside = plain.pop("shared", "p1", "h", 3).batches().get(0);
    List<Ack> acks = new ArrayList<>();
    acks.add(plain.status(first, "g", "a", AckStatus.COMPLETED));
    for (String id : List.of("b", "c", "d")) {
      acks.add(plain.status(beside, "h", id, AckStatus.COMPLETED));
    }
    assertThat(both.batches()).hasSize(2);

    assertThat(await(plain.store().ack(acks))).hasSize(4).noneMatch(AckOutcome::isLeaseLost);

    assertThat(
            plain
                .database()
                .query(
                    "select c.consumer_group || c.committed || c.leased from queen.cursors c where"
                        + " c.partition_id = '"
                        + ids.get(1)
                        + "' order by 1"))
        .extracting(row -> row.getString(0))
        .containsExactly("g0{[0,3)}", "h3{}");
  }

  /** The lease begins in the middle of a segment, and has as many messages as the segment. */
  @Test
  void acksOfTheSegmentInsteadOfTheLease_completeNoMessageThatTheyDoNotName() {
    for (TestStore store : List.of(plain, procedures)) {
      String name = store == plain ? "middle-plain" : "middle-procedures";
      List<Ack> acks = new ArrayList<>();
      for (String queue : List.of(name, name + "-2")) {
        store.push(queue, "p", "a", "b", "c");
        store.push(queue, "p", "d");
        PartitionBatch first = store.pop(queue, "p", "g", 1).batches().get(0);
        await(store.store().ack(List.of(store.status(first, "g", "a", AckStatus.COMPLETED))));
        PartitionBatch rest = store.pop(queue, "p", "g", 3).batches().get(0);
        List<Ack> own =
            Stream.of("a", "b", "c")
                .map(id -> store.status(rest, "g", id, AckStatus.COMPLETED))
                .toList();
        if (queue.equals(name)) {
          assertThat(await(store.store().ack(own))).hasSize(3); // one cursor in the call
        } else {
          acks.addAll(own);
        }
      }
      String other = name + "-3";
      store.push(other, "p", "e");
      PartitionBatch beside = store.pop(other, "p", "g", 1).batches().get(0);
      acks.add(store.status(beside, "g", "e", AckStatus.COMPLETED));
      assertThat(await(store.store().ack(acks))).hasSize(4); // two cursors in the call

      store.expireLeases();
      for (String queue : List.of(name, name + "-2")) {
        assertThat(store.pop(queue, "p", "g", 3).batches().get(0).messages())
            .extracting(StoredMessage::transactionId)
            .containsExactly("d");
      }
    }
  }

  /** Made once for a session, perhaps while there is nothing, and kept when there is much. */
  @Test
  void plans_goThroughTheWholeKey_withAndWithoutStatistics() {
    assertPlans();
    plain
        .database()
        .query(
            "insert into queen.cursors (shard, partition_id, consumer_group, committed)"
                + " select 0, gen_random_uuid(), 'g', 0 from generate_series(1, 20000)");
    assertPlans();
    plain.database().query("analyze queen.cursors");
    assertPlans();
  }

  private void assertPlans() {
    PgConnection connection = plain.database().connectStore();
    assertThat(
            plan(
                connection,
                ONE,
                "0::smallint, gen_random_uuid(), 'g', gen_random_uuid(), 0, 3, 0, 3"))
        .contains("cursors_pkey", "partitions_pkey")
        .contains("Index Cond: ((shard = $1) AND (partition_id = $2) AND (consumer_group = $3))");
    assertThat(
            plan(
                connection,
                BY_IDS,
                "0::smallint, gen_random_uuid(), 'g', gen_random_uuid(), array['a', 'b']"))
        .contains("cursors_pkey", "partitions_pkey", "segments_pkey", "queues_pkey")
        .contains("Index Cond: ((shard = $1) AND (partition_id = $2) AND (consumer_group = $3))")
        .doesNotContain("Hash", "Merge", "Seq Scan", "Bitmap");
    String several =
        plan(
            connection,
            SEVERAL,
            "0::smallint, array[gen_random_uuid(), gen_random_uuid()], array['g', 'g'],"
                + " array[gen_random_uuid(), gen_random_uuid()], array[0, 0], array[3, 3],"
                + " array[0, 0], array[3, 3]");
    assertThat(several)
        .contains("Index Cond: ((shard = $1) AND (partition_id = ANY ($2)))")
        .contains(
            "Index Cond: ((shard = $1) AND (partition_id = (unnest($2)))"
                + " AND (consumer_group = (unnest($3))))")
        .doesNotContain("Hash", "Merge", "Seq Scan", "Bitmap", "Index Cond: (shard = $1)\n");
    await(connection.close());
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

  private static AckOutcome.Applied applied(String queue, boolean released) {
    return new AckOutcome.Applied(queue, "p", released, false);
  }

  private List<Scene> scenes(String queue) {
    return IntStream.range(0, 10).mapToObj(i -> Scene.of(plain, other, queue + i)).toList();
  }

  /** Acks whole leases, one of whose cursors changes while the statement waits for its lock. */
  private List<AckOutcome> whileLocked(TestStore at, List<Scene> scenes, int locked, String set) {
    PgConnection holder = plain.database().connect();
    await(holder.query("begin").execute());
    await(
        holder
            .query(
                "update queen.cursors set %s where partition_id = '%s' and consumer_group = 'g'"
                    .formatted(set, scenes.get(locked).batch.partitionId()))
            .execute());
    List<Ack> acks = new ArrayList<>();
    scenes.forEach(scene -> acks.addAll(scene.acks("a", "b", "c")));
    at.sent();
    Future<List<AckOutcome>> outcomes = at.store().ack(acks);
    at.awaitLockWait();
    await(holder.query("commit").execute());
    await(holder.close());
    List<AckOutcome> all = await(outcomes);
    String statement = at == other ? BY_IDS : scenes.size() == 1 ? ONE : SEVERAL;
    assertThat(at.sent()).startsWith(statement);
    return all;
  }
}
