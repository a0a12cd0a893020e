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
  private static final Duration RECOVERY = Duration.ofSeconds(5);
  private static final Duration STORM = Duration.ofSeconds(3);

  @Test
  void terminatedBackends_popsWait_nothingIsLost_andTheRateIsBack(TestDatabase database)
      throws IOException {
    RunningServer server = RunningServer.on(database.endpoint());
    server.configure("q", new JsonObject().put("leaseTime", 2).put("retryLimit", 1000));
    try (Traffic traffic = new Traffic(server, "q").start(4, 3)) {
      Traffic.pause(Duration.ofSeconds(1));
      double usual = traffic.rate(Duration.ofSeconds(1));

      long storm = traffic.pushes();
      long over = System.nanoTime() + STORM.toNanos();
      int killed = 0;
      PgConnection killer = database.connect();
      while (System.nanoTime() < over) {
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

      Duration back = timeUntilRate(traffic, usual * 0.7);
      traffic.stopProducing();
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(traffic::drained);
      System.out.printf(
          "storm: %d backends ended, %.0f pushes/s before, %d in the storm, back after %d ms%n",
          killed, usual, during, back.toMillis());

      assertThat(killed).isGreaterThan(30);
      assertThat(back).isLessThan(RECOVERY);
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
        CompletableFuture<Answer> ends = server.popLater("empty", "wait=true&timeout=1600");
        CompletableFuture<Answer> goesOn = server.popLater("q", "wait=true&timeout=20000");
        Traffic.pause(Duration.ofMillis(300));

        line.set(FaultyProxy.Fault.CLOSED);
        line.cut();
        long cut = System.nanoTime();
        CompletableFuture<Answer> inTheDark = server.popLater("new", "wait=true&timeout=1000");
        Answer glance = server.pop("new", "wait=false");
        List<String> uncertain = new ArrayList<>();
        while (System.nanoTime() - cut < Duration.ofSeconds(2).toNanos()) {
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
        assertThat(server.pop("q", "consumerGroup=later&batch=100").transactionIds())
            .startsWith("before")
            .containsAll(uncertain)
            .hasSize(uncertain.size() + 1);
      } finally {
        server.close();
      }
    }
  }

  @Test
  void lockedPartition_delaysNobodyElse_andIsAnsweredInTheEnd(TestDatabase database)
      throws IOException {
    RunningServer server =
        RunningServer.on(
            database.endpoint(),
            Map.of("NUM_WORKERS", "1", "SIDECAR_POOL_SIZE", "4", "DB_LOCK_TIMEOUT", "1000"));
    PgConnection holder = database.connect();
    try {
      server.push(item("stuck", "p", "first"));
      server.push(item("other", "p", "first"));
      await(holder.query("begin").execute());
      await(
          holder
              .query(
                  "select 1 from queen.partitions p join queen.queues q on q.id = p.queue_id"
                      + " where q.name = 'stuck' for update of p")
              .execute());
      long asked = System.nanoTime();
      CompletableFuture<Answer> stuck = pushLater(server, "stuck", "second");
      Traffic.pause(Duration.ofMillis(50));
      // More of the same than there are connections: they wait for the first, and hold none.
      List<CompletableFuture<Answer>> more = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        more.add(pushLater(server, "stuck", "more" + i));
      }

      long slowest = 0;
      for (int i = 0; i < 30; i++) {
        long from = System.nanoTime();
        assertThat(server.push(item("other", "p", "m" + i)).status()).isEqualTo(201);
        assertThat(server.pop("other", "autoAck=true&wait=true&timeout=500").messages())
            .isNotEmpty();
        slowest = Math.max(slowest, System.nanoTime() - from);
      }
      System.out.printf(
          "locked partition: slowest push and pop of others %d ms%n", slowest / 1000000);
      Answer answer = stuck.join();
      Duration took = Duration.ofNanos(System.nanoTime() - asked);
      System.out.printf("locked partition: %d after %d ms%n", answer.status(), took.toMillis());

      assertThat(Duration.ofNanos(slowest)).isLessThan(Duration.ofSeconds(1));
      assertThat(answer.status()).isEqualTo(503);
      assertThat(answer.error()).isNotEmpty();
      assertThat(took).isLessThan(Duration.ofSeconds(3));
      await(holder.query("rollback").execute());
      more.forEach(each -> assertThat(each.join().status()).isIn(201, 503));
      assertThat(statuses(pushLater(server, "stuck", "second").join()))
          .isSubsetOf("queued", "duplicate");
      assertThat(server.pop("stuck", "batch=100").transactionIds())
          .startsWith("first")
          .contains("second");
    } finally {
      await(holder.close());
      server.close();
    }
  }

  private static Duration timeUntilRate(Traffic traffic, double wanted) {
    long from = System.nanoTime();
    while (traffic.rate(Duration.ofMillis(200)) < wanted) {
      if (System.nanoTime() - from > RECOVERY.multipliedBy(3).toNanos()) {
        break;
      }
    }
    return Duration.ofNanos(System.nanoTime() - from);
  }

  private static CompletableFuture<Answer> pushLater(
      RunningServer server, String queue, String id) {
    return server.postLater(
        "/api/v1/push",
        Json.encode(new JsonObject().put("items", new JsonArray().add(item(queue, "p", id)))));
  }

  private static Answer pushUntilStored(RunningServer server, JsonObject body) {
    long limit = System.nanoTime() + RECOVERY.toNanos();
    Answer answer = server.post("/api/v1/push", body);
    while (answer.status() != 201 && System.nanoTime() < limit) {
      answer = server.post("/api/v1/push", body);
    }
    assertThat(answer.status()).isEqualTo(201);
    return answer;
  }

  private static List<String> statuses(Answer pushed) {
    return pushed.array().stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }
}
