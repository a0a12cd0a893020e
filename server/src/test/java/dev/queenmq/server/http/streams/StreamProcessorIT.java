package dev.queenmq.server.http.streams;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.http.streams.StreamClient.put;
import static dev.queenmq.server.http.streams.StreamClient.remove;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Stream processors at work, many of them, some of which die: what comes out is exact. */
@ExtendWith(PostgresExtension.class)
class StreamProcessorIT {
  private static final int OVERLOADED = 503;
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final int PARTITIONS = 3;
  private static final int MESSAGES = 120;
  private static final int PROCESSORS = 6;

  /**
   * Each reads a counter, adds the messages that it has leased, and writes it in a cycle. One
   * broker is restarted meanwhile; some processors vanish between read and write, and speak up when
   * others have long taken over.
   */
  @Test
  void processors_loseNoUpdate_andCountEachMessageOnce(TestDatabase database) throws Exception {
    try (RunningServer steady = RunningServer.on(database.endpoint())) {
      List<RunningServer> servers =
          new CopyOnWriteArrayList<>(List.of(steady, RunningServer.on(database.endpoint())));
      steady.configure("counted", new JsonObject().put("leaseTime", 1).put("retryLimit", 100));
      Map<String, Integer> expected = pushNumbers(steady);
      StreamClient stream = StreamClient.of(steady, "counted");
      Queue<JsonObject> late = new ConcurrentLinkedQueue<>();
      AtomicBoolean over = new AtomicBoolean();
      List<CompletableFuture<Void>> working = new ArrayList<>();
      for (int i = 0; i < PROCESSORS; i++) {
        Random random = new Random(i);
        int broker = i % 2;
        working.add(
            CompletableFuture.runAsync(
                () -> {
                  while (!over.get()) {
                    try {
                      count(stream.at(servers.get(broker)), random, late);
                    } catch (CompletionException brokerIsAway) {
                      Thread.onSpinWait();
                    }
                  }
                },
                task -> new Thread(task).start()));
      }

      Awaitility.await().atMost(LONG).until(() -> total(stream, expected) > MESSAGES / 2);
      servers.get(1).close();
      servers.set(1, RunningServer.on(database.endpoint()));
      Awaitility.await().atMost(LONG).until(() -> total(stream, expected) >= sum(expected));
      over.set(true);
      working.forEach(CompletableFuture::join);
      servers.get(1).close();
      assertThat(late)
          .isNotEmpty()
          .allSatisfy(
              cycle ->
                  assertThat(stream.send(cycle).error()).isEqualTo("Invalid or expired lease"));

      expected.forEach(
          (partition, count) ->
              assertThat(stream.state(partition)).isEqualTo(Map.of("count", count)));
      // What came out of the sink: each message once, though its pushes have no ids of their own.
      assertThat(
              database.value(
                  "select count(distinct payload) from queen.messages where queue = 'counted.out'"))
          .isEqualTo((long) sum(expected));
      assertThat(database.value("select count(*) from queen.messages where queue = 'counted.out'"))
          .isEqualTo((long) sum(expected));
      assertThat(database.value("select count(*) from queen.dead_letters")).isEqualTo(0L);
    }
  }

  private static Map<String, Integer> pushNumbers(RunningServer server) {
    Map<String, Integer> expected = new HashMap<>();
    for (int p = 0; p < PARTITIONS; p++) {
      JsonObject[] items = new JsonObject[MESSAGES / PARTITIONS];
      for (int i = 0; i < items.length; i++) {
        items[i] = item("counted", "p" + p, p + "-" + i);
      }
      String id = server.push(items).array().getJsonObject(0).getString("partition_id");
      expected.put(id, items.length);
    }
    return expected;
  }

  private static void count(StreamClient stream, Random random, Queue<JsonObject> late) {
    List<JsonObject> messages = stream.pop(1 + random.nextInt(8));
    if (messages.isEmpty()) {
      return;
    }
    String partition = messages.get(0).getString("partitionId");
    int before = (Integer) stream.state(partition).getOrDefault("count", 0);
    JsonArray pushes = new JsonArray();
    for (JsonObject message : messages) {
      pushes.add(
          new JsonObject()
              .put("queue", "counted.out")
              .put("payload", message.getString("transactionId")));
    }
    JsonObject cycle =
        stream
            .cycle(messages)
            .put("state_ops", new JsonArray().add(put("count", before + messages.size())))
            .put("push_items", pushes);
    if (late.isEmpty() || random.nextInt(20) == 0) {
      late.add(cycle);
      return;
    }
    try {
      Answer answer = stream.send(cycle);
      if (answer.status() != 200) {
        late.add(cycle);
      }
    } catch (CompletionException brokerIsAway) {
      // It may have happened. Said again, it happens once at most.
      late.add(cycle);
      throw brokerIsAway;
    }
  }

