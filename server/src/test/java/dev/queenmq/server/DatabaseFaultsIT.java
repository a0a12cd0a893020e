package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What clients see over HTTP while PostgreSQL is in trouble: waiting, never a loss. */
@ExtendWith(PostgresExtension.class)
class DatabaseFaultsIT {
  /** Backends that are ended in the storm. */
  private static final int STORM = 60;

  private static final int SOME_PUSHES = 200;

  @Test
  void terminatedBackends_popsWait_nothingIsLost_andPushesGoOn(TestDatabase database)
      throws IOException {
    RunningServer server = RunningServer.on(database.endpoint());
    server.configure("q", new JsonObject().put("leaseTime", 2).put("retryLimit", 1000));
    try (Traffic traffic = new Traffic(server, "q").start(4, 3)) {
      traffic.awaitPushes(SOME_PUSHES);
      long storm = traffic.pushes();
      int killed = 0;
      PgConnection killer = database.connect();
      while (killed < STORM) {
        killed +=
            await(
                    killer
                        .query(
                            "select pg_terminate_backend(pid) from pg_stat_activity"
                                + " where datname = current_database()"
                                + " and backend_type = 'client backend'"
                                + " and pid <> pg_backend_pid()")
                        .execute())
                .rowCount();
        Traffic.pause(Duration.ofMillis(100));
      }
      await(killer.close());
      long during = traffic.pushes() - storm;

      traffic.awaitPushes(SOME_PUSHES);
      traffic.stopProducing();
      Awaitility.await().until(traffic::drained);
      System.out.printf("storm: %d backends ended, %d pushes meanwhile%n", killed, during);

      assertThat(traffic.wrongs()).isEmpty();
      assertThat(traffic.seen()).isEqualTo(traffic.stored());
      assertThat(traffic.readAll("later")).isEqualTo(traffic.stored());
    } finally {
      server.close();
    }
  }

  @Test
  void cutLine_pollsWaitOn_pushesAreRefusedOrStored_andAllWorksAfterwards(TestDatabase database)
      throws IOException {
    try (FaultyProxy line =
        new FaultyProxy(database.vertx(), database.endpoint(), FaultyProxy.Fault.NONE)) {
      RunningServer server = RunningServer.on(line.endpoint());
      try {
        server.push(item("q", "p", "before"));
        assertThat(server.pop("q", "autoAck=true").transactionIds()).containsExactly("before");
        CompletableFuture<Answer> ends = server.popLater("empty", "wait=true&timeout=5000");
        CompletableFuture<Answer> goesOn = server.popLater("q", "wait=true&timeout=120000");
        server.awaitWaiting(2);

        line.set(FaultyProxy.Fault.CLOSED);
        line.cut();
        CompletableFuture<Answer> inTheDark = server.popLater("new", "wait=true&timeout=1000");
        Answer glance = server.pop("new", "wait=false");
        List<String> uncertain = new ArrayList<>();
        // At least one, and until both polls had to answer without the database.
        while (uncertain.isEmpty() || !inTheDark.isDone() || !ends.isDone()) {
          String id = "m" + uncertain.size();
          Answer pushed = server.push(item("q", "p", id));
          assertThat(pushed.status()).isEqualTo(503);
          assertThat(pushed.http().headers().firstValue("Retry-After")).contains("1");
          assertThat(pushed.error()).isNotEmpty();
          uncertain.add(id);
        }
        assertThat(glance.status()).isEqualTo(204);
        assertThat(inTheDark.join().status()).isEqualTo(204);
        assertThat(ends.join().status()).isEqualTo(204);
        assertThat(goesOn).isNotDone();

        line.set(FaultyProxy.Fault.NONE);
        JsonArray items = new JsonArray();
        uncertain.forEach(id -> items.add(item("q", "p", id)));
        Answer repeated = pushUntilStored(server, new JsonObject().put("items", items));
        assertThat(statuses(repeated)).isSubsetOf("queued", "duplicate");
        assertThat(goesOn.join().transactionIds()).startsWith("m0");
        Answer again = server.post("/api/v1/push", new JsonObject().put("items", items));
        assertThat(statuses(again)).containsOnly("duplicate");
        assertThat(server.pop("q", "consumerGroup=later&batch=1000").transactionIds())
            .startsWith("before")
            .containsAll(uncertain)
            .hasSize(uncertain.size() + 1);
      } finally {
        server.close();
      }
    }
  }

