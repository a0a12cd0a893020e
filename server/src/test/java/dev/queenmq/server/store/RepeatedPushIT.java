package dev.queenmq.server.store;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.ClosedConnectionException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pushes that are sent again because their reply was lost. Each test fixes when the statement of
 * the first attempt is carried out: before the repetition, after it, or while it runs.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RepeatedPushIT {
  private TestStore broker;
  private PgConnection connection;
  private Line line;
  private MessageStore store;

  RepeatedPushIT() {}

  /** A line whose statements can be kept back: their caller sees a broken connection. */
  private static final class Line implements StoreClient {
    private record Statement(String sql, Tuple arguments) {}

    private final StoreClient client;
    private final List<Statement> keptBack = new ArrayList<>();
    private boolean keepsBack;

    Line(StoreClient client) {
      this.client = client;
    }

    @Override
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
      if (keepsBack) {
        keptBack.add(new Statement(sql, arguments));
        return Future.failedFuture(ClosedConnectionException.INSTANCE);
      }
      return client.call(sql, arguments);
    }

    /** What was kept back reaches PostgreSQL, and its replies reach no caller. */
    void deliver() {
      keptBack.forEach(each -> await(client.call(each.sql, each.arguments)));
      keptBack.clear();
    }
  }

  @BeforeEach
  void open(TestDatabase database) {
    broker = TestStore.migrated(database);
    connection = database.connectStore();
    line = new Line(StoreClient.of(connection));
    store =
        new MessageStore(
            database.vertx().getOrCreateContext(),
            line,
            StoreOptions.defaults(),
            42,
            InstantSource.system(),
            System::nanoTime);
  }

  @AfterEach
  void close() {
    await(connection.close());
    broker.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3600, -1})
  void firstAttemptThatArrivesLate_storesNothing(int window) {
    String queue = queue("late", window);
    push(queue, "before");
    Message message = broker.message(queue, "p", "a");
    List<Message> repeated = lost(message);

    assertThat(await(store.push(repeated)).get(0)).isInstanceOf(PushOutcome.Queued.class);
    push(queue, "later");
    passWindow(queue, window);
    line.deliver();

    assertThat(stored(queue)).containsExactly("before", "a", "later");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3600, -1})
  void firstAttemptThatArrivedButGotNoReply_isFoundByItsMessageId(int window) {
    String queue = queue("found", window);
    Message message = broker.message(queue, "p", "a");
    List<Message> repeated = lost(message);
    line.deliver();
    push(queue, "later");
    passWindow(queue, window);

    List<PushOutcome> answered = await(store.push(repeated));

    assertThat(answered)
        .containsExactly(new PushOutcome.Duplicate(message.id(), partitionOf(queue)));
    assertThat(stored(queue)).containsExactly("a", "later");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void secondAttemptThatArrivesAfterTheThird_storesNothing(int window) {
    String queue = queue("third", window);
    Message message = broker.message(queue, "p", "a");
    // The first repetition of all reads the stamps of earlier ones; this one is not to be kept
    // back.
    await(store.push(List.of(broker.message("any", "p", "a").sentAt(Instant.now()))));
    lost(lost(message).get(0));

    await(store.push(List.of(message.sentAt(Instant.now()))));
    push(queue, "later");
    passWindow(queue, window);
    line.deliver();

    assertThat(stored(queue)).containsExactly("a", "later");
  }

  @Test
  void firstAttemptThatArrivesLate_storesNothing_thoughTheRepetitionHadNoRoom() {
    String queue = queue("full", 0);
    broker.configure(queue, new JsonObject().put("dedupWindowSeconds", 0).put("maxSize", 1));
    push(queue, "first");
    Message message = broker.message(queue, "p", "a");

    assertThat(await(store.push(lost(message)))).containsExactly(new PushOutcome.QueueFull());
    broker.configure(queue, new JsonObject().put("dedupWindowSeconds", 0));
    line.deliver();

    assertThat(stored(queue)).containsExactly("first");
  }

  /** Its own fence must not supersede it: it would be left out, and answered as a duplicate. */
  @Test
  void repetition_isStored_thoughTheClockOfTheBrokerWasSetBackBeforeItsStart() {
    String queue = queue("clock", 0);
    broker.configure(queue, new JsonObject().put("dedupWindowSeconds", 0).put("maxSize", 1));
    push(queue, "first");
    Message message = broker.message(queue, "p", "a");
    List<Message> repeated = lost(message);
    assertThat(await(store.push(repeated))).containsExactly(new PushOutcome.QueueFull());
    broker.configure(queue, new JsonObject().put("dedupWindowSeconds", 0));
    MessageStore startedAgain =
        new MessageStore(
            broker.database().vertx().getOrCreateContext(),
            line,
            StoreOptions.defaults(),
            42,
            InstantSource.fixed(Instant.now().minus(Duration.ofHours(1))),
            System::nanoTime);

    assertThat(await(startedAgain.push(repeated)).get(0)).isInstanceOf(PushOutcome.Queued.class);
    line.deliver();

    assertThat(stored(queue)).containsExactly("first", "a");
  }

  @Test
  void firstAttemptThatHoldsTheLock_isWaitedFor() {
    String queue = queue("held", 0);
    push(queue, "before");
    Message message = broker.message(queue, "p", "a");
    List<Message> repeated = lost(message);
    Line.Statement first = line.keptBack.remove(0);
    PgConnection slow = broker.database().connect();
    await(slow.query("begin").execute());
    await(slow.preparedQuery(first.sql).execute(first.arguments));

    Future<List<PushOutcome>> answer = store.push(repeated);
    broker.awaitLockWait();
    assertThat(answer.isComplete()).isFalse();
    await(slow.query("commit").execute());

    assertThat(await(answer))
        .containsExactly(new PushOutcome.Duplicate(message.id(), partitionOf(queue)));
    assertThat(stored(queue)).containsExactly("before", "a");
    await(slow.close());
  }

  @Test
  void repetition_storesOnlyWhatIsMissing_inOrder() {
    String queue = queue("some", 0);
    Message a = broker.message(queue, "p", "a");
    Message b = broker.message(queue, "p", "b");
    lost(a);
    line.deliver();

    List<PushOutcome> answered =
        await(store.push(List.of(a.sentAt(Instant.now()), b.sentAt(Instant.now()))));

    assertThat(answered.get(0)).isInstanceOf(PushOutcome.Duplicate.class);
    assertThat(answered.get(1)).isInstanceOf(PushOutcome.Queued.class);
    assertThat(stored(queue)).containsExactly("a", "b");
  }

  @Test
  void callThatFailsAfterAPartOfItWasStored_saysSo_andLeavesThePartToTheTail() {
    // An id that stands twice in a call to a partition that is not known takes two statements.
    String queue = queue("partly", 0);
    Message a = broker.message(queue, "p", "a");
    Message again = broker.message(queue, "p", "a");
    AtomicInteger pushes = new AtomicInteger();
    List<Long> transactions = new ArrayList<>();
    MessageStore other =
        thatFails(sql -> sql.contains("push_v") && pushes.incrementAndGet() == 2, transactions);

    assertThat(failureOf(other.push(List.of(a, again))))
        .matches(failure -> ((StoreException) failure).mayHaveHappened());
    assertThat(stored(queue)).containsExactly("a");
    // No poll here is told of the message, so the tail must report it here, too.
    assertThat(transactions).isEmpty();
    await(other.push(List.of(broker.message(queue, "p", "b"))));
    assertThat(transactions).hasSize(1);
  }

  @Test
  void callThatFailsBetweenItsStatements_saysThatAPartOfItIsStored() {
    String once = queue("once", 0);
    String recognised = queue("recognised", 3600);
    for (int i = 0; i < 10; i++) {
      push(recognised, "m" + i);
    }
    MessageStore other = thatFails(sql -> sql.contains("read_transaction_ids"), new ArrayList<>());

    assertThat(
            failureOf(
                other.push(
                    List.of(
                        broker.message(once, "p", "a"), broker.message(recognised, "p", "m3")))))
        .matches(failure -> ((StoreException) failure).mayHaveHappened());
    assertThat(stored(once)).containsExactly("a");
  }

  /** Another broker's store, of which PostgreSQL cancels these statements. */
  private MessageStore thatFails(Predicate<String> which, List<Long> transactions) {
    return new MessageStore(
        broker.database().vertx().getOrCreateContext(),
        (sql, arguments) ->
            which.test(sql)
                ? Future.failedFuture(StoreFailures.of(StoreException.Kind.TIMEOUT))
                : line.call(sql, arguments),
        new StoreOptions((short) 0, 256, 128 * 1024, 5, 10, 1_000_000, 1 << 20, true),
        42,
        transactions::add,
        new SweepTurns(),
        Encryption.none(),
        AnswerMemory.unlimited(),
        InstantSource.system(),
        System::nanoTime);
  }

  @Test
  void fences_areRemovedAfterAnHour() {
    String queue = queue("trimmed", 0);
    await(store.push(lost(broker.message(queue, "p", "a"))));
    assertThat(fences()).isEqualTo(1);

    await(store.trim(Duration.ZERO));
    assertThat(fences()).isEqualTo(1);
    broker.database().query("update queen.push_fences set made_at = made_at - interval '1 hour'");
    await(store.trim(Duration.ZERO));

    assertThat(fences()).isZero();
  }

  private long fences() {
    return (long) broker.database().value("select count(*) from queen.push_fences");
  }

  private String queue(String name, int window) {
    String queue = name + window;
    broker.configure(queue, new JsonObject().put("dedupWindowSeconds", window));
    return queue;
  }

  private void push(String queue, String transactionId) {
    await(store.push(List.of(broker.message(queue, "p", transactionId))));
  }

  /** Sends it, keeps the statement back, and answers what the broker sends next. */
  private List<Message> lost(Message message) {
    line.keepsBack = true;
    assertThat(failureOf(store.push(List.of(message))))
        .matches(failure -> ((StoreException) failure).mayHaveHappened());
    line.keepsBack = false;
    return List.of(message.sentAt(Instant.now()));
  }

  /** What a short window would have to recognise is now too old for it. */
  private void passWindow(String queue, int window) {
    if (window == 1) {
      broker
          .database()
          .query(
              "update queen.segments s set created_at = s.created_at - interval '3 seconds'"
                  + " from queen.partitions p join queen.queues q on q.id = p.queue_id"
                  + " where p.id = s.partition_id and q.name = '"
                  + queue
                  + "'");
    }
  }

  private List<String> stored(String queue) {
    return broker
        .database()
        .query(
            "select transaction_id from queen.messages where queue = '"
                + queue
                + "' order by message_offset")
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  private UUID partitionOf(String queue) {
    return (UUID)
        broker
            .database()
            .value(
                "select p.id from queen.partitions p join queen.queues q on q.id = p.queue_id"
                    + " where p.name = 'p' and q.name = '"
                    + queue
                    + "'");
  }
}