  private static int total(StreamClient stream, Map<String, Integer> partitions) {
    return partitions.keySet().stream()
        .mapToInt(id -> (Integer) stream.state(id).getOrDefault("count", 0))
        .sum();
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  /**
   * A cycle that waits for the one before it holds up nothing else: neither the sink nor the source
   * nor, if many wait, the broker's connections.
   */
  @Test
  void cycleThatWaitsForAnother_holdsNothingThatOthersWant(TestDatabase database)
      throws IOException {
    try (RunningServer server =
        RunningServer.on(
            database.endpoint(), Map.of("NUM_WORKERS", "1", "DB_LOCK_TIMEOUT", "25000"))) {
      StreamClient stream = StreamClient.of(server, "waits");
      server.push(item("waits", "p", "m1"), item("waits.out", "p", "s0"));
      List<JsonObject> messages = stream.pop(1);
      String partition = messages.get(0).getString("partitionId");
      stream.send(stream.cycle(partition));
      PgConnection before = database.connect();
      await(before.query("begin; select from queen.stream_lanes for no key update").execute());

      List<CompletableFuture<Answer>> waiting = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        JsonObject cycle =
            i == 0
                ? stream
                    .cycle(messages)
                    .put("push_items", new JsonArray().add(item("waits.out", "p", "s1")))
                : stream.cycle(partition).put("state_ops", new JsonArray().add(put("k", 1)));
        waiting.add(stream.sendLater(cycle));
      }
      Awaitility.await()
          .atMost(LONG)
          .until(
              () ->
                  database
                      .value(
                          """
                          select count(*) from pg_stat_activity
                          where datname = current_database() and wait_event_type = 'Lock'
                            and query like '%stream_cycle_v1%'
                          """)
                      .equals(1L));

      assertThat(server.push(item("waits.out", "p", "between")).status()).isEqualTo(201);
      assertThat(server.pop("waits.out", "batch=5").transactionIds())
          .containsExactly("s0", "between");
      assertThat(server.pop("waits", "autoAck=true").transactionIds()).containsExactly("m1");
      assertThat(
              server
                  .post("/api/v1/lease/" + messages.get(0).getString("leaseId") + "/extend", "")
                  .status())
          .isEqualTo(200);
      assertThat(stream.state(partition)).isEmpty();
      assertThat(waiting).noneMatch(each -> each.isDone() && each.join().status() != OVERLOADED);

      await(before.query("commit").execute());
      // A broker whose first cycle took long, as on a busy machine, does not let that number wait.
      List<Answer> accepted =
          waiting.stream()
              .map(CompletableFuture::join)
              .filter(answer -> answer.status() != OVERLOADED)
              .toList();
      assertThat(accepted)
          .isNotEmpty()
          .allSatisfy(answer -> assertThat(answer.object().getBoolean("success")).isTrue());
      assertThat(stream.state(partition)).isEqualTo(Map.of("k", 1));
      await(before.close());
    }
  }

  /** One minute's windows, a count for each customer: driven as the JavaScript SDK does it. */
  @Test
  void tumblingWindows_areExact_thoughAConsumerIsKilled(TestDatabase database) throws IOException {
    try (RunningServer server = RunningServer.on(database.endpoint())) {
      server.configure("orders", new JsonObject().put("leaseTime", 1));
      Map<String, Integer> expected = new LinkedHashMap<>();
      int events = 0;
      for (int minute = 0; minute < 4; minute++) {
        for (int customer = 0; customer < 5; customer++) {
          List<JsonObject> items = new ArrayList<>();
          for (int i = 0; i <= customer + minute; i++) {
            items.add(order("c" + customer, minute * 60_000L + i * 1000L, "o" + events++));
          }
          server.push(items.toArray(JsonObject[]::new));
          expected.put("c" + customer + "@" + minute * 60_000, items.size());
        }
      }
      StreamClient stream = StreamClient.of(server, "orders");

      // One takes a batch, reads the state, and is killed. Another dies without its answer.
      stream.state(stream.poll().get(0).getString("partitionId"));
      List<JsonObject> unanswered = stream.poll();
      byPartition(unanswered).values().forEach(batch -> windows(stream, batch));
      byPartition(unanswered)
          .values()
          .forEach(batch -> assertThat(windows(stream, batch).error()).contains("lease"));
      Awaitility.await()
          .atMost(LONG)
          .until(
              () -> {
                byPartition(stream.poll()).values().forEach(batch -> windows(stream, batch));
                return done(database, sum(expected));
              });

      // Idle: what is still open is closed, and said twice since the first answer was lost.
      for (Object id : partitions(database)) {
        JsonObject flush = flush(stream, (String) id);
        stream.send(flush);
        assertThat(stream.send(flush).object().getBoolean("success")).isTrue();
      }

      Map<String, Integer> totals = new HashMap<>();
      server
          .pop("orders.totals", "batch=1000&partitions=100")
          .messages()
          .forEach(
              each -> {
                JsonObject total = each.getJsonObject("data");
                String window = each.getString("partition") + "@" + total.getLong("windowStart");
                assertThat(totals.put(window, total.getInteger("count"))).isNull();
              });
      assertThat(totals).isEqualTo(expected);
    }
  }

