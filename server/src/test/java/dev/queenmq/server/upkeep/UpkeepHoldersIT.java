package dev.queenmq.server.upkeep;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.http.admin.Scrape;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.net.DatagramSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which broker does the jobs of upkeep, one at a time, and what each broker shows of it. */
@ExtendWith(PostgresExtension.class)
class UpkeepHoldersIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ROUNDS = 25;
  private static final int MOST_ROUNDS = 60;
  private static final int PARTITIONS = 20;

  private TestDatabase database;
  private RunningServer server;

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void jobs_areShown_withTheirRuns() {
    server.configure(
        "q", new JsonObject().put("retentionEnabled", true).put("retentionSeconds", 60));
    server.push(item("q", "p", "a"), item("q", "p", "b"));
    // On a slow machine the broker may have kept them on its disk first.
    Awaitility.await()
        .until(
            () ->
                Long.valueOf(2)
                    .equals(database.value("select sum(message_count) from queen.segments")));
    database.query("update queen.segments set created_at = created_at - interval '61 s'");

    JsonObject run = run("retention").object();

    assertThat(run.getString("job")).isEqualTo("retention");
    assertThat(run.getString("state")).isEqualTo("done");
    assertThat(run.getLong("removed")).isEqualTo(2);
    JsonObject retention = job("retention");
    assertThat(retention.getBoolean("running")).isFalse();
    assertThat(retention.getString("holder")).isNull();
    assertThat(retention.getLong("intervalMs")).isEqualTo(300_000);
    assertThat(retention.getString("nextDueAt")).isGreaterThan(run.getString("startedAt"));
    JsonObject last = retention.getJsonArray("runs").getJsonObject(0);
    assertThat(last.getString("startedAt")).isEqualTo(run.getString("startedAt"));
    assertThat(last.getLong("removed")).isEqualTo(2);
    assertThat(last.getString("error")).isNull();
    assertThat(last.getJsonArray("queues").encode())
        .isEqualTo("[{\"queue\":\"q\",\"rule\":\"retention\",\"removed\":2}]");
    assertThat(Scrape.of(server).value("queen_upkeep_removed_messages_total{job=\"retention\"}"))
        .isEqualTo(2);
    assertThat(
            Scrape.of(server).value("queen_upkeep_runs_total{job=\"retention\",result=\"error\"}"))
        .isZero();

    JsonObject chart = server.get("/api/v1/analytics/retention").object();
    assertThat(chart.getInteger("bucketMinutes")).isEqualTo(1);
    assertThat(chart.getJsonArray("series")).hasSize(1);
    assertThat(chart.getJsonArray("series").getJsonObject(0).getLong("totalMsgs")).isEqualTo(2);
    assertThat(chart.getJsonObject("totals").getLong("eventCount")).isEqualTo(1);
    assertThat(
            server.get("/api/v1/analytics/retention?queue=other").object().getJsonArray("series"))
        .isEmpty();
    assertThat(
            server
                .get("/api/v1/analytics/retention?from=2026-01-01&to=2026-02-01")
                .object()
                .getInteger("bucketMinutes"))
        .isEqualTo(360);
    assertThat(server.get("/api/v1/analytics/retention?from=x").status()).isEqualTo(400);
    assertThat(server.get("/api/v1/analytics/retention?from=2026-01-02&to=2026-01-01").error())
        .isEqualTo("from must not be after to");
    assertThat(server.post("/api/v1/system/upkeep/nonsense/run", "").status()).isEqualTo(404);
  }

  @Test
  void aJobOfAnother_isNotRun_untilItsLeaseIsOver() {
    run("eviction");
    hold("eviction", "other:1/x", "1 h");

    Answer refused = server.post("/api/v1/system/upkeep/eviction/run", "");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.error()).contains("eviction", "other:1/x");
    assertThat(job("eviction").getString("holder")).isEqualTo("other:1/x");
    assertThat(job("eviction").getBoolean("running")).isTrue();

    hold("eviction", "other:1/x", "-1 s");
    assertThat(run("eviction").status()).isEqualTo(200);
    assertThat(job("eviction").getString("holder")).isNull();
  }

  @Test
  void aRunWhoseHolderDied_isGoneOnWith_whereItWas() throws IOException {
    UUID run = UUID.randomUUID();
    server.configure(
        "a", new JsonObject().put("retentionEnabled", true).put("retentionSeconds", 60));
    server.configure(
        "b", new JsonObject().put("retentionEnabled", true).put("retentionSeconds", 60));
    server.push(item("a", "p", "1"), item("b", "p", "1"), item("b", "q", "1"));
    run("retention");
    database.query("update queen.segments set created_at = created_at - interval '61 s'");
    database.query(
        ("update queen.upkeep_leases set holder = 'dead', token = token + 1, run_id = '%s',"
                + " run_started_at = clock_timestamp(), at_queue = 'b', at_partition = 'p',"
                + " expires_at = clock_timestamp() - interval '1 s' where job = 'retention'")
            .formatted(run));

    try (RunningServer other = RunningServer.on(database.endpoint())) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  (long)
                          database.value(
                              "select count(*) from queen.upkeep_runs where id = '" + run + "'")
                      == 1);
      // Only what was behind the place where it had stopped.
      assertThat(database.value("select string_agg(queue, ' ') from queen.messages"))
          .isEqualTo("a b");
      assertThat(other.get("/api/v1/system/upkeep").status()).isEqualTo(200);
    }
  }

  /** As PostgreSQL does when a statement has taken too long, or has waited too long for a lock. */
  @ParameterizedTest
  @ValueSource(strings = {"query_canceled", "lock_not_available"})
  void aQueueThatCannotBeDone_doesNotHoldUpThoseBehindIt(String failure) throws IOException {
    for (String queue : List.of("a", "b")) {
      server.configure(
          queue, new JsonObject().put("retentionEnabled", true).put("retentionSeconds", 60));
    }
    server.push(item("a", "p", "1"), item("b", "p", "2"));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> Long.valueOf(2).equals(database.value("select count(*) from queen.segments")));
    database.query(
        ("create function public.fail_delete() returns trigger language plpgsql as"
                + " $$ begin raise exception 'not now' using errcode = '%s'; end $$")
            .formatted(failure));
    database.query(
        "create trigger fail_delete before delete on queen.segments for each row"
            + " when (old.transaction_ids = array['1']) execute function public.fail_delete()");
    database.query("update queen.segments set created_at = created_at - interval '61 s'");

    try (RunningServer eager =
        RunningServer.on(database.endpoint(), Map.of("RETENTION_INTERVAL", "100"))) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  "a".equals(database.value("select string_agg(queue, ' ') from queen.messages")));
      assertThat(eager.get("/api/v1/system/upkeep").status()).isEqualTo(200);
    }
  }

  @Test
  void twoBrokers_neverDoAJobAtTheSameTime() throws IOException {
    Map<String, String> eager = Map.of("EVICTION_INTERVAL", "100", "RETENTION_INTERVAL", "100");
    try (RunningServer one = RunningServer.on(database.endpoint(), eager);
        RunningServer two = RunningServer.on(database.endpoint(), eager)) {
      for (RunningServer each : List.of(one, two)) {
        each.configure("q" + each.port(), new JsonObject().put("maxWaitTimeSeconds", 1));
      }
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  (long)
                          database.value(
                              "select count(*) from queen.upkeep_runs where job = 'eviction'")
                      >= 20);
    }

    assertThat(
            database.query(
                "select a.job from queen.upkeep_runs a join queen.upkeep_runs b on a.job = b.job"
                    + " and a.id <> b.id and a.started_at < b.ended_at and b.started_at <"
                    + " a.ended_at"))
        .isEmpty();
    // Both have stopped, and hold nothing.
    assertThat(database.value("select count(*) from queen.upkeep_leases where holder like '%/%'"))
        .isEqualTo(0L);
  }

  /** A push that is answered is stored, whatever happens to its partition at that moment. */
  @Test
  void pushes_areNotLost_whileTheirPartitionsAreRemoved() {
    List<String> acknowledged = new ArrayList<>();
    long removed = 0;
    // If the pushes are always first, nothing is removed: then the job gets ahead of them.
    for (int round = 0; round < ROUNDS || (removed == 0 && round < MOST_ROUNDS); round++) {
      server.push(items("before-" + round));
      makeUnused();
      List<CompletableFuture<Answer>> pushes = new ArrayList<>();
      CompletableFuture<Answer> job =
          server.postLater("/api/v1/system/upkeep/partitions/run?wait=60000", "");
      LockSupport.parkNanos(Duration.ofMillis(Math.max(0, round - ROUNDS)).toNanos());
      for (int i = 0; i < 3; i++) {
        pushes.add(
            server.postLater(
                "/api/v1/push",
                new JsonObject()
                    .put("items", List.of(items("during-" + round + "-" + i)))
                    .encode()));
      }
      for (CompletableFuture<Answer> push : pushes) {
        push.join().array().stream()
            .map(JsonObject.class::cast)
            .filter(each -> each.getString("status").equals("queued"))
            .forEach(each -> acknowledged.add(each.getString("message_id")));
      }
      removed += job.join().object().getLong("removed");
      for (Row row : database.query("select message_id::text from queen.messages")) {
        acknowledged.remove(row.getString(0));
      }
      assertThat(acknowledged).as("acknowledged and lost in round %d", round).isEmpty();
    }
    assertThat(removed).isPositive();
  }

  @Test
  void removedPartitions_areForgottenByTheOtherBrokers() throws IOException {
    int[] ports = {freeUdpPort(), freeUdpPort()};
    String peers = "127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1];
    try (RunningServer one = clustered(peers, ports[0]);
        RunningServer two = clustered(peers, ports[1])) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () ->
                  one.get("/api/v1/system/shared-state").body().contains(":" + ports[1])
                      && two.get("/api/v1/system/shared-state").body().contains(":" + ports[0]));
      boolean forgotten = false;
      // One packet says so, and packets may be lost.
      for (int attempt = 0; attempt < 5 && !forgotten; attempt++) {
        removePartition(one, two, "a" + attempt);
        forgotten = becomes(() -> rememberedIds(two) == 0);
      }
      assertThat(forgotten).isTrue();
      two.push(item("q", "p", "b"));
      assertThat(two.get("/api/v1/pop/queue/q/partition/p").transactionIds()).containsExactly("b");
    }
  }

  private void removePartition(RunningServer one, RunningServer two, String transactionId) {
    two.push(item("q", "p", transactionId));
    two.get("/api/v1/pop/queue/q/partition/p?autoAck=true");
    assertThat(rememberedIds(two)).isPositive();
    makeUnused();
    database.query("delete from queen.cursors");
    // The other broker may be at the same job just then; then this answer names no count.
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> {
              one.post("/api/v1/system/upkeep/partitions/run?wait=60000", "");
              return database.query("select from queen.partitions").size() == 0;
            });
  }

  private static boolean becomes(Callable<Boolean> condition) {
    try {
      Awaitility.await().atMost(Duration.ofSeconds(15)).until(condition);
      return true;
    } catch (ConditionTimeoutException e) {
      return false;
    }
  }

  private RunningServer clustered(String peers, int port) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "QUEEN_UDP_PEERS",
            peers,
            "QUEEN_UDP_NOTIFY_PORT",
            String.valueOf(port),
            "QUEEN_SYNC_SECRET",
            "5ca1ab1e".repeat(8)));
  }

  private static long rememberedIds(RunningServer broker) {
    return broker
        .get("/api/v1/system/shared-state")
        .object()
        .getJsonObject("partition_id_cache")
        .getLong("size");
  }

  private static int freeUdpPort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return socket.getLocalPort();
    }
  }

  private static JsonObject[] items(String transactionId) {
    JsonObject[] items = new JsonObject[PARTITIONS];
    for (int i = 0; i < PARTITIONS; i++) {
      items[i] = item("race", "p" + i, transactionId);
    }
    return items;
  }

  private void makeUnused() {
    database.query("delete from queen.segments");
    database.query(
        "update queen.partitions set first_offset = next_offset, created_at = now() - interval '31"
            + " d', last_append_at = now() - interval '31 d'");
  }

  private Answer run(String job) {
    Answer answer = server.post("/api/v1/system/upkeep/" + job + "/run?wait=60000", "");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer;
  }

  private void hold(String job, String holder, String until) {
    database.query(
        ("update queen.upkeep_leases set holder = '%s', token = token + 1,"
                + " expires_at = clock_timestamp() + interval '%s' where job = '%s'")
            .formatted(holder, until, job));
  }

  private JsonObject job(String name) {
    return server.get("/api/v1/system/upkeep").object().getJsonArray("jobs").stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("job").equals(name))
        .findFirst()
        .orElseThrow();
  }
}
