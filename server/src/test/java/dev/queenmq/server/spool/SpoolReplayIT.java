package dev.queenmq.server.spool;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.ServerProcess;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.http.streams.StreamClient;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The way from the spool to PostgreSQL, with obstacles. */
@ExtendWith(PostgresExtension.class)
class SpoolReplayIT {
  private static final String MAINTENANCE = "/api/v1/system/maintenance";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void refusedRecord_goesToTheDeadFileAlone_andAFullQueueDoesNotDelayOthers(TestDatabase database)
      throws Exception {
    try (RunningServer server = RunningServer.on(database.endpoint(), settings(Map.of()))) {
      server.configure("small", new JsonObject().put("maxSize", 3));
      maintenance(server, true);
      push(server, "small", 0, 5, "buffered");
      push(server, "q", 0, 3, "buffered");
      assertThat(status(server.push(item("q", "p", "poison")))).isEqualTo("buffered");
      push(server, "q", 3, 6, "buffered");
      push(server, "other", 0, 2, "buffered");
      database.query(
          "alter table queen.segments add check ('poison' <> all (transaction_ids)) not valid");

      maintenance(server, false);
      assertThat(found(server, "other", 2)).isEqualTo(ids(0, 2));
      assertThat(found(server, "q", 6)).isEqualTo(ids(0, 6));
      // It has no room for what is in the spool already.
      List<String> small = new ArrayList<>(ids(0, 5));
      Awaitility.await()
          .atMost(LIMIT)
          .until(
              () -> {
                String next = "m" + small.size();
                boolean refused = status(server.push(item("small", "p", next))).equals("failed");
                if (!refused) {
                  small.add(next);
                }
                return refused;
              });
      assertThat(found(server, "small", small.size())).isEqualTo(small);
      Awaitility.await()
          .atMost(LIMIT)
          .until(() -> server.get("/api/v1/status/buffers").object().getInteger("pending") == 0);
      assertThat(server.get("/api/v1/status/buffers").object().getInteger("failed")).isEqualTo(1);
      push(server, "q", 6, 7, "queued");
    }
  }

  @Test
  void whatAFullQueueHasNoRoomFor_letsTheRestOfTheSpoolPass_andIsStoredOnceInTheEnd(
      TestDatabase database) throws Exception {
    // So little room that the spool has many files, and that of the full queue stands in the first.
    Map<String, String> settings = settings(Map.of("SPOOL_MAX_BYTES", "1200000"));
    int others = 1_500;
    try (RunningServer server = RunningServer.on(database.endpoint(), settings)) {
      server.configure("small", new JsonObject().put("maxSize", 3).put("dedupWindowSeconds", 0));
      push(server, "small", 0, 3, "queued");
      maintenance(server, true);
      push(server, "small", 3, 6, "buffered");
      for (int from = 0; from < others; from += 100) {
        JsonArray items = new JsonArray();
        ids(from, from + 100)
            .forEach(id -> items.add(item("q", "p", id).put("payload", "x".repeat(200))));
        assertThat(server.post("/api/v1/push", new JsonObject().put("items", items)).status())
            .isEqualTo(201);
      }
      maintenance(server, false);

      assertThat(found(server, "q", others)).isEqualTo(ids(0, others));
      Awaitility.await().atMost(LIMIT).until(() -> pending(server) == 3);
      maintenance(server, true);
      push(server, "small", 6, 7, "buffered");
    }
    try (RunningServer again = RunningServer.on(database.endpoint(), settings)) {
      assertThat(found(again, "small", 3)).isEqualTo(ids(0, 3));
      maintenance(again, false);
      // Nothing overtakes what is aside, though there is room for it.
      assertThat(found(again, "small", 4)).isEqualTo(ids(3, 7));
      Awaitility.await().atMost(LIMIT).until(() -> pending(again) == 0);
      push(again, "small", 7, 8, "queued");
    }
  }

