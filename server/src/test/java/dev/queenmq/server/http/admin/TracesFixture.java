package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A server for what consumers note about messages. */
@ExtendWith(PostgresExtension.class)
@ResourceLock("dev.queenmq.server.http.admin.TracesFixture")
abstract class TracesFixture {
  static final String TRACES = "/api/v1/traces";
  static TestDatabase database;
  static RunningServer server;

  /** Of each test's own: they share the broker. */
  final String queue = "queue-" + UUID.randomUUID();

  final String name = "name-" + UUID.randomUUID();

  @BeforeAll
  static void start(TestDatabase fresh) {
    database = fresh;
    server =
        RunningServer.on(
            fresh.endpoint(),
            Map.of(
                "QUEEN_ENCRYPTION_KEY",
                "ab".repeat(32),
                "WORKER_ID",
                "bee-7",
                // Pages of up to 1 MiB.
                "QUEEN_MAX_MEMORY_BYTES",
                "" + (64 << 20)));
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  /** Pushes to the test's queue; the id of its partition. */
  String push(String... transactionIds) {
    JsonObject[] items = new JsonObject[transactionIds.length];
    for (int i = 0; i < items.length; i++) {
      items[i] = item(queue, "p", transactionIds[i]);
    }
    return server.push(items).array().getJsonObject(0).getString("partition_id");
  }

  static Answer trace(String partition, String transactionId) {
    return server.post(
        TRACES,
        new JsonObject()
            .put("partitionId", partition)
            .put("transactionId", transactionId)
            .put("data", 1));
  }

  static void record(String partition, String transactionId, String data, @Nullable String names) {
    Answer answer =
        server.post(
            TRACES,
            "{\"partitionId\":\"%s\",\"transactionId\":\"%s\",\"data\":%s,\"traceNames\":%s}"
                .formatted(partition, transactionId, data, names));
    assertRecorded(answer);
  }

  static void record(JsonObject body) {
    assertRecorded(server.post(TRACES, body));
  }

  static void assertRecorded(Answer answer) {
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.object().getBoolean("success")).isTrue();
    assertThat(UUID.fromString(answer.object().getString("traceId"))).isNotNull();
  }

  static List<JsonObject> traces(Answer answer) {
    return answer.object().getJsonArray("traces").stream().map(JsonObject.class::cast).toList();
  }
}
