package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Counts by minute, broker and queue, after traffic that is known to the message. */
class AnalyticsIT extends StatisticsFixture {
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
    server.delete("/api/v1/queues/ops/partitions/three");
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
    expected.put("partitionsDeleted", 1L);

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
  void chartsWithTooManyPoints_areRefused() {
    database.query(
        "insert into queen.minute_queues select '2019-01-02T00:00Z',"
            + " '11111111-1111-1111-1111-111111111111', 'many' || n,"
            + " 1,1,0,0,0,0,0,0,0,0,0,0,7,1,1,1 from generate_series(1, 50001) n");
    database.query(
        "insert into queen.brokers (id, hostname, name, port, pid, last_seen_at)"
            + " values ('11111111-1111-1111-1111-111111111111', 'h', 'n', 1, 1, '2019-01-02')");
    String range = "from=2019-01-02&to=2019-01-03";
    for (String chart : List.of("queue-lag", "queue-ops", "queue-parked-replicas")) {
      String path = "/api/v1/analytics/" + chart + "?" + range;
      Answer refused = server.get(path);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error()).startsWith("The range has more than 50000 points");
      assertThat(server.get(path + "&queue=many7").status()).isEqualTo(200);
    }
    // One row for each bucket, however many queues.
    assertThat(server.get(STATUS + "?" + range).status()).isEqualTo(200);
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
        "insert into queen.brokers values ('22222222-2222-2222-2222-222222222222', 'gone', 1, 'n',"
            + " 1, now() - interval '20 days', 5, 5, 5, 5, 5, 5, 5, 5, 5, 5)");
    database.query(
        "insert into queen.minute_system values (now() - interval '8 days',"
            + " '22222222-2222-2222-2222-222222222222', 1, '{1}', '{1}', '{1}', '{1}', '{}'),"
            + " (now() - interval '6 days', '22222222-2222-2222-2222-222222222222', 1, '{1}',"
            + " '{1}', '{1}', '{1}', '{}')");
    String totals = "select transactions from queen.history_totals_v1()";
    long before = ((Number) database.value(totals)).longValue();

    assertThat(server.post("/api/v1/system/upkeep/history/run?wait=60000", "").status())
        .isEqualTo(200);
    database.query("select queen.forget_brokers_v1(8)");

    assertThat(
            database.value(
                "select count(*) from queen.minute_system where broker ="
                    + " '22222222-2222-2222-2222-222222222222'"))
        .isEqualTo(1L);
    assertThat(database.query("select from queen.brokers where hostname = 'gone'")).isEmpty();
    assertThat(((Number) database.value(totals)).longValue()).isGreaterThanOrEqualTo(before);
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
}
