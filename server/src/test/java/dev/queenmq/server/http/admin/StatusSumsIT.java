package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sums that were made before, those that are made now, and what is beyond the limits. */
class StatusSumsIT extends StatisticsFixture {
  private static final String GROUPS = "/api/v1/consumer-groups";

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

  /** Without what moves with time. */
  private static List<JsonObject> groups(RunningServer of) {
    return of.get(GROUPS).array().stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("queueName").equals("both"))
        .map(
            each -> {
              assertThat(each.getLong("maxTimeLag")).isBetween(500L, 900L);
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
              assertThat(each.getLong("time_lag_seconds")).isBetween(500L, 900L);
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
