package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the dashboard's pages show: worked out when they ask, and as it was summed up. */
@ExtendWith(PostgresExtension.class)
class DashboardRoutesIT {
  private static final String ROOT = "/api/v1/dashboard/";

  private static RunningServer start(TestDatabase database, String liveLimit) {
    RunningServer server =
        RunningServer.on(database.endpoint(), Map.of("QUEEN_STATS_LIVE_LIMIT", liveLimit));
    for (String queue : List.of("alpha", "Beta", "gamma")) {
      server.push(
          IntStream.range(0, 12)
              .mapToObj(i -> item(queue, "lane-%02d".formatted(i), queue + i))
              .toArray(JsonObject[]::new));
    }
    server.push(item("Beta", "lane-00", "more"), item("Beta", "other", "most"));
    server.ackAll(
        server.pop("alpha", "consumerGroup=reader&batch=2&partitions=2").messages(), "completed");
    List<JsonObject> doomed =
        server.pop("gamma", "consumerGroup=g&batch=3&partitions=3").messages();
    for (int i = 0; i < doomed.size(); i++) {
      server.post(
          "/api/v1/ack",
          RunningServer.ackItem(doomed.get(i), "dlq").put("error", i == 0 ? "odd" : "even"));
    }
    server.post("/api/v1/stats/refresh?wait=true", "");
    return server;
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000", "1"})
  void queues_areFound_sorted_andPaged(String liveLimit, TestDatabase database) throws IOException {
    try (RunningServer server = start(database, liveLimit)) {
      assertThat(names(server, "queues?sort=pending&order=desc", "queues")).startsWith("Beta");
      assertThat(names(server, "queues?sort=name", "queues"))
          .containsExactly("Beta", "alpha", "gamma");
      assertThat(names(server, "queues?sort=name&order=desc&limit=1&offset=1", "queues"))
          .containsExactly("alpha");
      JsonObject found = server.get(ROOT + "queues?search=ET").object();
      assertThat(found.getInteger("matched")).isEqualTo(1);
      JsonObject beta = found.getJsonArray("queues").getJsonObject(0);
      assertThat(beta.getInteger("partitions")).isEqualTo(13);
      assertThat(beta.getInteger("pending")).isEqualTo(14);
      assertThat(server.get(ROOT + "queues?search=nothing").object())
          .isEqualTo(new JsonObject().put("queues", new JsonArray()).put("matched", 0));
      assertThat(server.get(ROOT + "queues?sort=size").error()).startsWith("sort must be one of");
      assertThat(server.get(ROOT + "queues?order=up").error())
          .isEqualTo("order must be asc or desc");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000", "1"})
  void oneQueue_hasItsOptions_groups_andLanes(String liveLimit, TestDatabase database)
      throws IOException {
    try (RunningServer server = start(database, liveLimit)) {
      server.post("/api/v1/resources/queues/alpha/pause", "");
      JsonObject alpha = server.get(ROOT + "queues/alpha").object();
      assertThat(alpha.getJsonObject("options").getInteger("leaseTime")).isEqualTo(300);
      assertThat(alpha.getBoolean("paused")).isTrue();
      assertThat(alpha.getJsonArray("pauses")).hasSize(1);
      JsonObject reader = alpha.getJsonArray("groups").getJsonObject(0);
      assertThat(reader.getString("name")).isEqualTo("reader");
      assertThat(reader.getInteger("lag")).isEqualTo(10);
      assertThat(server.get(ROOT + "queues/none").status()).isEqualTo(404);

      JsonObject lanes = server.get(ROOT + "queues/Beta/lanes?search=lane-1&limit=1").object();
      assertThat(lanes.getInteger("matched")).isEqualTo(2);
      assertThat(lanes.getJsonArray("lanes").getJsonObject(0).getString("partition"))
          .isEqualTo("lane-10");
      assertThat(
              server
                  .get(ROOT + "queues/Beta/lanes?limit=5&offset=10")
                  .object()
                  .getJsonArray("lanes")
                  .stream()
                  .map(each -> ((JsonObject) each).getString("partition")))
          .containsExactly("lane-10", "lane-11", "other");
      assertThat(server.get(ROOT + "queues/none/lanes").status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000", "1"})
  void groups_andWhereTheyAreBehind(String liveLimit, TestDatabase database) throws IOException {
    try (RunningServer server = start(database, liveLimit)) {
      assertThat(names(server, "groups?sort=lag&order=desc", "groups")).startsWith("reader", "g");
      assertThat(names(server, "groups?queue=alpha", "groups")).containsExactly("reader");
      assertThat(names(server, "groups?search=EAD", "groups")).containsExactly("reader");
      assertThat(names(server, "groups?consumerGroup=g", "groups")).containsExactly("g");

      // What began to lag a moment ago is not summed up yet.
      JsonArray all =
          Awaitility.await()
              .atMost(Duration.ofMinutes(2))
              .until(
                  () -> {
                    server.post("/api/v1/stats/refresh?wait=true", "");
                    return server.get(ROOT + "lagging?queue=alpha").object().getJsonArray("lanes");
                  },
                  lanes -> lanes.size() == 10);
      JsonObject first = all.getJsonObject(0);
      assertThat(first.getString("consumerGroup")).isEqualTo("reader");
      assertThat(first.getInteger("lag")).isEqualTo(1);
      assertThat(
              server
                  .get(ROOT + "lagging?queue=alpha&consumerGroup=nobody")
                  .object()
                  .getJsonArray("lanes"))
          .isEmpty();
      assertThat(server.get(ROOT + "lagging?limit=3&offset=2").object().getJsonArray("lanes"))
          .hasSize(3);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000"})
  void deadLetters_byError(String liveLimit, TestDatabase database) throws IOException {
    try (RunningServer server = start(database, liveLimit)) {
      JsonArray errors = server.get(ROOT + "errors").object().getJsonArray("errors");
      assertThat(errors.getJsonObject(0).getString("error")).isEqualTo("even");
      assertThat(errors.getJsonObject(0).getInteger("count")).isEqualTo(2);
      assertThat(server.get(ROOT + "errors?queue=alpha").object().getJsonArray("errors")).isEmpty();
      assertThat(server.get(ROOT + "errors?queue=gamma").object().containsKey("queues")).isFalse();

      JsonObject odd = server.get(ROOT + "queues/gamma/dead-letters?error=odd").object();
      assertThat(odd.getInteger("matched")).isEqualTo(1);
      assertThat(odd.getJsonArray("letters").getJsonObject(0).getString("consumerGroup"))
          .isEqualTo("g");
      assertThat(odd.encode()).doesNotContain("payload");
      assertThat(
              server
                  .get(ROOT + "queues/gamma/dead-letters?error=(none)")
                  .object()
                  .getInteger("matched"))
          .isZero();
      assertThat(server.get(ROOT + "queues/none/dead-letters").status()).isEqualTo(404);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000"})
  void longErrors_areCut_alsoThoseThatAreThere(String liveLimit, TestDatabase database)
      throws IOException {
    try (RunningServer server = start(database, liveLimit)) {
      String longError = "x".repeat(100_000);
      JsonObject message =
          server.pop("Beta", "consumerGroup=g&batch=1&partitions=1").messages().get(0);
      server.post(
          "/api/v1/messages/%s/%s/dlq"
              .formatted(message.getString("partitionId"), message.getString("transactionId")),
          new JsonObject().put("consumerGroup", "g").put("error", longError));
      assertThat(database.value("select max(length(error_message)) from queen.dead_letters"))
          .isEqualTo(2_000);

      // Such as earlier releases stored.
      database.query("update queen.dead_letters set error_message = repeat('y', 100000)");
      JsonObject error =
          server.get(ROOT + "errors?queue=gamma").object().getJsonArray("errors").getJsonObject(0);
      assertThat(error.getInteger("count")).isEqualTo(3);
      assertThat(error.getString("error")).hasSize(500);
      JsonObject letters =
          server.get(ROOT + "queues/gamma/dead-letters?error=" + error.getString("error")).object();
      assertThat(letters.getInteger("matched")).isEqualTo(3);
      assertThat(letters.getJsonArray("letters").getJsonObject(0).getString("error"))
          .hasSize(2_000);
      assertThat(
              server
                  .get("/api/v1/status")
                  .object()
                  .getJsonObject("deadLetterQueue")
                  .getJsonArray("topErrors")
                  .getJsonObject(0)
                  .getString("error"))
          .hasSize(2_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000", "1"})
  void theOverview_hasEverything_andHistoryOnDemand(String liveLimit, TestDatabase database)
      throws IOException {
    try (RunningServer server = start(database, liveLimit)) {
      JsonObject overview = server.get(ROOT + "overview").object();
      JsonObject store = overview.getJsonObject("store");
      assertThat(store.getInteger("queues")).isEqualTo(3);
      assertThat(store.getInteger("partitions")).isEqualTo(37);
      assertThat(store.getInteger("deadLetters")).isEqualTo(3);
      assertThat(store.getJsonArray("topQueues").getJsonObject(0).getString("name"))
          .isEqualTo("Beta");
      assertThat(store.getJsonArray("topGroups")).hasSize(2);
      assertThat(overview.getJsonObject("postgres").getBoolean("reachable")).isTrue();
      assertThat(overview.getValue("history")).isNull();
      assertThat(
              server
                  .get(ROOT + "overview?minutes=60")
                  .object()
                  .getJsonObject("history")
                  .getInteger("bucketMinutes"))
          .isEqualTo(1);

      JsonObject system = server.get(ROOT + "system").object();
      assertThat(system.getJsonArray("operations").toString()).contains("push");
      assertThat(system.getJsonObject("brokers").getInteger("living")).isEqualTo(1);
      JsonObject session = server.get(ROOT + "session").object();
      assertThat(session.getJsonArray("permissions"))
          .containsExactly("admin", "consume", "produce", "read", "write");
      assertThat(session.getBoolean("tokens")).isFalse();
      assertThat(session.getValue("queues")).isNull();
      assertThat(server.get("/").http().headers().firstValue("content-security-policy"))
          .isPresent();
      assertThat(server.get("/").body()).contains("data-tokens=\"false\"");
    }
    try (RunningServer without =
        RunningServer.on(database.endpoint(), Map.of("QUEEN_DASHBOARD", "false"))) {
      assertThat(without.get("/").status()).isEqualTo(404);
      assertThat(without.get(ROOT + "queues").status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"20000"})
  void streams_areListed_withTheirLanes(String liveLimit, TestDatabase database)
      throws IOException {
    try (RunningServer server = start(database, liveLimit)) {
      String query =
          server
              .post(
                  "/streams/v1/queries",
                  "{\"name\":\"sums\",\"source_queue\":\"Beta\",\"config_hash\":\"h\"}")
              .object()
              .getString("query_id");
      JsonObject popped = server.pop("Beta", "").object();
      server.post(
          "/streams/v1/cycle",
          new JsonObject()
              .put("query_id", query)
              .put("partition_id", popped.getString("partitionId"))
              .put(
                  "state_ops",
                  new JsonArray().add(new JsonObject().put("type", "upsert").put("key", "k"))));
      JsonObject found = server.get(ROOT + "streams?search=UM").object();
      assertThat(found.getInteger("matched")).isEqualTo(1);
      assertThat(found.getJsonArray("streams").getJsonObject(0).getInteger("keys")).isEqualTo(1);
      JsonArray lanes =
          server.get(ROOT + "streams/" + query + "/lanes").object().getJsonArray("lanes");
      assertThat(lanes.getJsonObject(0).getString("queue")).isEqualTo("Beta");
      assertThat(server.get(ROOT + "streams?search=nothing").object().getJsonArray("streams"))
          .isEmpty();
    }
  }

  private static List<String> names(RunningServer server, String path, String list) {
    return server.get(ROOT + path).object().getJsonArray(list).stream()
        .map(each -> ((JsonObject) each).getString("name"))
        .toList();
  }
}
