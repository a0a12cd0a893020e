package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.OldForm;
import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.MessageKey;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.model.admin.DeadLettering;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.QueueOptions;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import dev.queenmq.server.store.upkeep.ResealStep;
import dev.queenmq.server.store.upkeep.ResealStore;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What is stored is sealed again: after a key has changed, a queue was encrypted, an upgrade. */
@ExtendWith(PostgresExtension.class)
class ResealIT {
  private static final EncryptionKey OLD = EncryptionKey.ofHex("a".repeat(64));
  private static final EncryptionKey NEW = EncryptionKey.ofHex("b".repeat(64));
  private static final Encryption WITH_OLD = keys(OLD, null);
  private static final Encryption WITH_BOTH = keys(NEW, OLD);
  private static final Encryption WITH_NEW = keys(NEW, null);
  private static final String QUEUE = "vault";
  private static final ResealStore.Page TINY = new ResealStore.Page(2, 1, 1);

  private TestDatabase database;
  private SqlClient client;
  private final MessageIds ids = new MessageIds(InstantSource.system());

  @BeforeEach
  void open(TestDatabase fresh) {
    database = fresh;
    await(Migrations.run(database.vertx(), database.options(), System::nanoTime));
    client =
        PgBuilder.client()
            .connectingTo(database.storeOptions())
            .with(new PoolOptions().setMaxSize(1))
            .using(database.vertx())
            .build();
    database.query(
        "truncate queen.queues, queen.segments, queen.dead_letters, queen.cursors,"
            + " queen.sealing_brokers, queen.resealing cascade");
  }

  @AfterEach
  void close() {
    await(client.close());
  }

  @Test
  void anotherKey_sealsAgainInSteps_andGoesOnWhereItWasInterrupted() {
    MessageStore store = store(WITH_OLD);
    encrypt(store, true);
    for (String partition : List.of("p", "q", "r")) {
      push(store, partition, partition + "1");
      push(store, partition, partition + "2");
    }
    deadLetter(store, "p", "p1");
    ResealStore before = steps(WITH_OLD, TINY);
    assertThat(run(before)).isZero();
    await(before.stopped());

    ResealStore first = steps(WITH_BOTH, TINY);
    long sealed = 0;
    while (sealed < 2) {
      ResealStep step = await(first.step());
      assertThat(step.state()).isEqualTo(ResealStep.State.MORE);
      sealed += step.stored();
    }
    Row half = status();
    assertThat(half.getString("o_state")).isEqualTo("running");
    assertThat(half.getString("o_key_id")).isEqualTo(NEW.id());
    assertThat(half.getString("o_complete_key")).isEqualTo(OLD.id());
    assertThat(half.getDouble("o_progress")).isBetween(0.0, 0.99);
    assertThat(half.getLong("o_messages")).isEqualTo(2);
    assertThat(sealedWith(NEW)).isEqualTo(2);

    // Meanwhile everything is delivered.
    assertThat(popped(WITH_BOTH, "p")).containsExactly("p1", "p2");

    // The broker is gone without a word: another one waits for it, and goes on.
    ResealStore second = steps(WITH_BOTH, ResealStore.Page.usual());
    assertThat(await(second.step()).state()).isEqualTo(ResealStep.State.HELD);
    database.query("update queen.resealing set expires_at = clock_timestamp()");
    assertThat(sealed + run(second)).isEqualTo(7);

    Row done = status();
    assertThat(done.getString("o_state")).isEqualTo("idle");
    assertThat(done.getString("o_complete_key")).isEqualTo(NEW.id());
    assertThat(done.getDouble("o_progress")).isEqualTo(1);
    assertThat(done.getLong("o_messages")).isEqualTo(6);
    assertThat(done.getLong("o_dead_letters")).isOne();
    assertThat(done.getLong("o_left_over")).isZero();
    assertThat(sealedWith(NEW)).isEqualTo(6);
    assertThat(popped(WITH_NEW, "p")).containsExactly("p1", "p2");
    assertThat(
            database.value(
                "select count(*) from queen.dead_letters where payload like '%" + NEW.id() + "%'"))
        .isEqualTo(1L);
    // The one that was away changes nothing any more, and there is nothing to do.
    assertThat(await(first.step()).state()).isEqualTo(ResealStep.State.IDLE);
  }

