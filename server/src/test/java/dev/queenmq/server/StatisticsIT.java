package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Numbers that operators see after traffic that is known to the message. Two brokers on one
 * database: one works out sums when they are asked for, the other always takes those that were made
 * before.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StatisticsIT {
  private static final String GROUPS = "/api/v1/consumer-groups";
  private static final String OPS = "/api/v1/analytics/queue-ops";
  private static final String STATUS = "/api/v1/status";

  /** Each with the lists that it has on an empty server. */
  private static final Map<String, List<String>> PAGES =
      Map.of(
          STATUS,
          List.of("throughput", "queues", "workers"),
          STATUS + "/queues",
          List.of("queues"),
          STATUS + "/analytics",
          List.of("dataPoints"),
          STATUS + "/buffers",
          List.of(),
          "/api/v1/analytics/system-metrics",
          List.of("replicas"),
          "/api/v1/analytics/worker-metrics",
          List.of("timeSeries", "workers", "queues"),
          OPS,
          List.of("series", "queues"),
          "/api/v1/analytics/queue-parked-replicas",
          List.of("series", "replicas"),
          "/api/v1/analytics/postgres-stats",
          List.of(
              "tableCache",
              "indexCache",
              "deadTuples",
              "hotUpdates",
              "activeQueries",
              "autovacuumStatus",
              "bufferUsage",
              "tableSizes"));

  private final Map<String, Answer> whenEmpty = new HashMap<>();
  private TestDatabase database;
  private RunningServer server;
  private RunningServer large;

  StatisticsIT() {}

  @BeforeAll
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint(), Map.of("METRICS_AGGREGATE_INTERVAL_S", "1"));
    PAGES.keySet().forEach(page -> whenEmpty.put(page, server.get(page)));
    whenEmpty.put("lag", server.get("/api/v1/analytics/queue-lag"));
    whenEmpty.put("messages", server.get(STATUS + "/queues/none/messages"));
    whenEmpty.put("queue", server.get(STATUS + "/queues/none"));
    large =
        RunningServer.on(
            fresh.endpoint(),
            Map.of(
                "METRICS_AGGREGATE_INTERVAL_S", "1",
                "QUEEN_STATS_LIVE_LIMIT", "0",
                "QUEEN_STATS_MAX_QUEUES", "3",
                "STATS_INTERVAL_MS", "3600000",
                "HOSTNAME", "large"));
  }

  @AfterAll
  void stop() throws IOException {
    large.close();
    server.close();
  }

  @Test
  void everyPage_hasItsLists_onAnEmptyServer() {
    PAGES.forEach(
        (page, lists) -> {
          Answer answer = whenEmpty(page);
          assertThat(answer.status()).as(page).isEqualTo(200);
          lists.forEach(
              list -> assertThat(answer.object().getValue(list)).isInstanceOf(JsonArray.class));
        });
    assertThat(whenEmpty("lag").body()).isEqualTo("[]");
    assertThat(whenEmpty("messages").body()).isEqualTo("[]");
    assertThat(whenEmpty("queue").status()).isEqualTo(404);
    assertThat(whenEmpty("queue").error()).isEqualTo("Queue not found");
    JsonObject status = whenEmpty(STATUS).object();
    assertThat(status.getInteger("bucketMinutes")).isEqualTo(1);
    assertThat(status.getJsonObject("messages").getLong("total")).isZero();
    assertThat(status.getJsonObject("messages").getJsonObject("batchEfficiency").getDouble("push"))
        .isZero();
    assertThat(status.getJsonObject("deadLetterQueue").getJsonArray("topErrors")).isEmpty();
    assertThat(whenEmpty(STATUS + "/analytics").object().getJsonArray("dataPoints"))
        .hasSizeBetween(24, 25);
    assertThat(whenEmpty(STATUS + "/buffers").object())
        .contains(Map.entry("dbHealthy", true), Map.entry("pending", 0), Map.entry("failed", 0));
  }

  @Test
  void queueOps_countWhatWasDone_eachThingOnce() {
    server.push(item("ops", "one", "1"), item("ops", "one", "2"), item("ops", "two", "3"));
    server.push(item("ops", "one", "4"), item("ops", "one", "1"));
    List<JsonObject> popped = pop(server, "ops", "one", "g", 10);
    server.ackAll(popped.subList(0, 2), "completed");
    server.ackAll(popped.subList(2, 3), "failed");
    server.get("/api/v1/pop/queue/ops/partition/two?consumerGroup=auto&autoAck=true");
    server.get("/api/v1/pop/queue/ops/partition/two?consumerGroup=auto");
    JsonObject again = pop(server, "ops", "two", "h", 1).get(0);
    server.post(
        "/api/v1/transaction",
        new JsonObject()
            .put(
                "operations",
                new JsonArray()
                    .add(
                        new JsonObject()
                            .put("type", "ack")
                            .put("transactionId", again.getString("transactionId"))
                            .put("partitionId", again.getString("partitionId"))
                            .put("leaseId", again.getString("leaseId"))
                            .put("consumerGroup", "h")
                            .put("status", "completed"))
                    .add(
                        new JsonObject()
                            .put("type", "push")
                            .put("items", new JsonArray().add(item("ops", "three", "5"))))));
    Map<String, Long> expected = new LinkedHashMap<>();
    expected.put("pushRequests", 2L);
    expected.put("pushMessages", 5L);
    expected.put("popMessages", 5L);
    expected.put("popEmpty", 1L);
    expected.put("ackRequests", 2L);
    expected.put("ackSuccess", 3L);
    expected.put("ackFailed", 1L);
    expected.put("transactions", 1L);
    expected.put("partitionsCreated", 3L);

    eventually(() -> assertThat(sums("ops", expected.keySet())).isEqualTo(expected));

    JsonArray points = server.get(STATUS + "?queue=ops").object().getJsonArray("throughput");
    assertThat(sum(points, "ingested")).isEqualTo(5);
    assertThat(sum(points, "popMessages")).isEqualTo(5);
    assertThat(sum(points, "processed")).isEqualTo(4); // one of them by autoAck
    assertThat(sum(points, "ackFailed")).isEqualTo(1);
    JsonArray hours =
        server
            .get(STATUS + "/analytics?queue=ops&interval=hour")
            .object()
            .getJsonArray("dataPoints");
    assertThat(sum(hours, "messages")).isEqualTo(5);
    assertThat(
            sum(server.get(STATUS + "?queue=none").object().getJsonArray("throughput"), "ingested"))
        .isZero();
  }

  @Test
  void lag_isTheTimeFromPushToPop() {
    server.push(item("late", "p", "1"), item("late", "p", "2"), item("late", "p", "3"));
    age("late", 90);
    assertThat(pop(server, "late", "p", "g", 10)).hasSize(3);

    eventually(
        () -> {
          JsonArray lags = server.get("/api/v1/analytics/queue-lag?queue=late").array();
          assertThat(lags).hasSize(1);
          JsonObject lag = lags.getJsonObject(0);
          assertThat(lag.getLong("popCount")).isEqualTo(3);
          assertThat(lag.getLong("avgLagMs")).isBetween(90_000L, 150_000L);
          assertThat(lag.getLong("maxLagMs")).isBetween(90_000L, 150_000L);
          assertThat(lag.getString("bucketTime")).matches("....-..-..T..:..:00Z");
        });
    JsonObject workers = server.get("/api/v1/analytics/worker-metrics").object();
    assertThat(workers.getJsonArray("queues"))
        .anySatisfy(
            each -> {
              assertThat(((JsonObject) each).getString("queueName")).isEqualTo("late");
              assertThat(((JsonObject) each).getLong("avgLagMs")).isGreaterThanOrEqualTo(90_000);
            });
    JsonObject summary = workers.getJsonObject("summary");
    assertThat(summary.getLong("totalPopMessages")).isGreaterThanOrEqualTo(3);
    assertThat(summary.getLong("totalPushRequests")).isPositive();
    assertThat(workers.getJsonArray("workers")).isNotEmpty();
    assertThat(workers.getJsonArray("timeSeries").getJsonObject(0).getLong("dbConnections"))
        .isPositive();
  }

  @Test
  void buckets_haveTheLengthThatTheyClaim() {
    String broker = "11111111-1111-1111-1111-111111111111";
    String values =
        Stream.of(
                "2020-01-02T00:00Z", "2020-01-02T05:59Z", "2020-01-02T06:00Z", "2020-01-02T06:07Z")
            .map(
                minute ->
                    "('%s','%s','old',1,21600,0,0,0,0,0,0,0,0,0,0,7,0,0,0)"
                        .formatted(minute, broker))
            .reduce((a, b) -> a + "," + b)
            .orElseThrow();
    database.query("insert into queen.minute_queues values " + values);

    JsonObject week = ops("old", "2020-01-01", "2020-01-09");
    assertThat(week.getInteger("bucketMinutes")).isEqualTo(360);
    assertThat(week.getJsonArray("series")).hasSize(2);
    JsonObject first = week.getJsonArray("series").getJsonObject(0);
    assertThat(first.getString("bucket")).isEqualTo("2020-01-02T00:00:00Z");
    assertThat(first.getLong("pushMessages")).isEqualTo(43_200);
    assertThat(first.getDouble("pushPerSecond")).isEqualTo(2.0);
    assertThat(first.getLong("parkedCount")).isEqualTo(7);
    JsonObject second = week.getJsonArray("series").getJsonObject(1);
    assertThat(second.getString("bucket")).isEqualTo("2020-01-02T06:00:00Z");
    assertThat(second.getDouble("pushPerSecond")).isEqualTo(2.0);
    JsonObject day = ops("old", "2020-01-02", "2020-01-03");
    assertThat(day.getInteger("bucketMinutes")).isEqualTo(15);
    assertThat(day.getJsonArray("series").getJsonObject(2).getDouble("pushPerSecond"))
        .isEqualTo(48.0);
    JsonArray days =
        server
            .get(STATUS + "/analytics?queue=old&interval=day&from=2020-01-01&to=2020-01-04")
            .object()
            .getJsonArray("dataPoints");
    assertThat(days.stream().map(point -> ((JsonObject) point).getLong("messages")))
        .containsExactly(0L, 86_400L, 0L);
  }

  @Test
  void detailOfAQueue_addsUpGroups_withoutMultiplying() {
    server.configure("detail", new JsonObject().put("leaseTime", 77).put("retryLimit", 5));
    server.push(
        IntStream.range(0, 6)
            .mapToObj(i -> item("detail", i < 4 ? "one" : "two", "t" + i))
            .toArray(JsonObject[]::new));
    for (String group : List.of("a", "b", "c")) {
      server.ackAll(pop(server, "detail", "one", group, 2), "completed");
    }

    JsonObject page = server.get(STATUS + "/queues/detail").object();
    assertThat(page.getJsonObject("queue").getJsonObject("config").getInteger("leaseTime"))
        .isEqualTo(77);
    assertThat(page.getJsonObject("queue").getJsonObject("config").getInteger("retryLimit"))
        .isEqualTo(5);
    JsonObject totals = page.getJsonObject("totals");
    assertThat(totals.getLong("total")).isEqualTo(6);
    assertThat(totals.getLong("pending")).isEqualTo(4);
    assertThat(totals.getJsonObject("messages").getLong("pending")).isEqualTo(4);
    JsonObject one = only(page.getJsonArray("partitions"), "name", "one");
    assertThat(one.getJsonObject("cursor").getLong("totalConsumed")).isEqualTo(6);
    assertThat(one.getJsonObject("stats")).isEqualTo(one.getJsonObject("messages"));
    assertThat(one.getString("lastActivity")).endsWith("Z");
    JsonObject listed = only(server.get(STATUS).object().getJsonArray("queues"), "name", "detail");
    assertThat(listed.getLong("totalConsumed")).isEqualTo(6);
    JsonObject paged = server.get(STATUS + "/queues/detail?limit=1&offset=2").object();
    assertThat(paged.getJsonArray("partitions")).hasSize(1);
    assertThat(paged.getJsonArray("partitions").getJsonObject(0).getString("name"))
        .isEqualTo("two");
    assertThat(paged.getInteger("partitionCount")).isEqualTo(3);
  }

  @Test
  void messages_comeInPages_theNewestFirst_withWhatBecameOfThem() {
    for (int i = 0; i < 5; i++) {
      server.push(item("pages", i % 2 == 0 ? "even" : "odd", "m" + i));
    }
    List<JsonObject> popped = server.pop("pages", "batch=2&partitions=1").messages();
    server.ack(popped.get(0), "completed");

    JsonArray all = server.get(STATUS + "/queues/pages/messages").array();
    assertThat(all.stream().map(each -> ((JsonObject) each).getString("transactionId")))
        .containsExactly("m4", "m3", "m2", "m1", "m0");
    assertThat(only(all, "transactionId", popped.get(0).getString("transactionId")))
        .contains(
            Map.entry("status", "completed"),
            Map.entry("queue", "pages"),
            Map.entry("queuePath", "pages/" + popped.get(0).getString("partition")));
    assertThat(only(all, "transactionId", popped.get(1).getString("transactionId")))
        .contains(Map.entry("status", "processing"));
    assertThat(only(all, "transactionId", "m3")).contains(Map.entry("status", "pending"));
    assertThat(messages("limit=2&offset=1")).containsExactly("m3", "m2");
    assertThat(messages("limit=2&offset=4")).containsExactly("m0");
    assertThat(messages("limit=2&offset=5")).isEmpty();
    assertThat(server.get(STATUS + "/queues/pages/messages?offset=1000").status()).isEqualTo(400);
  }

  @Test
  void queues_comeInPages_byLabel() {
    for (String queue : List.of("lab1", "lab2", "lab3")) {
      server.post(
          "/api/v1/configure",
          new JsonObject().put("queue", queue).put("namespace", "lab").put("task", "t" + queue));
    }

    assertThat(queues("namespace=lab")).containsExactly("lab3", "lab2", "lab1");
    assertThat(queues("namespace=lab&limit=1&offset=1")).containsExactly("lab2");
    assertThat(queues("namespace=lab&task=tlab1")).containsExactly("lab1");
    assertThat(queues("namespace=nobody")).isEmpty();
  }

  @Test
  void sumsMadeBefore_areThoseMadeNow() {
    server.push(
        IntStream.range(0, 30)
            .mapToObj(i -> item("both", "p" + i % 10, "t" + i))
            .toArray(JsonObject[]::new));
    age("both", 500);
    server.push(item("both", "p1", "young"), item("both", "lone", "young"));
    for (String group : List.of("g", "h")) {
      List<JsonObject> some = pop(server, "both", "p0", group, 2);
      server.ackAll(some.subList(0, 1), "completed");
      pop(server, "both", "p1", group, 10);
    }
    pop(server, "both", "p2", "__QUEUE_MODE__", 1);
    JsonObject dead = pop(server, "both", "p3", "g", 1).get(0);
    server.ack(dead, "dlq");

    JsonObject told = large.post("/api/v1/stats/refresh?wait=true", "").object();
    assertThat(told.getJsonObject("partition").getLong("partitionsUpdated"))
        .isEqualTo(((Number) database.value("select count(*) from queen.partitions")).longValue());
    assertThat(told.getJsonObject("queue").getLong("queuesUpdated")).isPositive();

    assertThat(groups(large)).isEqualTo(groups(server));
    assertThat(messagesOf(large, "both")).isEqualTo(messagesOf(server, "both"));
    JsonObject now = server.get("/api/v1/resources/overview").object();
    JsonObject before = large.get("/api/v1/resources/overview").object();
    assertThat(before.getJsonObject("messages")).isEqualTo(now.getJsonObject("messages"));
    assertThat(before.getJsonObject("lag").getJsonObject("offset"))
        .isEqualTo(now.getJsonObject("lag").getJsonObject("offset"));
    assertThat(before.getLong("statsAge")).isNotNegative();
    assertThat(now.getLong("statsAge")).isZero();
    assertThat(lagging(large)).isNotEmpty().isEqualTo(lagging(server));
    // What has moved since is told as it is now.
    server.ackAll(pop(server, "both", "p9", "g", 10), "completed");
    assertThat(lagging(large)).isEqualTo(lagging(server));
    long known =
        large
            .post("/api/v1/stats/refresh?wait=true", "")
            .object()
            .getJsonObject("partition")
            .getLong("partitionsSkippedByWatermark");
    assertThat(known).isPositive();
  }

  @Test
  void refresh_saysThatAnotherDoesIt() {
    PgConnection other = database.connect();
    await(other.query("begin; select from queen.statistics_state for update").execute());
    assertThat(server.post("/api/v1/stats/refresh", "").object())
        .isEqualTo(new JsonObject().put("skipped", true).put("reason", "another_instance_running"));
    await(other.close());
  }

  @Test
  void queuesBeyondTheLimit_areSummedUp() {
    for (int i = 0; i < 20; i++) {
      large.push(item("many" + i, "p", "t"));
    }

    eventually(
        () -> {
          JsonArray series = large.get(OPS).object().getJsonArray("series");
          long pushed =
              series.stream()
                  .map(JsonObject.class::cast)
                  .filter(
                      each ->
                          each.getString("queueName").startsWith("many")
                              || each.getString("queueName").equals("(other queues)"))
                  .mapToLong(each -> each.getLong("pushMessages"))
                  .sum();
          assertThat(pushed).isEqualTo(20);
          assertThat(large.get(OPS).object().getJsonArray("queues")).contains("(other queues)");
        });
  }

  @Test
  void waitingPolls_areCountedByBroker() {
    CompletableFuture<Answer> waiting =
        server.popLater("parked", "wait=true&timeout=60000&consumerGroup=g");

    eventually(
        () -> {
          JsonObject parked =
              server.get("/api/v1/analytics/queue-parked-replicas?queue=parked").object();
          assertThat(parked.getJsonArray("series"))
              .anySatisfy(
                  each -> {
                    assertThat(((JsonObject) each).getLong("parkedCount")).isEqualTo(1);
                    assertThat(((JsonObject) each).getString("hostname")).isNotBlank();
                  });
          assertThat(parked.getJsonArray("replicas")).isNotEmpty();
        });
    large.push(item("parked", "p", "1"));
    assertThat(waiting.join().transactionIds()).containsExactly("1");
  }

  @Test
  void process_isMeasured_byBroker() {
    eventually(
        () -> {
          JsonObject page = server.get("/api/v1/analytics/system-metrics?hostname=large").object();
          assertThat(page.getInteger("replicaCount")).isEqualTo(1);
          JsonObject replica = page.getJsonArray("replicas").getJsonObject(0);
          assertThat(replica.getString("workerId")).isEqualTo("queen");
          JsonArray series = replica.getJsonArray("timeSeries");
          JsonObject metrics = series.getJsonObject(series.size() - 1).getJsonObject("metrics");
          JsonObject resident = metrics.getJsonObject("memory").getJsonObject("rss_bytes");
          assertThat(resident.getDouble("avg")).isPositive();
          assertThat(resident.getDouble("min")).isLessThanOrEqualTo(resident.getDouble("max"));
          // Percent of a core, times 100.
          assertThat(metrics.getJsonObject("cpu").getJsonObject("user_us").getDouble("avg"))
              .isBetween(0.0, 100.0 * 100 * Runtime.getRuntime().availableProcessors() * 2);
          assertThat(metrics.getJsonObject("database").getJsonObject("pool_size").getDouble("last"))
              .isPositive();
          assertThat(
                  metrics.getJsonObject("shared_state").getJsonObject("sidecar_ops").fieldNames())
              .containsExactlyInAnyOrder("push", "pop", "ack");
        });
    JsonObject none = server.get("/api/v1/analytics/system-metrics?hostname=nobody").object();
    assertThat(none.getJsonArray("replicas")).isEmpty();
    assertThat(none.getInteger("pointCount")).isZero();
  }

  @Test
  void whatIsLeft_isWrittenWhenTheBrokerStops() throws IOException {
    RunningServer brief = RunningServer.on(database.endpoint(), Map.of("HOSTNAME", "brief"));
    brief.push(item("brief", "p", "1"), item("brief", "p", "2"));
    brief.close();

    assertThat(
            database.value(
                "select sum(push_messages)::bigint from queen.minute_queues where queue = 'brief'"))
        .isEqualTo(2L);
    assertThat(database.value("select push_messages from queen.brokers where hostname = 'brief'"))
        .isEqualTo(2L);
  }

  @Test
  void oldMinutes_areRemoved_andSumsStay() {
    database.query(
        "insert into queen.brokers values ('22222222-2222-2222-2222-222222222222', 'gone', 1, 'n', 1,"
            + " now() - interval '20 days', 5, 5, 5, 5, 5, 5, 5, 5, 5, 5)");
    database.query(
        "insert into queen.minute_system values (now() - interval '8 days',"
            + " '22222222-2222-2222-2222-222222222222', 1, '{1}', '{1}', '{1}', '{1}', '{}'),"
            + " (now() - interval '6 days', '22222222-2222-2222-2222-222222222222', 1, '{1}', '{1}',"
            + " '{1}', '{1}', '{}')");
    String totals = "select transactions from queen.history_totals_v1()";
    long before = ((Number) database.value(totals)).longValue();

    assertThat(((Number) database.value("select queen.forget_minutes_v1(7, 7, 5000)")).longValue())
        .isPositive();

    assertThat(
            database.value(
                "select count(*) from queen.minute_system where broker ="
                    + " '22222222-2222-2222-2222-222222222222'"))
        .isEqualTo(1L);
    assertThat(database.query("select from queen.brokers where hostname = 'gone'")).isEmpty();
    assertThat(((Number) database.value(totals)).longValue()).isGreaterThanOrEqualTo(before);
  }

  @Test
  void wrongQuestions_areRefused() {
    for (String path :
        List.of(
            STATUS + "?from=yesterday",
            STATUS + "?from=2026-01-02&to=2026-01-01",
            STATUS + "/analytics?interval=week",
            STATUS + "/analytics?interval=minute&from=2000-01-01",
            OPS + "?to=x",
            "/api/v1/analytics/worker-metrics?workerId=x")) {
      Answer answer = server.get(path);
      assertThat(answer.status()).as(path).isEqualTo(400);
      assertThat(answer.error()).as(path).isNotBlank();
    }
  }

  private Answer whenEmpty(String page) {
    return Objects.requireNonNull(whenEmpty.get(page));
  }

  private static void eventually(ThrowingRunnable check) {
    Awaitility.await().atMost(Duration.ofSeconds(30)).untilAsserted(check);
  }

  /** All messages of a queue become older. */
  private void age(String queue, int seconds) {
    database.query(
        "update queen.segments s set created_at = s.created_at - interval '%d seconds' from"
                .formatted(seconds)
            + " queen.partitions p join queen.queues q on q.id = p.queue_id where p.id ="
            + " s.partition_id and q.name = '"
            + queue
            + "'; update queen.partitions p set last_append_at = last_append_at - interval '"
            + seconds
            + " seconds' from queen.queues q where q.id = p.queue_id and q.name = '"
            + queue
            + "'");
  }

  private static List<JsonObject> pop(
      RunningServer from, String queue, String partition, String group, int batch) {
    return from.get(
            "/api/v1/pop/queue/%s/partition/%s?batch=%d&consumerGroup=%s"
                .formatted(queue, partition, batch, group))
        .messages();
  }

  private JsonObject ops(String queue, String from, String to) {
    return server.get("%s?queue=%s&from=%s&to=%s".formatted(OPS, queue, from, to)).object();
  }

  private Map<String, Long> sums(String queue, Iterable<String> fields) {
    JsonArray series = server.get(OPS + "?queue=" + queue).object().getJsonArray("series");
    Map<String, Long> sums = new LinkedHashMap<>();
    fields.forEach(field -> sums.put(field, sum(series, field)));
    return sums;
  }

  private static long sum(JsonArray points, String field) {
    return points.stream().mapToLong(point -> ((JsonObject) point).getLong(field)).sum();
  }

  private List<String> messages(String query) {
    return server.get(STATUS + "/queues/pages/messages?" + query).array().stream()
        .map(each -> ((JsonObject) each).getString("transactionId"))
        .toList();
  }

  private List<String> queues(String query) {
    return server.get(STATUS + "/queues?" + query).object().getJsonArray("queues").stream()
        .map(each -> ((JsonObject) each).getString("name"))
        .toList();
  }

  private static JsonObject only(JsonArray of, String field, String value) {
    return of.stream()
        .map(JsonObject.class::cast)
        .filter(each -> value.equals(each.getString(field)))
        .findFirst()
        .orElseThrow();
  }

  /** Without what moves with time. */
  private static List<JsonObject> groups(RunningServer of) {
    return of.get(GROUPS).array().stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("queueName").equals("both"))
        .map(
            each -> {
              assertThat(each.getLong("maxTimeLag")).isBetween(500L, 560L);
              assertThat(each.getLong("totalLag")).isPositive();
              each.remove("maxTimeLag");
              each.remove("statsAge");
              return each;
            })
        .toList();
  }

  private static JsonObject messagesOf(RunningServer server, String queue) {
    return only(
        server.get("/api/v1/resources/queues").object().getJsonArray("queues"), "name", queue);
  }

  private static List<JsonObject> lagging(RunningServer of) {
    return of.get(GROUPS + "/lagging?minLagSeconds=100").array().stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("queue_name").equals("both"))
        .map(
            each -> {
              assertThat(each.getLong("time_lag_seconds")).isBetween(500L, 560L);
              each.remove("time_lag_seconds");
              each.remove("lag_hours");
              return each;
            })
        .sorted(
            Comparator.comparing(
                each -> each.getString("consumer_group") + each.getString("partition_name")))
        .toList();
  }
}
