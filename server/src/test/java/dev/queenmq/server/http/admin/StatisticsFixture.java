package dev.queenmq.server.http.admin;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Two brokers on one database for tests of numbers that operators see: one works out sums when they
 * are asked for, the other always takes those that were made before.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class StatisticsFixture {
  static final String OPS = "/api/v1/analytics/queue-ops";
  static final String STATUS = "/api/v1/status";
  TestDatabase database;
  RunningServer server;
  RunningServer large;

  @BeforeAll
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint(), Map.of("METRICS_AGGREGATE_INTERVAL_S", "1"));
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

  static void eventually(ThrowingRunnable check) {
    Awaitility.await().untilAsserted(check);
  }

  /** All messages of a queue become older. */
  void age(String queue, int seconds) {
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

  static List<JsonObject> pop(
      RunningServer from, String queue, String partition, String group, int batch) {
    return from.get(
            "/api/v1/pop/queue/%s/partition/%s?batch=%d&consumerGroup=%s"
                .formatted(queue, partition, batch, group))
        .messages();
  }

  static long sum(JsonArray points, String field) {
    return points.stream().mapToLong(point -> ((JsonObject) point).getLong(field)).sum();
  }

  List<String> messages(String query) {
    return server.get(STATUS + "/queues/pages/messages?" + query).array().stream()
        .map(each -> ((JsonObject) each).getString("transactionId"))
        .toList();
  }

  static JsonObject only(JsonArray of, String field, String value) {
    return of.stream()
        .map(JsonObject.class::cast)
        .filter(each -> value.equals(each.getString(field)))
        .findFirst()
        .orElseThrow();
  }
}