  @Test
  void lockedPartition_doesNotDelayOthers(TestDatabase database) throws IOException {
    // The lock is waited for longer than the test takes: whoever is answered did not wait for it.
    RunningServer server = withLockTimeout(database, "600000");
    PgConnection holder = database.connect();
    try {
      server.push(item("stuck", "p", "first"));
      server.push(item("other", "p", "first"));
      lockPartition(holder);
      CompletableFuture<Answer> stuck = pushLater(server, "stuck", "second");
      awaitLockWait(database);
      // More of the same than there are connections: they wait for the first, and hold none.
      List<CompletableFuture<Answer>> more = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        more.add(pushLater(server, "stuck", "more" + i));
      }

      for (int i = 0; i < 30; i++) {
        assertThat(server.push(item("other", "p", "m" + i)).status()).isEqualTo(201);
        assertThat(server.pop("other", "autoAck=true&wait=true&timeout=60000").messages())
            .isNotEmpty();
      }

      assertThat(stuck).isNotDone();
      await(holder.query("rollback").execute());
      assertThat(stuck.join().status()).isEqualTo(201);
      more.forEach(each -> assertThat(each.join().status()).isIn(201, 503));
    } finally {
      await(holder.close());
      server.close();
    }
  }

  @Test
  void lockedPartition_isAnsweredInTheEnd(TestDatabase database) throws IOException {
    RunningServer server = withLockTimeout(database, "500");
    PgConnection holder = database.connect();
    try {
      server.push(item("stuck", "p", "first"));
      lockPartition(holder);

      Answer answer = pushLater(server, "stuck", "second").join();

      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.error()).isNotEmpty();
      await(holder.query("rollback").execute());
      assertThat(statuses(pushLater(server, "stuck", "second").join()))
          .isSubsetOf("queued", "duplicate");
      assertThat(server.pop("stuck", "batch=100").transactionIds())
          .containsExactly("first", "second");
    } finally {
      await(holder.close());
      server.close();
    }
  }

  private static RunningServer withLockTimeout(TestDatabase database, String millis) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "NUM_WORKERS",
            "1",
            "SIDECAR_POOL_SIZE",
            "4",
            "DB_LOCK_TIMEOUT",
            millis,
            "DB_STATEMENT_TIMEOUT",
            "600000"));
  }

  private static void lockPartition(PgConnection holder) {
    await(holder.query("begin").execute());
    await(
        holder
            .query(
                "select 1 from queen.partitions p join queen.queues q on q.id = p.queue_id"
                    + " where q.name = 'stuck' for update of p")
            .execute());
  }

  private static void awaitLockWait(TestDatabase database) {
    Awaitility.await()
        .until(
            () ->
                database
                    .value(
                        "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                            + " and datname = current_database()")
                    .equals(1L));
  }

  private static CompletableFuture<Answer> pushLater(
      RunningServer server, String queue, String id) {
    return server.postLater(
        "/api/v1/push",
        Json.encode(new JsonObject().put("items", new JsonArray().add(item(queue, "p", id)))));
  }

  private static Answer pushUntilStored(RunningServer server, JsonObject body) {
    return Awaitility.await()
        .until(() -> server.post("/api/v1/push", body), answer -> answer.status() == 201);
  }

  private static List<String> statuses(Answer pushed) {
    return pushed.array().stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }
}
