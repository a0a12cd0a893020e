package dev.queenmq.server.store.push;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.AckStatus;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoredMessage;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.PopPause;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.TestPoll;
import dev.queenmq.server.store.TestStore;
import dev.queenmq.server.store.call.StatementFile;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
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
 * A push that serves a poll does to the cursor what a pop right after it does, or nothing, in each
 * state of cursor and queue; and the push is stored in any case.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HandoverIT {
  private static final String HANDED = StatementFile.read("push_and_lease");
  private static final int MOST_ATTEMPTS = 10;

  private TestStore plain;
  private TestStore procedures;

  HandoverIT() {}

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

  /**
   * A push that is served to this poll. On a machine that is busy it may take longer than it may to
   * lease something; then another one is made.
   */
  private Lane served(String queue, TestPoll poll, Function<Lane, List<Message>> messages) {
    Lane lane;
    int attempt = 0;
    do {
      lane = Lane.of(plain, queue + attempt++);
      await(plain.store().push(messages.apply(lane), poll));
    } while (poll.served().isEmpty() && attempt < MOST_ATTEMPTS);
    return lane;
  }

  private static TestPoll poll(int batch) {
    return new TestPoll(
        new PopRequest(
            new PopTarget.Candidates(Optional.empty(), List.of()),
            "g",
            batch,
            1,
            false,
            new Subscription.All()));
  }

  /** A partition with three messages, all of which the group has done. */
  private record Lane(TestStore store, String queue, UUID id) {
    static Lane of(TestStore store, String queue) {
      store.push(queue, "p", "a", "b");
      store.push(queue, "p", "c");
      PartitionBatch batch = store.pop(queue, "p", "g", 9).batches().get(0);
      for (String id : List.of("a", "b", "c")) {
        store.ack(batch, "g", id, AckStatus.COMPLETED);
      }
      // The plain statement needs to know the whole window.
      store.push(queue, "other", "x");
      store.sent();
      return new Lane(store, queue, batch.partitionId());
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

    List<Message> messages(String... ids) {
      return Stream.of(ids).map(id -> store.message(queue, "p", id)).toList();
    }

    List<PushOutcome> push(WaitingPolls polls, String... ids) {
      return await(store.store().push(messages(ids), polls));
    }

    /** The cursor without ids and moments, and where the partition ends. */
    String cursor() {
      List<Row> rows =
          store
              .database()
              .query(
                  "select concat_ws(' ', p.next_offset, committed, acked, lease_id is null,"
                      + " round(extract(epoch from lease_expires_at - clock_timestamp()) / 30),"
                      + " leased, not_before is null, coalesce(batch_cap, 0), coalesce(lone_offset,"
                      + " -1), lone_deliveries, has_attempts, last_consumed_at is null, leased_at"
                      + " is null, lease_holder, coalesce(redeliveries, '{}')) from"
                      + " queen.partitions p left join queen.cursors c on c.shard = p.shard and"
                      + " c.partition_id = p.id and consumer_group = 'g' where p.id = '"
                      + id
                      + "'");
      return rows.get(0).getString(0);
    }
  }

  static Stream<Arguments> states() {
    Map<String, Consumer<Lane>> served = new LinkedHashMap<>();
    served.put("usual", lane -> {});
    served.put("another alone", lane -> lane.cursor("lone_offset = 2, lone_deliveries = 2"));
    served.put("no ttl", lane -> lane.queue("ttl = 0"));
    Map<String, Consumer<Lane>> unserved = new LinkedHashMap<>();
    unserved.put("behind", lane -> lane.cursor("committed = 2"));
    unserved.put(
        "leased",
        lane -> {
          lane.cursor("committed = 2");
          lane.store.pop(lane.queue, "p", "g", 1);
        });
    unserved.put(
        "leased at the end",
        lane ->
            lane.cursor(
                "lease_id = gen_random_uuid(), lease_expires_at = clock_timestamp() + interval"
                    + " '1 hour'"));
    unserved.put(
        "lease expired",
        lane -> {
          lane.cursor("committed = 2");
          lane.store.pop(lane.queue, "p", "g", 1);
          lane.store.expireLeases();
        });
    unserved.put("smaller batches", lane -> lane.cursor("batch_cap = 2"));
    unserved.put("delivered before", lane -> lane.cursor("redeliveries = '{4,1}'"));
    unserved.put(
        "to be delivered later",
        lane -> lane.cursor("not_before = clock_timestamp() + interval '1 hour'"));
    unserved.put("delivered alone", lane -> lane.cursor("lone_offset = 3, lone_deliveries = 1"));
    unserved.put(
        "paused",
        lane ->
            await(
                lane.store
                    .store()
                    .pause(new PopPause(lane.queue, Optional.empty(), true, Optional.empty()))));
    unserved.put("group paused", lane -> lane.queue("pauses = '{\"g\": {}}'"));
    unserved.put("delayed", lane -> lane.queue("delayed_processing = 3600"));
    unserved.put("window", lane -> lane.queue("window_buffer = 3600"));
    unserved.put("young enough", lane -> lane.queue("ttl = 3600"));
    unserved.put("of the older form", lane -> lane.queue("bound_since = clock_timestamp()"));
    unserved.put("default lease time", lane -> lane.queue("lease_time = 0"));
    unserved.put(
        "group deleted",
        lane ->
            await(
                lane.store
                    .store()
                    .deleteGroup(new GroupDeletion("g", Optional.of(lane.queue), true))));
    unserved.put("encrypted by now", lane -> lane.queue("encryption_enabled = true"));
    return Stream.concat(
        served.entrySet().stream().map(each -> Arguments.of(each.getKey(), each.getValue(), true)),
        unserved.entrySet().stream()
            .map(each -> Arguments.of(each.getKey(), each.getValue(), false)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("states")
  void lease_isThatOfAPopRightAfterThePush(String name, Consumer<Lane> state, boolean served) {
    for (int batch : List.of(1, 2, 100)) {
      TestPoll poll = poll(batch);
      Lane lane;
      String before;
      List<PushOutcome> outcomes;
      int attempt = 0;
      do {
        poll.events().clear();
        lane = Lane.of(plain, name.replace(' ', '-') + batch + "-" + attempt++);
        state.accept(lane);
        before = lane.cursor();
        outcomes = lane.push(poll, "d", "ü😀");
      } while (served && poll.served().isEmpty() && attempt < MOST_ATTEMPTS);

      assertThat(poll.events()).containsExactly("claimed", served ? "served" : "unserved");
      if (!served) {
        if (name.startsWith("encrypted")) {
          // There is no key here, as a push without a poll finds as well.
          assertThat(outcomes).hasOnlyElementsOfType(PushOutcome.KeyMissing.class);
          continue;
        }
        assertThat(lane.cursor()).isEqualTo(before.replaceFirst("^3", "5"));
        assertThat(outcomes)
            .extracting(each -> ((PushOutcome.Queued) each).leasedTo())
            .containsOnlyNulls();
        continue;
      }
      assertThat(outcomes)
          .extracting(each -> ((PushOutcome.Queued) each).leasedTo())
          .containsOnly("g");
      Lane other = Lane.of(procedures, name.replace(' ', '-') + batch + "-popped");
      state.accept(other);
      other.store.push(other.queue, "p", "d", "ü😀");
      PartitionBatch popped = other.store.pop(other.queue, "p", "g", batch).batches().get(0);
      assertThat(lane.cursor()).isEqualTo(other.cursor());
      assertThat(poll.batch().backlog()).isEqualTo(popped.backlog());
      assertThat(poll.batch().messages())
          .extracting(StoredMessage::offset, StoredMessage::payload)
          .isEqualTo(
              popped.messages().stream()
                  .map(each -> tuple(each.offset(), each.payload()))
                  .toList());
    }
  }

  @Test
  void messages_areThoseThatPostgreSqlHas() {
    TestPoll poll = poll(100);

    Lane lane =
        served(
            "stored",
            poll,
            to ->
                List.of(
                    new Message(
                        to.queue,
                        "p",
                        plain.nextId(),
                        "ä 😀",
                        "{\"a\" : 1.0}",
                        UUID.randomUUID(),
                        "sub",
                        false),
                    plain.message(to.queue, "p", "d")));

    assertThat(plain.sent()).containsExactly(HANDED);
    List<StoredMessage> stored =
        procedures.pop(lane.queue, "p", "another", 100).batches().get(0).messages();
    assertThat(poll.batch().messages()).isEqualTo(stored.subList(3, 5));
    assertThat(poll.batch().queue()).isEqualTo(lane.queue);
    assertThat(poll.batch().partition()).isEqualTo("p");
    assertThat(poll.batch().partitionId()).isEqualTo(lane.id);
  }

  @Test
  void lease_isRememberedForItsAck() {
    TestPoll poll = poll(100);
    Lane lane = served("acked", poll, to -> to.messages("d"));
    plain.sent();

    AckOutcome outcome = plain.ack(poll.batch(), "g", "d", AckStatus.COMPLETED);

    assertThat(outcome).isInstanceOf(AckOutcome.Applied.class);
    assertThat(plain.sent()).containsExactly(StatementFile.read("ack_range"));
    assertThat(plain.pop(lane.queue, "p", "g", 9).batches()).isEmpty();
  }

  @Test
  void leaseThatIsNotAcked_expires() {
    Lane lane = served("expires", poll(100), to -> to.messages("d"));
    assertThat(plain.pop(lane.queue, "p", "g", 9).batches()).isEmpty();

    plain.expireLeases();

    PopOutcome.Served again = plain.pop(lane.queue, "p", "g", 9);
    assertThat(TestStore.transactionIds(again)).containsExactly("d");
    assertThat(again.batches().get(0).messages().get(0).attempt()).isEqualTo(2);
  }

  /** A condition that one of the two lacked would depend on whether a poll waits. */
  @Test
  void push_isThatOfTheStatementWithoutAPoll() {
    String one = StatementFile.read("push_one");
    String push =
        one.substring(one.indexOf("with u as"), one.lastIndexOf("select u.last_append_at"));

    assertThat(push).contains("queen.push_fences", "insert into queen.tail");
    assertThat(HANDED).contains(push.strip());
  }

  @Test
  void pushToSeveralPartitions_claimsNoPoll() {
    Lane lane = Lane.of(plain, "several");
    TestPoll poll = poll(100);

    await(
        plain
            .store()
            .push(
                List.of(
                    plain.message(lane.queue, "p", "d"), plain.message(lane.queue, "other", "e")),
                poll));

    assertThat(poll.events()).isEmpty();
  }

  @Test
  void largePush_claimsNoPoll() {
    Lane lane = Lane.of(plain, "large");
    TestPoll poll = poll(100);
    String payload = "\"" + "x".repeat(300 << 10) + "\"";

    await(
        plain
            .store()
            .push(List.of(Message.of(lane.queue, "p", plain.nextId(), "d", payload)), poll));

    assertThat(poll.events()).isEmpty();
    assertThat(TestStore.transactionIds(plain.pop(lane.queue, "p", "g", 9))).containsExactly("d");
  }

  @Test
  void otherStores_claimNoPoll() {
    Lane lane = Lane.of(procedures, "procedures");
    TestPoll poll = poll(100);

    lane.push(poll, "d");

    assertThat(poll.events()).isEmpty();
  }

  /** Another broker has appended: the statement finds another end, and the procedure appends. */
  @Test
  void pushThatMisses_leasesNothing() {
    Lane lane = Lane.of(plain, "missed");
    procedures.push(lane.queue, "p", "theirs");
    TestPoll poll = poll(100);

    List<PushOutcome> outcomes = lane.push(poll, "d");

    assertThat(poll.events()).containsExactly("claimed", "unserved");
    assertThat(((PushOutcome.Queued) outcomes.get(0)).offset()).isEqualTo(4);
    assertThat(((PushOutcome.Queued) outcomes.get(0)).leasedTo()).isNull();
    assertThat(TestStore.transactionIds(plain.pop(lane.queue, "p", "g", 9)))
        .containsExactly("theirs", "d");
  }

  @Test
  void lockedCursor_isNotWaitedFor() {
    Lane lane = Lane.of(plain, "locked");
    PgConnection holder = plain.database().connect();
    await(holder.query("begin").execute());
    await(
        holder
            .query("select from queen.cursors where partition_id = '" + lane.id + "' for update")
            .execute());
    TestPoll poll = poll(100);

    List<PushOutcome> outcomes = lane.push(poll, "d");
    await(holder.query("rollback").execute());
    await(holder.close());

    assertThat(poll.events()).containsExactly("claimed", "unserved");
    assertThat(outcomes).hasOnlyElementsOfType(PushOutcome.Queued.class);
    assertThat(TestStore.transactionIds(plain.pop(lane.queue, "p", "g", 9))).containsExactly("d");
  }

  /** It has read the queue's options before it waited. */
  @Test
  void pushThatHasWaitedForALock_leasesNothing() {
    Lane lane = Lane.of(plain, "waited");
    PgConnection holder = plain.database().connect();
    await(holder.query("begin").execute());
    await(
        holder
            .query("select from queen.partitions where id = '" + lane.id + "' for update")
            .execute());
    TestPoll poll = poll(100);
    Future<List<PushOutcome>> pushed = plain.store().push(lane.messages("d"), poll);
    plain.awaitLockWait();
    lane.queue("pauses = '{\"\": {}}'");
    await(holder.query("select pg_sleep(0.11)").execute());

    await(holder.query("rollback").execute());
    await(holder.close());

    assertThat(await(pushed)).hasOnlyElementsOfType(PushOutcome.Queued.class);
    assertThat(plain.sent()).containsExactly(HANDED);
    assertThat(poll.events()).containsExactly("claimed", "unserved");
    lane.queue("pauses = null");
    assertThat(TestStore.transactionIds(plain.pop(lane.queue, "p", "g", 9))).containsExactly("d");
  }

  /** The commit happened, and the answer was lost: whoever asked knows what to give back. */
  @Test
  void lostReply_namesTheLeaseThatMayExist() {
    Lane lane = Lane.of(plain, "lost");
    PgConnection connection = plain.database().connectStore();
    StoreClient line = StoreClient.of(connection);
    MessageStore store =
        new MessageStore(
            plain.database().vertx().getOrCreateContext(),
            (sql, arguments) ->
                sql.equals(HANDED)
                    ? line.call(sql, arguments)
                        .compose(rows -> Future.failedFuture(ClosedConnectionException.INSTANCE))
                    : line.call(sql, arguments),
            StoreOptions.defaults(),
            42,
            InstantSource.system(),
            System::nanoTime);
    // The partition has to be known.
    await(store.push(lane.messages("d")));
    PartitionBatch before = plain.pop(lane.queue, "p", "g", 9).batches().get(0);
    plain.ack(before, "g", "d", AckStatus.COMPLETED);
    TestPoll poll = poll(100);

    Future<List<PushOutcome>> pushed = store.push(lane.messages("e"), poll);
    assertThat(await(pushed.otherwise(List.of()))).isEmpty();

    assertThat(poll.events()).containsExactly("claimed", "unknown");
    assertThat(plain.pop(lane.queue, "p", "g", 9).batches()).isEmpty();
    assertThat(plain.ack(poll.batch(), "g", "e", AckStatus.RETRY))
        .isInstanceOf(AckOutcome.Applied.class);
    assertThat(TestStore.transactionIds(plain.pop(lane.queue, "p", "g", 9))).containsExactly("e");
    await(connection.close());
  }
}
