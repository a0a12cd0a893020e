package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The pages that operators see, empty and after traffic that is known to the message. */
class StatusPagesIT extends StatisticsFixture {
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

  @BeforeAll
  void askWhenEmpty() {
    PAGES.keySet().forEach(page -> whenEmpty.put(page, server.get(page)));
    whenEmpty.put("lag", server.get("/api/v1/analytics/queue-lag"));
    whenEmpty.put("messages", server.get(STATUS + "/queues/none/messages"));
    whenEmpty.put("queue", server.get(STATUS + "/queues/none"));
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

  private List<String> queues(String query) {
    return server.get(STATUS + "/queues?" + query).object().getJsonArray("queues").stream()
        .map(each -> ((JsonObject) each).getString("name"))
        .toList();
  }
}
