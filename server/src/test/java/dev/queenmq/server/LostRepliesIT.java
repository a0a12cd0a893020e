package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.SlowAnswers;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients see when PostgreSQL commits a call, and its reply never reaches the broker. */
@ExtendWith(PostgresExtension.class)
class LostRepliesIT {
  private TestDatabase database;
  private FaultyProxy line;
  private RunningServer server;

  LostRepliesIT() {}

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    line = new FaultyProxy(fresh.vertx(), fresh.endpoint(), FaultyProxy.Fault.NONE);
    // One connection: it has prepared the statement whose reply is lost, and not half of it.
    server =
        RunningServer.on(line.endpoint(), Map.of("NUM_WORKERS", "1", "SIDECAR_POOL_SIZE", "1"));
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    line.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3600})
  void push_isStoredOnce_andAnsweredQueued(int window) {
    server.configure("q", new JsonObject().put("dedupWindowSeconds", window));
    server.push(item("q", "p", "before"));
    // To a partition that is known, so that its statement has been prepared.
    server.push(item("q", "p", "prepared"));

    line.loseReplies();
    CompletableFuture<Answer> pushed =
        server.postLater(
            "/api/v1/push",
            new JsonObject().put("items", new JsonArray().add(item("q", "p", "a"))).encode());
    Awaitility.await().until(() -> stored().contains("a"));
    line.cut();

    JsonObject answer = pushed.join().array().getJsonObject(0);
    assertThat(answer.getString("status")).isEqualTo("queued");
    assertThat(answer.getString("message_id"))
        .isEqualTo(
            database
                .value("select message_id from queen.messages where transaction_id = 'a'")
                .toString());
    server.push(item("q", "p", "after"));
    assertThat(stored()).containsExactly("before", "prepared", "a", "after");
  }

  @Test
  void popWithAutoAck_getsWhatTheLostOneTook() {
    meet();
    server.push(item("q", "p", "a"), item("q", "p", "b"));

    CompletableFuture<Answer> popped = popWithLostReply(server, "autoAck=true&batch=10", 3);
    line.cut();

    // It is made once again. If that meets a connection whose end was not noticed yet, it gets
    // nothing, and the messages come with the next pop.
    List<String> got = popped.join().transactionIds();
    assertThat(got.isEmpty() ? popUntilSome("autoAck=true&batch=10") : got)
        .containsExactly("a", "b");
    server.push(item("q", "p", "c"));
    assertThat(popUntilSome("autoAck=true&batch=10")).containsExactly("c");
  }

  @Test
  void popWithAutoAck_getsWhatTheLostOneTook_alsoAfterAnOutage_andInPieces() {
    meet();
    server.push(item("q", "p", "a"), item("q", "p", "b"), item("q", "p", "c"));

    CompletableFuture<Answer> popped = popWithLostReply(server, "autoAck=true&batch=10", 4);
    line.set(FaultyProxy.Fault.CLOSED);
    line.cut();
    Answer answer = popped.join();
    line.set(FaultyProxy.Fault.NONE);
    if (answer.status() == 200) {
      // On a slow machine the broker gave the silent connection up before the line was closed.
      assertThat(answer.transactionIds()).containsExactly("a", "b", "c");
      return;
    }
    assertThat(answer.status()).isEqualTo(204);

    assertThat(popUntilSome("autoAck=true&batch=2")).containsExactly("a", "b");
    assertThat(popUntilSome("autoAck=true&batch=2")).containsExactly("c");
    server.push(item("q", "p", "d"));
    assertThat(popUntilSome("autoAck=true&batch=2")).containsExactly("d");
  }

  @Test
  void popWithAutoAck_thatAsksAboutTheQueueFirst_takesNothing_ifThatReplyIsLost() {
    meet();
    server.push(item("q", "p", "a"), item("q", "p", "b"));
    CompletableFuture<Answer> popped;
    try (SlowAnswers slow = new SlowAnswers(database, "pop_v1")) {
      slow.hold();
      server.configure("q", new JsonObject().put("leaseTime", 61));
      popped = server.popLater("q", "autoAck=true&batch=10");
      slow.awaitHeld();
      line.loseReplies();
      line.set(FaultyProxy.Fault.CLOSED);
      slow.letGo();
      line.cut();
      assertThat(popped.join().status()).isEqualTo(204);
      line.set(FaultyProxy.Fault.NONE);
    }
    assertThat(taken()).isEqualTo(1);
    assertThat(popUntilSome("autoAck=true&batch=10")).containsExactly("a", "b");
  }

  @Test
  void lostPop_thatCannotBeTakenBackYet_holdsUpItsOwnGroupAlone() throws Exception {
    PgConnection holder = database.connect();
    try (RunningServer wide =
        RunningServer.on(
            line.endpoint(),
            Map.of("NUM_WORKERS", "1", "SIDECAR_POOL_SIZE", "4", "DB_LOCK_TIMEOUT", "60000"))) {
      wide.push(item("q", "p", "met"), item("other", "p", "met"));
      assertThat(wide.pop("q", "autoAck=true").transactionIds()).containsExactly("met");
      assertThat(wide.pop("other", "autoAck=true").transactionIds()).containsExactly("met");
      wide.push(item("q", "p", "a"), item("other", "p", "b"));

      CompletableFuture<Answer> popped = popWithLostReply(wide, "autoAck=true", 2);
      await(holder.query("begin").execute());
      await(holder.query("select 1 from queen.cursors where committed = 2 for update").execute());
      line.cut();

      List<String> others =
          Awaitility.await()
              .atMost(Duration.ofSeconds(30))
              .until(
                  () -> wide.pop("other", "autoAck=true").transactionIds(),
                  found -> !found.isEmpty());
      assertThat(others).containsExactly("b");
      // The undo still waits, and so does the group whose order it keeps.
      await(holder.query("rollback").execute());
      List<String> got = popped.join().transactionIds();
      assertThat(
              got.isEmpty()
                  ? Awaitility.await()
                      .until(
                          () -> wide.pop("q", "autoAck=true").transactionIds(),
                          found -> !found.isEmpty())
                  : got)
          .containsExactly("a");
    } finally {
      await(holder.close());
    }
  }

  @Test
  void popWithAutoAck_takenBack_leavesOutWhatWasDeletedMeanwhile() {
    meet();
    server.push(item("q", "p", "a"), item("q", "p", "b"), item("q", "p", "c"));
    JsonObject deleted = server.pop("q", "autoAck=true&batch=10").messages().get(1);
    assertThat(
            server
                .delete(
                    "/api/v1/messages/"
                        + deleted.getString("partitionId")
                        + "/"
                        + deleted.getString("transactionId"))
                .status())
        .isEqualTo(200);

    database.value(
        "select queen.undo_auto_pop_v1(0::smallint, pop_id) from queen.auto_pops"
            + " where ranges = array['{[1,4)}'::int8multirange]");

    assertThat(popUntilSome("autoAck=true&batch=10")).containsExactly("a", "c");
  }

  @Test
  void transaction_isAnsweredAsItHappened() {
    server.push(item("in", "p", "a"), item("in", "p", "b"));
    JsonObject message = server.pop("in", "batch=1").messages().get(0);
    JsonObject transaction =
        new JsonObject()
            .put(
                "operations",
                new JsonArray()
                    .add(ack(message, "failed"))
                    .add(item("q", "p", "made").put("type", "push")));

    CompletableFuture<Answer> answer =
        transactionWithLostReply(transaction, () -> stored().contains("made"));

    assertThat(answer.join().status()).isEqualTo(200);
    JsonObject body = answer.join().object();
    assertThat(body.getBoolean("success")).as(body.encode()).isTrue();
    JsonArray results = body.getJsonArray("results");
    assertThat(results.getJsonObject(0).getString("type")).isEqualTo("ack");
    assertThat(results.getJsonObject(0).getBoolean("dlq")).isTrue();
    assertThat(results.getJsonObject(1).getString("transactionId")).isEqualTo("made");
    assertThat(results.getJsonObject(1).getString("queueName")).isEqualTo("q");
    assertThat(results.getJsonObject(1).getString("messageId"))
        .isEqualTo(
            database.value("select message_id from queen.messages where queue = 'q'").toString());
    assertThat(stored()).containsExactly("made");
    assertThat(database.value("select count(*) from queen.dead_letters")).isEqualTo(1L);
  }

  @Test
  void transactionOfAcksAlone_isAnsweredAsItHappened() {
    server.push(item("in", "p", "a"));
    JsonObject message = server.pop("in", "batch=1").messages().get(0);

    CompletableFuture<Answer> answer =
        transactionWithLostReply(
            new JsonObject().put("operations", new JsonArray().add(ack(message, "completed"))),
            () -> taken() == 1);

    JsonObject body = answer.join().object();
    assertThat(body.getBoolean("success")).as(body.encode()).isTrue();
    assertThat(body.getJsonArray("results").getJsonObject(0).getBoolean("dlq")).isFalse();
  }

  /** The broker knows the partition and the group: its next pop is one statement. */
  private void meet() {
    server.push(item("q", "p", "met"));
    assertThat(popUntilSome("autoAck=true")).containsExactly("met");
  }

  private static JsonObject ack(JsonObject message, String status) {
    return RunningServer.ackItem(message, status).put("type", "ack");
  }

  /** The statement itself loses its reply, and not one that the broker makes before it. */
  private CompletableFuture<Answer> transactionWithLostReply(
      JsonObject transaction, Callable<Boolean> committed) {
    try (SlowAnswers slow = new SlowAnswers(database, "transaction_v1")) {
      slow.hold();
      CompletableFuture<Answer> answer =
          server.postLater("/api/v1/transaction", transaction.encode());
      slow.awaitHeld();
      line.loseReplies();
      slow.letGo();
      Awaitility.await().until(committed);
      line.cut();
      return answer;
    }
  }

  /**
   * The reply to the pop itself is lost, and not that to a statement before it. A broker that has
   * just heard of a change of the queue asks about the whole queue first.
   */
  private CompletableFuture<Answer> popWithLostReply(
      RunningServer broker, String query, long committed) {
    try (SlowAnswers slow = SlowAnswers.whereInserted(database, "auto_pops")) {
      slow.hold();
      CompletableFuture<Answer> popped = broker.popLater("q", query);
      slow.awaitHeld();
      line.loseReplies();
      slow.letGo();
      awaitTaken(committed);
      return popped;
    }
  }

  private void awaitTaken(long committed) {
    Awaitility.await().until(this::taken, Long.valueOf(committed)::equals);
  }

  private long taken() {
    return (long)
        database.value(
            "select max(committed) from queen.cursors where consumer_group = '__QUEUE_MODE__'");
  }

  private List<String> popUntilSome(String query) {
    return Awaitility.await()
        .until(() -> server.pop("q", query).transactionIds(), found -> !found.isEmpty());
  }

  private List<String> stored() {
    return database
        .query(
            "select transaction_id from queen.messages where queue = 'q' order by message_offset")
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }
}
