package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.Redrive;
import dev.queenmq.server.model.admin.RemovalOutcome;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is hidden stays hidden, whatever happens at the same moment. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HiddenMessagesIT {
  private TestStore store;

  HiddenMessagesIT() {}

  @BeforeAll
  void open(TestDatabase database) {
    store = TestStore.migrated(database);
  }

  @AfterAll
  void close() {
    store.close();
  }

  @Test
  void deletion_waitsForAGroupThatIsJustComing_andReachesIt() {
    UUID id = pushed("coming", "a", "b");
    whileAGroupComes(
        id, "late", running -> running.deleteMessage(new MessageKey(id, "a")).mapEmpty());

    assertThat(TestStore.transactionIds(store.pop("coming", "p", "late", 9))).containsExactly("b");
  }

  @Test
  void redrive_waitsForAGroupThatIsJustComing_andStaysHiddenFromIt() {
    UUID id = pushed("redriven", "a", "b");
    PartitionBatch batch = store.pop("redriven", "p", "g", 2).batches().get(0);
    store.ack(batch, "g", "a", AckStatus.DLQ);
    store.ack(batch, "g", "b", AckStatus.COMPLETED);
    whileAGroupComes(
        id,
        "late",
        running ->
            running
                .redrive(new Redrive.OneMessage(new MessageKey(id, "a"), Optional.empty()))
                .mapEmpty());

    assertThat(TestStore.transactionIds(store.pop("redriven", "p", "late", 9)))
        .containsExactly("a", "b");
    assertThat(TestStore.transactionIds(store.pop("redriven", "p", "g", 9))).containsExactly("a");
  }

  @Test
  void group_thatComesWhileAMessageIsHidden_waits_andDoesNotGetIt() {
    UUID id = pushed("hiding", "a", "b");
    PgConnection other = store.database().connect();
    await(other.query("begin").execute());
    await(
        other
            .query("select * from queen.delete_message_v1(0::smallint, '" + id + "', 'a', 100)")
            .execute());
    Future<List<PopOutcome>> pop =
        store
            .store()
            .pop(
                List.of(
                    new PopRequest(
                        new PopTarget.Named("hiding", "p"),
                        "late",
                        9,
                        1,
                        false,
                        new Subscription.All())));
    awaitBlocked(pop);
    await(other.query("commit").execute());
    await(other.close());

    assertThat(TestStore.transactionIds((PopOutcome.Served) await(pop).get(0)))
        .containsExactly("b");
  }

  /** A group's cursor is made by a transaction that commits after the call has begun. */
  private void whileAGroupComes(
      UUID partitionId, String group, Function<MessageStore, Future<Void>> call) {
    PgConnection other = store.database().connect();
    await(other.query("begin").execute());
    await(
        other
            .query(
                "select queen.open_cursors_v1(0::smallint, array['"
                    + partitionId
                    + "'::uuid], array['"
                    + group
                    + "'])")
            .execute());
    Future<Void> running = call.apply(store.store());
    awaitBlocked(running);
    await(other.query("commit").execute());
    await(other.close());
    await(running);
  }

  private void awaitBlocked(Future<?> call) {
    Awaitility.await()
        .until(
            () ->
                call.isComplete()
                    || (Long)
                            store
                                .database()
                                .value(
                                    "select count(*) from pg_stat_activity"
                                        + " where wait_event_type = 'Lock'"
                                        + " and datname = current_database()")
                        > 0);
  }

  @Test
  void deletedIds_areFree_forABrokerThatRemembersThem_andForOneThatReadsThem() {
    UUID id = pushed("ids", IntStream.range(0, 30).mapToObj(i -> "t" + i).toArray(String[]::new));
    await(store.store().deleteMessage(new MessageKey(id, "t3")));
    await(store.store().deleteMessage(new MessageKey(id, "t29")));

    assertThat(store.push("ids", "p", "t3").get(0)).isInstanceOf(PushOutcome.Queued.class);
    // Has to read the ids, and more of them than a push may compare.
    try (TestStore other =
        store.another(new StoreOptions((short) 0, 256, 100_000, 5, 10, 1000, 1 << 20, true))) {
      assertThat(other.push("ids", "p", "t29", "t3", "t28"))
          .extracting(outcome -> outcome instanceof PushOutcome.Queued)
          .containsExactly(true, false, false);
    }
    assertThat(store.push("ids", "p", "t29").get(0)).isInstanceOf(PushOutcome.Duplicate.class);
  }

  @Test
  void clear_removesEverySegment_alsoVeryManyOfThem() {
    int messages = 4500;
    try (TestStore small =
        store.another(new StoreOptions((short) 0, 1, 100_000, 20_000, 10, 10_000, 1 << 20, true))) {
      small.push(
          "large", "p", IntStream.range(0, messages).mapToObj(i -> "t" + i).toArray(String[]::new));
    }

    assertThat(await(store.store().clear("large", Optional.empty())))
        .isEqualTo(new RemovalOutcome.Removed(messages, List.of()));

    assertThat(segments("large")).isZero();
    store.push("large", "p", "t1");
    assertThat(TestStore.transactionIds(store.pop("large", "p", "g", 9))).containsExactly("t1");
  }

  @Test
  void clear_thatWasInterrupted_isFinishedByRetention() {
    UUID id = pushed("half", "a", "b");
    store
        .database()
        .query("update queen.partitions set first_offset = next_offset where id = '" + id + "'");
    store.push("half", "p", "c");

    long dropped = await(store.store().dropSegments(id, Instant.EPOCH, Long.MAX_VALUE, 10));

    assertThat(dropped).isZero();
    assertThat(segments("half")).isEqualTo(1);
    assertThat(TestStore.transactionIds(store.pop("half", "p", "g", 9))).containsExactly("c");
  }

  @Test
  void clear_thatWasInterrupted_isFinishedByRetention_inSteps() {
    UUID id = interruptedClear("steps", "a", "b", "c");
    store.push("steps", "p", "d");

    assertThat(dropped(id, "infinity", 2)).isEqualTo("0 true");
    assertThat(segments("steps")).isEqualTo(2);
    assertThat(dropped(id, "-infinity", 2)).isEqualTo("0 false");
    assertThat(segments("steps")).isEqualTo(1);
    assertThat(dropped(id, "infinity", 2)).isEqualTo("1 false");
    assertThat(segments("steps")).isZero();
  }

  @Test
  void clear_thatWasInterrupted_isFinishedByTheNextOne() {
    interruptedClear("repeated", "a", "b");

    assertThat(await(store.store().clear("repeated", Optional.empty())))
        .isEqualTo(new RemovalOutcome.Removed(0, List.of()));

    assertThat(segments("repeated")).isZero();
  }

  /** This broker remembers the ids, and a clear through another one does not tell it. */
  @Test
  void clear_thatWasInterrupted_freesTheIds() {
    interruptedClear("freed", "a", "b");

    assertThat(store.push("freed", "p", "a", "b", "c"))
        .allMatch(PushOutcome.Queued.class::isInstance);
    assertThat(store.push("freed", "p", "a").get(0)).isInstanceOf(PushOutcome.Duplicate.class);
    assertThat(TestStore.transactionIds(store.pop("freed", "p", "g", 9)))
        .containsExactly("a", "b", "c");
  }

  /** A segment for each message, and a clear that ended before it had removed any. */
  private UUID interruptedClear(String queue, String... transactionIds) {
    UUID id = pushed(queue, transactionIds[0]);
    for (String transactionId : List.of(transactionIds).subList(1, transactionIds.length)) {
      store.push(queue, "p", transactionId);
    }
    store
        .database()
        .query("select queen.clear_v1(0::smallint, '" + queue + "', null, null, 100, 0)");
    assertThat(segments(queue)).isEqualTo(transactionIds.length);
    return id;
  }

  /** How many messages retention removes, and whether more should be. */
  private Object dropped(UUID id, String before, int limit) {
    return store
        .database()
        .value(
            ("select d.o_messages[1] || ' ' || d.o_more[1] from queen.drop_segments_v1("
                    + "0::smallint, array['%s'::uuid], array['%s'::timestamptz],"
                    + " array[9223372036854775807], %d) d")
                .formatted(id, before, limit));
  }

  @Test
  void whatWasHidden_goesWithItsSegments() {
    UUID id = pushed("old", "a");
    await(store.store().deleteMessage(new MessageKey(id, "a")));

    await(store.store().dropSegments(id, Instant.now().plusSeconds(60), Long.MAX_VALUE, 10));

    assertThat(
            store
                .database()
                .value("select count(*) from queen.hidden where partition_id = '" + id + "'"))
        .isEqualTo(0L);
  }

  @Test
  void answersOfRedrives_areForgottenAfterADay() {
    store
        .database()
        .query(
            "insert into queen.redrives values"
                + " (0, gen_random_uuid(), 'old', now() - interval '25 hours', 1, 0),"
                + " (0, gen_random_uuid(), 'young', now() - interval '23 hours', 1, 0)");

    await(store.store().trimAnswers());

    assertThat(store.database().value("select string_agg(request_id, ',') from queen.redrives"))
        .isEqualTo("young");
  }

  private long segments(String queue) {
    return (Long)
        store
            .database()
            .value(
                "select count(*) from queen.segments s join queen.partitions p on p.id ="
                    + " s.partition_id join queen.queues q on q.id = p.queue_id where q.name = '"
                    + queue
                    + "'");
  }

  private UUID pushed(String queue, String... transactionIds) {
    return ((PushOutcome.Queued) store.push(queue, "p", transactionIds).get(0)).partitionId();
  }
}