  @Test
  void transactionsAndCycles_waitForWhatTheSpoolHoldsOfTheirPartitions(TestDatabase database)
      throws Exception {
    try (RunningServer server = RunningServer.on(database.endpoint(), settings(Map.of()))) {
      assertThat(server.push(item("source", "p", "m0")).status()).isEqualTo(201);
      JsonObject source =
          server.pop("source", "consumerGroup=g&wait=true&timeout=60000").messages().get(0);
      StreamClient stream = StreamClient.of(server, "source");
      JsonObject ack =
          new JsonObject()
              .put("type", "ack")
              .put("transactionId", "m0")
              .put("partitionId", source.getString("partitionId"))
              .put("leaseId", source.getString("leaseId"))
              .put("consumerGroup", "g");
      maintenance(server, true);
      push(server, "q", 0, 1, "buffered");

      for (Answer refused :
          List.of(
              transaction(server, ack, item("q", "p", "m1")),
              stream.send(
                  stream
                      .cycle(source.getString("partitionId"))
                      .put("push_items", new JsonArray().add(item("q", "p", "m1")))))) {
        assertThat(refused.status()).as(refused.body()).isEqualTo(503);
        assertThat(refused.error())
            .isEqualTo(
                "Partition p of queue q has messages in the spool, which come first; try again");
      }
      // Others do not wait: a partition of the same queue, and acks alone.
      assertThat(success(transaction(server, item("q", "r", "r0")))).isTrue();
      maintenance(server, false);
      Awaitility.await().atMost(LIMIT).until(() -> pending(server) == 0);

      Awaitility.await()
          .atMost(LIMIT)
          .until(
              () -> {
                Answer answer = transaction(server, ack, item("q", "p", "m1"));
                return answer.status() == 200 && success(answer);
              });
      assertThat(
              server
                  .get("/api/v1/pop/queue/q/partition/p?batch=9&autoAck=true&consumerGroup=g")
                  .transactionIds())
          .containsExactly("m0", "m1");
    }
  }

  private static Answer transaction(RunningServer server, JsonObject... operations) {
    JsonArray all = new JsonArray();
    for (JsonObject each : operations) {
      all.add(each.containsKey("type") ? each : each.put("type", "push"));
    }
    return server.post("/api/v1/transaction", new JsonObject().put("operations", all));
  }

  private static boolean success(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.object().getBoolean("success");
  }

  private static int pending(RunningServer server) {
    return server.get("/api/v1/status/buffers").object().getInteger("pending");
  }

  @Test
  void fullSpool_refusesPushes_andLosesNothing(TestDatabase database) throws Exception {
    try (RunningServer server =
        RunningServer.on(database.endpoint(), settings(Map.of("SPOOL_MAX_BYTES", "200000")))) {
      maintenance(server, true);
      int taken = 0;
      Answer last = server.push(large(taken));
      while (last.status() == 201) {
        taken++;
        last = server.push(large(taken));
      }
      assertThat(last.status()).isEqualTo(503);
      assertThat(last.error()).contains("full");
      assertThat(last.http().headers().firstValue("Retry-After")).contains("1");
      assertThat(taken).isGreaterThan(10);
      assertThat(server.get(MAINTENANCE).object().getInteger("bufferedMessages")).isEqualTo(taken);

      maintenance(server, false);
      assertThat(found(server, "q", taken)).isEqualTo(ids(0, taken));
      assertThat(server.pop("q", "consumerGroup=g").status()).isEqualTo(204);
    }
  }

