package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.postgres.Backends;
import dev.queenmq.server.postgres.SharedSlots;
import dev.queenmq.server.postgres.Slots;
import dev.queenmq.server.testing.StreamingPair;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Context;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Tuple;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A PostgreSQL is killed and its asynchronous standby takes its place, without the last commits.
 * The brokers follow, and believe nothing that they knew of the server before.
 */
class PromotionIT {
  private static final String LANE = "p";

  /** A procedure that the standby lacks when it is promoted. */
  private static final String LATE = "queen.knows_group_v1";

  @TempDir private Path folder;

  @Test
  void promotion_isFollowed_andNothingOfTheLostCommitsIsRemembered() throws Exception {
    try (StreamingPair pair = StreamingPair.start(folder)) {
      List<PostgresEndpoint> both = List.of(pair.primary().endpoint(), pair.standby().endpoint());
      List<PostgresEndpoint> reverse = List.of(both.get(1), both.get(0));
      try (RunningServer first = RunningServer.on(both);
          RunningServer second = RunningServer.on(reverse);
          ServerProcess alone = ServerProcess.startLogging(folder, onStandbyOnly(pair))) {
        saysThatThereIsNone(alone);
        pushes(first, "kept", 0, 5, "queued");
        CompletableFuture<Answer> poll = first.popLater("quiet", "wait=true&timeout=120000");
        first.awaitWaiting(1);
        loseAProcedure(pair);
        pair.awaitCaughtUp();

        pair.cut();
        pushes(first, "lost", 5, 10, "queued");
        List<JsonObject> popped = first.pop("q", "batch=10").messages();
        assertThat(popped).hasSize(10);
        burnTransactions(pair);
        pair.killPrimary();
        pair.promote();

        Awaitility.await().until(() -> push(second, "new-5").status() == 201);
        assertThat(pair.standby().value("select to_regproc('" + LATE + "')::text"))
            .as("the promoted server got what it lacked before it was used")
            .isNotNull();
        // The same number of messages as were lost: the lane ends where the first broker left it.
        pushes(second, "new", 6, 10, "queued");
        Awaitility.await().until(() -> first.get("/health").status() == 200);
        for (String each : List.of("new-7", "new-9", "kept-3")) {
          assertThat(status(pushUntilAnswered(first, each))).isEqualTo("duplicate");
        }
        assertThat(status(pushUntilAnswered(first, "lost-6"))).isEqualTo("queued");
        Answer late = first.ack(popped.get(9), "completed");
        assertThat(late.array().getJsonObject(0).getBoolean("success"))
            .as("the lease, and the message with it, were lost")
            .isFalse();
        // The new server counts its transactions from before those that the first broker saw.
        second.push(item("quiet", LANE, "found"));
        assertThat(poll.join().transactionIds()).containsExactly("found");
        assertThat(first.pop("q", "batch=100&wait=true&timeout=60000").transactionIds())
            .containsExactly(
                "kept-0", "kept-1", "kept-2", "kept-3", "kept-4", "new-5", "new-6", "new-7",
                "new-8", "new-9", "lost-6");
        Awaitility.await().until(() -> alone.get("/health").statusCode() == 200);

        becomesReadOnlyForAWhile(pair, first);
        successOfACancelledCommitIsNone(pair);
      }
    }
  }

  /** As if it had been applied after the standby was cut off. No test of this class calls it. */
  private static void loseAProcedure(StreamingPair pair) {
    pair.primary().query("drop function " + LATE);
    pair.primary()
        .query("delete from queen.schema_procedures where 'queen.' || name = '" + LATE + "'");
  }