  @Test
  void brokersWithDifferentKeys_leaveEverythingAsItIs_untilTheyAgree() {
    MessageStore store = store(WITH_OLD);
    encrypt(store, true);
    push(store, "p", "t1");
    ResealStore old = steps(WITH_OLD, ResealStore.Page.usual());
    run(old);

    ResealStore young = steps(WITH_BOTH, ResealStore.Page.usual());
    assertThat(await(young.step()).state()).isEqualTo(ResealStep.State.WAITING);
    assertThat(await(old.step()).state()).isEqualTo(ResealStep.State.WAITING);
    assertThat(sealedWith(OLD)).isOne();
    Row status = status();
    assertThat(status.getString("o_state")).isEqualTo("waiting");
    assertThat(status.getArrayOfStrings("o_keys")).containsExactlyInAnyOrder(OLD.id(), NEW.id());

    await(old.stopped());
    assertThat(run(young)).isOne();
    // One that comes back with the old key, and is seen: what it sealed is found, too.
    ResealStore again = steps(WITH_OLD, ResealStore.Page.usual());
    assertThat(await(again.step()).state()).isEqualTo(ResealStep.State.WAITING);
    push(store, "p", "t2");
    await(again.stopped());
    assertThat(run(young)).isOne();
    assertThat(sealedWith(NEW)).isEqualTo(2);
  }

  @Test
  void plainMessagesFromBeforeTheSwitch_areSealed_andThenNoPlainOneIsTrusted() {
    MessageStore store = store(WITH_OLD);
    encrypt(store, false);
    push(store, "p", "t1", "t2");
    push(store, "p", "t3");
    push(store, "q", "u1");
    deadLetter(store, "q", "u1");
    encrypt(store, true);
    push(store, "p", "t4");
    // A plain row was put there since.
    push(store, "p", "t5");
    database.query(
        "update queen.segments set payloads = array['\"forged\"'], encrypted = false"
            + " where transaction_ids = array['t5']");

    assertThat(run(steps(WITH_OLD, TINY))).isEqualTo(5);

    assertThat(sealedWith(OLD)).isEqualTo(5);
    assertThat(popped(WITH_OLD, "p")).containsExactly("t1", "t2", "t3", "t4");
    // It was not made a good one, and says in vain that it is older.
    database.query(
        "update queen.segments set created_at = '2001-01-01' where transaction_ids = array['t5']");
    assertThat(popped(WITH_OLD, "p")).containsExactly("t1", "t2", "t3", "t4");
    assertThat(status().getLong("o_open")).isZero();

    // Off, and on again: what was plain in between is delivered, and sealed.
    database.query("delete from queen.segments where transaction_ids = array['t5']");
    encrypt(store, false);
    push(store, "q", "u2");
    encrypt(store, true);
    assertThat(popped(WITH_OLD, "q")).containsExactly("u1", "u2");
    assertThat(run(steps(WITH_OLD, TINY))).isOne();
    assertThat(popped(WITH_OLD, "q")).containsExactly("u1", "u2");
  }

