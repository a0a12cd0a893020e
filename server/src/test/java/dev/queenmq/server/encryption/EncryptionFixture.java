package dev.queenmq.server.encryption;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Brokers with a key, the next one, and none, on one database. */
@ExtendWith(PostgresExtension.class)
@ResourceLock("dev.queenmq.server.encryption.EncryptionFixture")
abstract class EncryptionFixture {
  static final String KEY = "0123456789abcdef".repeat(4);
  static final String NEXT_KEY = "fedcba9876543210".repeat(4);
  static final String NO_KEY = "encryption key not configured";
  static final String SECRET = "the-bee-dances-at-noon";
  static TestDatabase database;
  static RunningServer server;
  static RunningServer other;
  static RunningServer rotated;
  static RunningServer keyless;

  /** Of each test's own: they share the database. */
  final String vault = "vault-" + UUID.randomUUID();

  final String open = "open-" + UUID.randomUUID();

  @BeforeAll
  static void start(TestDatabase fresh) {
    database = fresh;
    server = with(Map.of("QUEEN_ENCRYPTION_KEY", KEY));
    other = with(Map.of("QUEEN_ENCRYPTION_KEY", KEY));
    rotated = with(Map.of("QUEEN_ENCRYPTION_KEY", NEXT_KEY, "QUEEN_ENCRYPTION_KEY_PREVIOUS", KEY));
    keyless = with(Map.of());
    // Before they know of each other's keys, brokers seal in the background what tests look at.
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> database.value("select count(distinct key_id) from queen.sealing_brokers"),
            Long.valueOf(2)::equals);
  }

  @AfterAll
  static void stop() throws IOException {
    for (RunningServer each : List.of(server, other, rotated, keyless)) {
      each.close();
    }
  }

  static RunningServer with(Map<String, String> environment) {
    return RunningServer.on(database.endpoint(), environment);
  }

  static void encrypt(RunningServer broker, String queue) {
    encrypt(broker, queue, new JsonObject());
  }

  static void encrypt(RunningServer broker, String queue, JsonObject options) {
    Answer answer =
        broker.post(
            "/api/v1/configure",
            new JsonObject()
                .put("queue", queue)
                .put("namespace", queue)
                .put("options", options.put("encryptionEnabled", true)));
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.object().getJsonObject("options").getBoolean("encryptionEnabled")).isTrue();
  }

  static JsonObject secret(String queue, String partition, @Nullable String transactionId) {
    JsonObject item =
        new JsonObject()
            .put("queue", queue)
            .put("partition", partition)
            .put("payload", new JsonObject().put("secret", SECRET + " " + transactionId));
    return transactionId == null ? item : item.put("transactionId", transactionId);
  }

  static Answer transaction(RunningServer broker, JsonObject... operations) {
    return broker.post(
        "/api/v1/transaction",
        new JsonObject().put("operations", new JsonArray(List.of(operations))));
  }

  static List<String> statuses(Answer answer) {
    return answer.array().stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }

  static List<JsonObject> data(Answer answer) {
    return answer.messages().stream().map(message -> message.getJsonObject("data")).toList();
  }

  static List<String> stored(String queue) {
    return database
        .query(
            "select payload from queen.messages where queue = '%s' order by message_offset"
                .formatted(queue))
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }

  /** Messages of a queue that anybody could read. */
  static long plain(String queue) {
    return (long)
        database.value(
            "select count(*) from queen.messages where queue = '%s' and not encrypted"
                .formatted(queue));
  }

  static List<Row> letters(String queue) {
    return database.query(
        "select d.* from queen.dead_letters d join queen.queues q on q.id = d.queue_id"
            + " where q.name = '%s'".formatted(queue));
  }
}