  /** Not a standby, and takes no writes all the same. */
  private static void becomesReadOnlyForAWhile(StreamingPair pair, RunningServer server) {
    pair.standby().query("alter system set default_transaction_read_only = on");
    pair.standby().query("select pg_reload_conf()");
    Awaitility.await()
        .until(
            () ->
                "PostgreSQL is read-only and takes no writes"
                    .equals(server.get("/health").object().getString("database_error")));
    assertThat(push(server, "refused").status()).isEqualTo(503);
    pair.standby().query("alter system reset default_transaction_read_only");
    pair.standby().query("select pg_reload_conf()");
    Awaitility.await().until(() -> push(server, "refused").status() == 201);
  }

  /** It waits for a standby, is cancelled, and PostgreSQL says that it is done: here only. */
  private static void successOfACancelledCommitIsNone(StreamingPair pair) {
    TestDatabase database = pair.standby();
    Context context = database.vertx().getOrCreateContext();
    SharedSlots slots =
        new SharedSlots(
            context,
            new Slots(
                database.vertx(),
                context,
                database.options(),
                new Backends(database.vertx(), database.options(), Duration.ofSeconds(2)),
                1,
                1,
                Duration.ofMillis(500),
                System::nanoTime));
    await(slots.call("select 1", Tuple.tuple()));
    database.query("alter system set synchronous_standby_names = 'nobody'");
    database.query("select pg_reload_conf()");
    Awaitility.await()
        .until(() -> database.value("show synchronous_standby_names").equals("nobody"));

    assertThat(failureOf(slots.call("create table public.cancelled (n int)", Tuple.tuple())))
        .hasMessage("it was cancelled, and may have happened");

    assertThat(database.value("select to_regclass('public.cancelled')::text")).isNotNull();
    database.query("alter system reset synchronous_standby_names");
    database.query("select pg_reload_conf()");
    await(slots.close());
  }

  /** The numbers of transactions on the two servers are far apart from now on. */
  private static void burnTransactions(StreamingPair pair) {
    pair.primary()
        .query(
            "do $$ begin for i in 1..2000 loop perform pg_current_xact_id(); commit; end loop;"
                + " end $$");
  }

  private static void saysThatThereIsNone(ServerProcess server) throws Exception {
    // On a busy machine the first attempts to reach the standby may take too long.
    HttpResponse<String> health =
        Awaitility.await()
            .until(() -> server.get("/health"), answer -> answer.body().contains("1 is standby"));
    assertThat(health.statusCode()).isEqualTo(503);
    assertThat(new JsonObject(health.body()).getString("database_error"))
        .isEqualTo(
            "none of the 2 PostgreSQL servers takes writes: 1 is standby or read-only, 1 cannot be"
                + " reached");
    assertThat(server.output().lines().filter(line -> line.contains("takes writes (")))
        .singleElement()
        .asString()
        .contains("waiting for PostgreSQL at");
  }

  private Map<String, String> onStandbyOnly(StreamingPair pair) {
    PostgresEndpoint standby = pair.standby().endpoint();
    Map<String, String> environment = new HashMap<>();
    environment.put("PG_HOST", standby.host() + ":" + standby.port() + ", 127.0.0.1:1");
    environment.put("PG_DB", standby.database());
    environment.put("PG_USER", standby.user());
    environment.put("PG_PASSWORD", standby.password().value());
    environment.put("QUEEN_SPOOL_DIR", folder.resolve("spool").toString());
    return environment;
  }

  private static void pushes(RunningServer server, String name, int from, int to, String expected) {
    IntStream.range(from, to)
        .forEach(
            i -> assertThat(status(pushUntilAnswered(server, name + "-" + i))).isEqualTo(expected));
  }

  /** A broker that has just lost its server may refuse for a moment. */
  private static Answer pushUntilAnswered(RunningServer server, String transactionId) {
    return Awaitility.await()
        .until(() -> push(server, transactionId), answer -> answer.status() == 201);
  }

  private static Answer push(RunningServer server, String transactionId) {
    return server.push(item("q", LANE, transactionId));
  }

  private static String status(Answer pushed) {
    return pushed.array().getJsonObject(0).getString("status");
  }
}