  @Test
  void unboundPayloads_areBound_andThenNoUnboundOneIsTrusted() {
    MessageStore store = store(WITH_OLD);
    encrypt(store, true);
    push(store, "p", "t1");
    push(store, "q", "t2");
    String unbound = OldForm.seal(OLD, "\"t1\"");
    database.query(
        "update queen.segments set payloads = array['%s'] where transaction_ids = array['t1']"
            .formatted(unbound));
    database.query("update queen.queues set bound_since = clock_timestamp()");
    assertThat(popped(WITH_OLD, "p")).containsExactly("t1");
    assertThat(status().getLong("o_open")).isOne();

    assertThat(run(steps(WITH_OLD, ResealStore.Page.usual()))).isOne();

    assertThat(sealedWith(OLD)).isEqualTo(2);
    assertThat(popped(WITH_OLD, "p")).containsExactly("t1");
    assertThat(status().getLong("o_open")).isZero();
    database.query(
        "update queen.segments set payloads = array['%s'], created_at = '2001-01-01'"
                .formatted(unbound)
            + " where transaction_ids = array['t2']");
    assertThat(popped(WITH_OLD, "q")).isEmpty();
  }

  @Test
  void payloadsThatCannotBeOpened_stayAsTheyAre_andAreCounted() {
    MessageStore store = store(WITH_OLD);
    encrypt(store, true);
    push(store, "p", "t1");
    push(store, "p", "t2", "t3");
    push(store(keys(EncryptionKey.ofHex("c".repeat(64)), null)), "q", "lost");
    // A deleted message has nothing left to be sealed.
    await(store.deleteMessage(new MessageKey(partition("p"), "t2")));
    List<String> lost = stored("q");

    ResealStore steps = steps(WITH_BOTH, TINY);
    assertThat(run(steps)).isEqualTo(3);

    assertThat(stored("q")).isEqualTo(lost);
    Row status = status();
    assertThat(status.getLong("o_left_over")).isOne();
    assertThat(status.getString("o_complete_key")).isEqualTo(NEW.id());
    assertThat(popped(WITH_NEW, "p")).containsExactly("t1", "t3");
    // Not again and again, but after a while.
    assertThat(await(steps.step()).state()).isEqualTo(ResealStep.State.IDLE);
    database.query("update queen.resealing set ended_at = ended_at - interval '2 hours'");
    assertThat(await(steps.step()).state()).isEqualTo(ResealStep.State.MORE);
  }

  @Test
  void messagesThatChangeUnderItsHands_areLeftToTheNextPass() {
    MessageStore store = store(WITH_OLD);
    encrypt(store, true);
    push(store, "p", "t1", "t2");
    push(store, "q", "u1");
    MessageKey deleted = new MessageKey(partition("p"), "t2");
    boolean[] done = {false};
    ResealStore steps =
        new ResealStore(
            (sql, arguments) -> {
              // After the page was read, and before it is stored.
              boolean now = sql.contains("reseal_store") && !done[0];
              done[0] |= now;
              return (now ? store.deleteMessage(deleted) : Future.succeededFuture())
                  .compose(gone -> StoreClient.of(client).call(sql, arguments));
            },
            WITH_BOTH,
            StoreOptions.defaults().shard(),
            UUID.randomUUID(),
            ResealStore.Page.usual());

    assertThat(run(steps)).isOne();

    assertThat(status().getLong("o_left_over")).isOne();
    assertThat(popped(WITH_BOTH, "p")).containsExactly("t1");
    assertThat(stored("p")).contains("null");
    database.query("update queen.resealing set ended_at = ended_at - interval '2 hours'");
    assertThat(run(steps)).isEqualTo(2);
    assertThat(stored("p")).contains("null");
    assertThat(popped(WITH_NEW, "p")).containsExactly("t1");
  }