  private static JsonObject order(String customer, long at, String id) {
    return item("orders", customer, id)
        .put("payload", new JsonObject().put("customer", customer).put("at", at));
  }

  private static Map<String, List<JsonObject>> byPartition(List<JsonObject> messages) {
    return messages.stream()
        .collect(
            Collectors.groupingBy(
                message -> message.getString("partitionId"),
                LinkedHashMap::new,
                Collectors.toList()));
  }

  /** One cycle: counts the batch, and emits the windows that the newest event has closed. */
  private static Answer windows(StreamClient stream, List<JsonObject> batch) {
    String partition = batch.get(0).getString("partitionId");
    Map<String, Object> state =
        stream.state(partition, new JsonObject().put("keys", new JsonArray()));
    long watermark =
        state.get("__wm__") instanceof JsonObject mark ? mark.getLong("eventTimeMs") : 0;
    Map<String, JsonObject> open = new LinkedHashMap<>();
    state.forEach(
        (key, value) -> {
          if (key.startsWith("tumb:60\u001f")) {
            open.put(key, (JsonObject) value);
          }
        });
    for (JsonObject message : batch) {
      JsonObject order = message.getJsonObject("data");
      long start = order.getLong("at") / 60_000 * 60_000;
      watermark = Math.max(watermark, order.getLong("at"));
      JsonObject window =
          open.computeIfAbsent(
              "tumb:60\u001f" + start + "\u001f" + order.getString("customer"),
              key ->
                  new JsonObject()
                      .put("count", 0)
                      .put("customer", order.getString("customer"))
                      .put("windowStart", start)
                      .put("windowEnd", start + 60_000));
      window.put("count", window.getInteger("count") + 1);
    }
    JsonArray changes =
        new JsonArray().add(put("__wm__", new JsonObject().put("eventTimeMs", watermark)));
    JsonArray pushes = new JsonArray();
    for (Map.Entry<String, JsonObject> window : open.entrySet()) {
      if (window.getValue().getLong("windowEnd") <= watermark) {
        changes.add(remove(window.getKey()));
        pushes.add(total(window.getValue()));
      } else {
        changes.add(put(window.getKey(), window.getValue()));
      }
    }
    return stream.send(stream.cycle(batch).put("state_ops", changes).put("push_items", pushes));
  }

  private static JsonObject flush(StreamClient stream, String partition) {
    Map<String, Object> ripe =
        stream.state(
            partition,
            new JsonObject().put("key_prefix", "tumb:60\u001f").put("ripe_at_or_before", 240_000));
    JsonArray changes = new JsonArray();
    JsonArray pushes = new JsonArray();
    ripe.forEach(
        (key, window) -> {
          changes.add(remove(key));
          pushes.add(total((JsonObject) window));
        });
    return stream
        .cycle(partition)
        .put("state_ops", changes)
        .put("push_items", pushes)
        .put("idempotency_key", "flush:240000");
  }

  private static JsonObject total(JsonObject window) {
    return new JsonObject()
        .put("queue", "orders.totals")
        .put("partition", window.getString("customer"))
        .put("payload", window);
  }

  private static boolean done(TestDatabase database, int events) {
    return database
        .value(
            "select coalesce(sum(committed), 0)::integer from queen.cursors"
                + " where consumer_group = 'streams.orders'")
        .equals(events);
  }

  private static List<Object> partitions(TestDatabase database) {
    return database
        .query(
            """
            select p.id::text from queen.partitions p join queen.queues q on q.id = p.queue_id
            where q.name = 'orders' and p.next_offset > 0
            """)
        .stream()
        .map(row -> row.getValue(0))
        .toList();
  }
}