  @Test
  void killedDuringReplay_everyMessageIsThereOnce(TestDatabase database) throws Exception {
    int count = 6_000;
    Map<String, String> environment = environment(database.endpoint());
    environment.put("QUEEN_SPOOL_DIR", folder.resolve("killed").toString());
    try (ServerProcess first = ServerProcess.start(folder, environment)) {
      RunningServer server = RunningServer.at(first.port());
      server.configure("q", new JsonObject().put("dedupWindowSeconds", 0));
      maintenance(server, true);
      for (int from = 0; from < count; from += 500) {
        JsonArray items = new JsonArray();
        ids(from, from + 500).forEach(id -> items.add(item("q", "p", id)));
        assertThat(server.post("/api/v1/push", new JsonObject().put("items", items)).status())
            .isEqualTo(201);
      }
      maintenance(server, false);
      Awaitility.await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(1))
          .until(() -> stored(database) > 0);
      first.signal("KILL");
      first.exitCode();
    }
    System.out.printf("killed with %d of %d messages replayed%n", stored(database), count);
    try (RunningServer again =
        RunningServer.on(
            database.endpoint(), Map.of("QUEEN_SPOOL_DIR", folder.resolve("killed").toString()))) {
      assertThat(found(again, "q", count)).isEqualTo(ids(0, count));
      assertThat(stored(database)).isEqualTo(count);
    }
  }

  @Test
  void forgottenConnections_holdUpTheReplayOnlyForAWhile(TestDatabase database) throws Exception {
    try (FaultyProxy line =
            new FaultyProxy(database.vertx(), database.endpoint(), FaultyProxy.Fault.NONE);
        RunningServer server = RunningServer.on(line.endpoint(), settings(Map.of()))) {
      // The first makes the partition. The second goes the usual way, and its connection stays
      // open.
      push(server, "q", 0, 2, "queued");
      line.forget();

      assertThat(status(server.push(item("q", "p", "m2")))).isEqualTo("buffered");
      assertThat(found(server, "q", 3)).isEqualTo(ids(0, 3));
    }
  }

  @Test
  void oneOfTwoBrokersIsCutOff_everyMessageIsDeliveredOnce_inOrder(TestDatabase database)
      throws Exception {
    try (FaultyProxy line =
            new FaultyProxy(database.vertx(), database.endpoint(), FaultyProxy.Fault.NONE);
        RunningServer cut = RunningServer.on(line.endpoint(), settings(Map.of()));
        RunningServer fine =
            RunningServer.on(
                database.endpoint(),
                Map.of("QUEEN_SPOOL_DIR", folder.resolve("fine").toString()))) {
      fine.configure("q", new JsonObject().put("dedupWindowSeconds", 0));
      Map<String, Integer> sent = new ConcurrentHashMap<>();
      boolean[] over = new boolean[1];
      List<Thread> producers = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String partition = "p" + i;
        RunningServer server = i < 2 ? cut : fine;
        Thread producer =
            new Thread(
                () -> {
                  int next = 0;
                  while (!over[0]) {
                    Answer answer = server.push(item("q", partition, "m" + next));
                    // Anything else may have been stored: then the number is not used again.
                    if (answer.status() == 201) {
                      next++;
                      sent.put(partition, next);
                    } else {
                      throw new AssertionError(answer.body());
                    }
                  }
                });
        producer.start();
        producers.add(producer);
      }
      Awaitility.await().atMost(LIMIT).until(() -> sent.size() == 4);
      for (FaultyProxy.Fault fault : List.of(FaultyProxy.Fault.SILENT, FaultyProxy.Fault.CLOSED)) {
        line.set(fault);
        line.cut();
        int before = sent.getOrDefault("p0", 0);
        Awaitility.await()
            .atMost(LIMIT)
            .until(
                () ->
                    cut.get("/api/v1/status/buffers").object().getInteger("pending") > 50
                        && sent.getOrDefault("p0", 0) > before);
        line.set(FaultyProxy.Fault.NONE);
        Awaitility.await()
            .atMost(LIMIT)
            .until(() -> cut.get("/api/v1/status/buffers").object().getBoolean("dbHealthy"));
      }
      over[0] = true;
      for (Thread producer : producers) {
        producer.join();
      }
      int total = sent.values().stream().mapToInt(Integer::intValue).sum();
      for (String group : List.of("g", "h")) {
        Map<String, List<String>> found = new HashMap<>();
        int[] got = new int[1];
        Awaitility.await()
            .atMost(LIMIT)
            .until(
                () -> {
                  Answer answer = fine.pop("q", "batch=1000&autoAck=true&consumerGroup=" + group);
                  for (JsonObject message : answer.messages()) {
                    found
                        .computeIfAbsent(message.getString("partition"), p -> new ArrayList<>())
                        .add(message.getString("transactionId"));
                    got[0]++;
                  }
                  return got[0] >= total;
                });
        sent.forEach(
            (partition, count) ->
                assertThat(found.get(partition)).as(partition).isEqualTo(ids(0, count)));
      }
    }
  }

  @Test
  void batchThatAlwaysTakesTooLong_isCut_untilItPasses(TestDatabase database) throws Exception {
    try (RunningServer server = RunningServer.on(database.endpoint(), settings(Map.of()))) {
      maintenance(server, true);
      push(server, "q", 0, 12, "buffered");
      // As PostgreSQL does when the time of a statement is over.
      database.query(
          """
          create function public.cancel_large() returns trigger language plpgsql as $$
          begin
            if new.message_count > 4 then
              raise exception 'canceling statement due to statement timeout'
                using errcode = 'query_canceled';
            end if;
            return new;
          end
          $$
          """);
      database.query(
          "create trigger cancel_large before insert on queen.segments"
              + " for each row execute function public.cancel_large()");

      maintenance(server, false);
      assertThat(found(server, "q", 12)).isEqualTo(ids(0, 12));
    }
  }

  @Test
  void lockedPartition_goesThroughTheSpool_andNoOtherDoes(TestDatabase database) throws Exception {
    PgConnection holder = database.connect();
    try (RunningServer server =
        RunningServer.on(database.endpoint(), settings(Map.of("DB_LOCK_TIMEOUT", "1000")))) {
      push(server, "stuck", 0, 1, "queued");
      push(server, "other", 0, 1, "queued");
      await(holder.query("begin").execute());
      await(
          holder
              .query(
                  "select 1 from queen.partitions p join queen.queues q on q.id = p.queue_id"
                      + " where q.name = 'stuck' for update of p")
              .execute());
      push(server, "stuck", 1, 4, "buffered");
      push(server, "other", 1, 20, "queued");
      maintenance(server, true);
      push(server, "other", 20, 22, "buffered");
      maintenance(server, false);
      // Behind the others in the spool, but not held up by them.
      assertThat(found(server, "other", 22)).isEqualTo(ids(0, 22));
      Awaitility.await().until(() -> server.get("/health").status() == 200);
      await(holder.query("rollback").execute());
      assertThat(found(server, "stuck", 4)).isEqualTo(ids(0, 4));
    } finally {
      await(holder.close());
    }
  }

  @Test
  void largePush_isWaitedFor_whilePostgresAnswers(TestDatabase database) throws Exception {
    PgConnection holder = database.connect();
    try (RunningServer server =
        RunningServer.on(database.endpoint(), settings(Map.of("DB_LOCK_TIMEOUT", "60000")))) {
      push(server, "large", 0, 1, "queued");
      await(holder.query("begin").execute());
      await(
          holder
              .query(
                  "select 1 from queen.partitions p join queen.queues q on q.id = p.queue_id"
                      + " where q.name = 'large' for update of p")
              .execute());
      CompletableFuture<String> answer =
          CompletableFuture.supplyAsync(
              () ->
                  status(
                      server.push(item("large", "p", "m1").put("payload", "x".repeat(20 << 20)))));
      // Several deadlines of a small push, by the clock of PostgreSQL.
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  (Long)
                          database.value(
                              "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                                  + " and query_start < now() - interval '1500 milliseconds'")
                      > 0);
      assertThat(answer).isNotDone();
      await(holder.query("rollback").execute());
      assertThat(answer.get()).isEqualTo("queued");
    } finally {
      await(holder.close());
    }
  }

  private static long stored(TestDatabase database) {
    return (Long)
        database.value("select coalesce(sum(next_offset), 0)::bigint from queen.partitions");
  }

  private static void maintenance(RunningServer server, boolean on) {
    // 503 while the database is slow to answer.
    Awaitility.await()
        .atMost(LIMIT)
        .until(() -> server.post(MAINTENANCE, new JsonObject().put("enabled", on)).status() == 200);
  }

  private static JsonObject large(int number) {
    return item("q", "p", "m" + number).put("payload", "x".repeat(5_000));
  }

  private static void push(RunningServer server, String queue, int from, int to, String expected) {
    for (String id : ids(from, to)) {
      assertThat(status(server.push(item(queue, "p", id)))).isEqualTo(expected);
    }
  }

  private static String status(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    return answer.array().getJsonObject(0).getString("status");
  }

  private static List<String> ids(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "m" + i).toList();
  }

  private static List<String> found(RunningServer server, String queue, int count) {
    List<String> found = new ArrayList<>();
    Awaitility.await()
        .atMost(LIMIT)
        .until(
            () -> {
              found.addAll(
                  server.pop(queue, "autoAck=true&batch=1000&consumerGroup=g").transactionIds());
              return found.size() >= count;
            });
    return found;
  }

  private Map<String, String> settings(Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("QUEEN_SPOOL_DIR", folder.resolve("spool").toString());
    settings.put("QUEEN_SPOOL_DEADLINE_MS", "3000");
    return settings;
  }

  private static Map<String, String> environment(PostgresEndpoint endpoint) {
    Map<String, String> environment = new HashMap<>();
    environment.put("PG_HOST", endpoint.host());
    environment.put("PG_PORT", Integer.toString(endpoint.port()));
    environment.put("PG_DB", endpoint.database());
    environment.put("PG_USER", endpoint.user());
    environment.put("PG_PASSWORD", endpoint.password().value());
    return environment;
  }
}