  /** What the deletion writes back must be what the pass has written, not what was there before. */
  @Test
  void deletionThatWaitsForAPass_keepsWhatThePassHasSealed() {
    MessageStore store = store(WITH_OLD);
    encrypt(store, false);
    push(store, "p", "t1", "t2");
    encrypt(store, true);
    MessageKey deleted = new MessageKey(partition("p"), "t2");
    PgConnection pass = database.connectStore();
    await(pass.query("begin").execute());
    ResealStore steps =
        new ResealStore(
            StoreClient.of(pass),
            WITH_OLD,
            StoreOptions.defaults().shard(),
            UUID.randomUUID(),
            ResealStore.Page.usual());
    assertThat(run(steps)).isEqualTo(2);

    Future<?> deletion = store.deleteMessage(deleted);
    Awaitility.await()
        .until(
            () ->
                (Long)
                        database.value(
                            "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                + " and datname = current_database()")
                    > 0);
    assertThat(deletion.isComplete()).isFalse();
    await(pass.query("commit").execute());
    await(pass.close());
    await(deletion);

    assertThat(sealedWith(OLD)).isOne();
    assertThat(stored("p")).contains("null");
    assertThat(popped(WITH_OLD, "p")).containsExactly("t1");
  }

  private static Encryption keys(EncryptionKey current, @Nullable EncryptionKey previous) {
    return new Encryption(
        new PayloadCipher(Optional.of(current), Optional.ofNullable(previous)), false);
  }

  private MessageStore store(Encryption encryption) {
    return new MessageStore(
        database.vertx().getOrCreateContext(),
        StoreClient.of(client),
        StoreOptions.defaults(),
        42,
        transaction -> {},
        new SweepTurns(),
        encryption,
        AnswerMemory.unlimited(),
        InstantSource.system(),
        System::nanoTime);
  }

  private ResealStore steps(Encryption encryption, ResealStore.Page page) {
    return new ResealStore(
        StoreClient.of(client),
        encryption,
        StoreOptions.defaults().shard(),
        UUID.randomUUID(),
        page);
  }

  /** Until there is nothing to do; how many were sealed. */
  private static long run(ResealStore steps) {
    long stored = 0;
    ResealStep step;
    do {
      step = await(steps.step());
      stored += step.stored();
    } while (step.state() == ResealStep.State.MORE);
    assertThat(step.state()).isIn(ResealStep.State.DONE, ResealStep.State.IDLE);
    return stored;
  }

  private static void encrypt(MessageStore store, boolean on) {
    await(
        store.configure(
            List.of(
                new QueueConfiguration(
                    QUEUE,
                    Optional.empty(),
                    Optional.empty(),
                    QueueOptions.of(new JsonObject().put("encryptionEnabled", on)),
                    false))));
  }

  private void push(MessageStore store, String partition, String... transactionIds) {
    List<PushOutcome> outcomes =
        await(
            store.push(
                Arrays.stream(transactionIds)
                    .map(id -> Message.of(QUEUE, partition, ids.next(), id, "\"" + id + "\""))
                    .toList()));
    assertThat(outcomes).allMatch(PushOutcome.Queued.class::isInstance);
  }

  private void deadLetter(MessageStore store, String partition, String transactionId) {
    await(
        store.deadLetter(
            new DeadLettering(
                new MessageKey(partition(partition), transactionId), "dead", Optional.empty())));
  }

  /** What a new group gets, by the payloads. */
  private List<String> popped(Encryption encryption, String partition) {
    PopRequest request =
        new PopRequest(
            new PopTarget.Named(QUEUE, partition),
            "g" + UUID.randomUUID(),
            100,
            1,
            true,
            new Subscription.All());
    List<String> payloads = new ArrayList<>();
    PopOutcome.Served served =
        (PopOutcome.Served) await(store(encryption).pop(List.of(request))).get(0);
    served
        .batches()
        .forEach(
            batch ->
                batch
                    .messages()
                    .forEach(message -> payloads.add(message.payload().replace("\"", ""))));
    return payloads;
  }

  private UUID partition(String name) {
    return (UUID) database.value("select id from queen.partitions where name = '" + name + "'");
  }

  private List<String> stored(String partition) {
    return database
        .query("select payload from queen.messages where partition = '" + partition + "'")
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private long sealedWith(EncryptionKey key) {
    return (long)
        database.value(
            "select count(*) from queen.messages where encrypted and payload like '{\"v\":\"2\",\"keyId\":\"%s\",%%'"
                .formatted(key.id()));
  }

  private Row status() {
    return database
        .query("select * from queen.reseal_status_v1(0::smallint, interval '1 minute')")
        .get(0);
  }
}
