package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.encoded;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server for tests of single messages, a queue for each of them, and what operators ask. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class MessagesFixture {
  static final String MESSAGES = "/api/v1/messages";
  static final String DLQ = "/api/v1/dlq";
  TestDatabase database;
  RunningServer server;
  String q;
  int queues;

  @BeforeAll
  void start(TestDatabase fresh) {
    database = fresh;
    // Pages of up to 1 MiB.
    server = RunningServer.on(fresh.endpoint(), Map.of("QUEEN_MAX_MEMORY_BYTES", "" + (64 << 20)));
  }

  /** Each test has a queue of its own. */
  @BeforeEach
  void nextQueue() {
    q = "space" + queues + ".task" + queues++;
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  List<JsonObject> list(String query) {
    Answer answer = server.get(MESSAGES + "?" + query);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.object().getBoolean("truncated")).isFalse();
    return answer.messages();
  }

  List<JsonObject> letters(String query) {
    Answer answer = server.get(DLQ + "?" + query);
    assertThat(answer.status()).isEqualTo(200);
    return answer.messages();
  }

  List<JsonObject> popAll(String queue, String partition, String query) {
    return server
        .get("/api/v1/pop/queue/" + queue + "/partition/" + encoded(partition) + "?" + query)
        .messages();
  }

  String partitionId(String queue, String partition) {
    return server
        .get("/api/v1/resources/partitions?queue=" + encoded(queue))
        .object()
        .getJsonArray("partitions")
        .stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("name").equals(partition))
        .map(each -> each.getString("id"))
        .findFirst()
        .orElseThrow();
  }

  long lag(String group, String queue) {
    return server
        .get("/api/v1/consumer-groups/" + group)
        .object()
        .getJsonObject(queue)
        .getJsonArray("partitions")
        .stream()
        .mapToLong(each -> ((JsonObject) each).getLong("offsetLag"))
        .sum();
  }

  String partitionsOfQueue(String column) {
    return "select p."
        + column
        + " from queen.partitions p join queen.queues q on q.id = p.queue_id where q.name = '"
        + q
        + "'";
  }

  static String path(String partitionId, String transactionId) {
    return MESSAGES + "/" + partitionId + "/" + encoded(transactionId);
  }
}
