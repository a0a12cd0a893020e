package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.RunningServer.verdict;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The conformance checklist of the HTTP contract, row by row (the number stands in each name), and
 * every error text of its routes. Black box: real HTTP, a real database.
 */
@ExtendWith(PostgresExtension.class)
class ContractIT {
  private TestDatabase database;
  private RunningServer server;

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** What is asked, and how it is refused. */
  private record Refusal(String path, String body, int status, String text) {}

  private static List<Refusal> refusals() {
    String push = "/api/v1/push";
    String ack = "/api/v1/ack";
    String batch = "/api/v1/ack/batch";
    String transaction = "/api/v1/transaction";
    String configure = "/api/v1/configure";
    String extend = "/api/v1/lease/6a0e8ba2-0000-4000-8000-000000000000/extend";
    String group = "/api/v1/consumer-groups/g";
    String partition = "\"partitionId\":\"6a0e8ba2-0000-4000-8000-000000000000\"";
    return List.of(
        new Refusal(push, "", 400, "Empty request body"),
        new Refusal(push, "{}", 400, "items array is required"),
        new Refusal(push, "[]", 400, "items array is required"),
        new Refusal(push, "{\"items\":{}}", 400, "items array is required"),
        new Refusal(push, "{\"items\":null}", 400, "items array is required"),
        new Refusal(push, "{\"items\":[null]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{\"queue\":null}]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{\"queue\":7}]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{\"queue\":\"\"}]}", 400, "queue must not be empty"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"partition\":7}]}",
            400,
            "Partition must be a string"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"partition\":\"\"}]}",
            400,
            "partition must not be empty"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"transactionId\":null}]}",
            400,
            "TransactionId must be a string"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"traceId\":null}]}",
            400,
            "TraceId must be a string"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\"},{\"queue\":\"q\",\"traceId\":\"no\"}]}",
            400,
            "TraceId must be a UUID"),
        new Refusal(push, "{\"items\":[1]}", 400, "Queue must be a string"),
        new Refusal(push, "{\"items\":[{}]}", 400, "Queue must be a string"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"partition\":null}]}",
            400,
            "Partition must be a string"),
        new Refusal(
            push,
            "{\"items\":[{\"queue\":\"q\",\"transactionId\":7}]}",
            400,
            "TransactionId must be a string"),
        new Refusal(
            push, "{\"items\":[{\"queue\":\"q\",\"traceId\":7}]}", 400, "TraceId must be a string"),
        new Refusal(ack, "", 400, "Empty request body"),
        new Refusal(ack, "{}", 400, "transactionId is required"),
        new Refusal(ack, "[]", 400, "transactionId is required"),
        new Refusal(
            ack, "{\"transactionId\":7," + partition + "}", 400, "transactionId is required"),
        new Refusal(
            ack,
            "{\"transactionId\":\"t\",\"partitionId\":null}",
            400,
            "partitionId is required to ensure message uniqueness"),
        new Refusal(
            ack,
            "{\"transactionId\":\"t\",\"status\":\"done\"," + partition + "}",
            400,
            "Unknown status: done"),
        new Refusal(
            ack,
            "{\"transactionId\":\"t\"}",
            400,
            "partitionId is required to ensure message uniqueness"),
        new Refusal(batch, "", 400, "Empty request body"),
        new Refusal(batch, "{}", 400, "acknowledgments array is required"),
        new Refusal(batch, "{\"acknowledgments\":{}}", 400, "acknowledgments array is required"),
        new Refusal(
            batch,
            "{\"acknowledgments\":[1]}",
            400,
            "Each acknowledgment must have a valid transactionId string"),
        new Refusal(
            batch,
            "{\"acknowledgments\":[{}]}",
            400,
            "Each acknowledgment must have a valid transactionId string"),
        new Refusal(
            batch,
            "{\"acknowledgments\":[{\"transactionId\":\"t\"}]}",
            400,
            "Each acknowledgment must have a valid partitionId string to ensure message uniqueness"),
        new Refusal(transaction, "", 400, "Empty request body"),
        new Refusal(transaction, "{}", 400, "operations array required"),
        new Refusal(transaction, "{\"operations\":{}}", 400, "operations array required"),
        new Refusal(
            transaction, "{\"operations\":[{\"type\":\"push\"}]}", 400, "Queue must be a string"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\"," + partition + "}]}",
            400,
            "transactionId is required"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\"," + partition + "}]}",
            200,
            "ACK operation failed: Message not found"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\",\"leaseId\":\"no\","
                + partition
                + "}]}",
            200,
            "ACK operation failed: Invalid or expired lease"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\",\"status\":\"retry\","
                + partition
                + "}]}",
            200,
            "ACK operation failed: Unknown error"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"ack\",\"transactionId\":\"t\",\"status\":\"done\","
                + partition
                + "}]}",
            200,
            "ACK operation failed: Unknown error"),
        new Refusal(transaction, "{\"operations\":[]}", 400, "operations array cannot be empty"),
        new Refusal(
            transaction,
            "{\"operations\":[{\"type\":\"dance\"}]}",
            200,
            "Unknown operation type: dance"),
        new Refusal(configure, "", 400, "Empty request body"),
        new Refusal(configure, "{}", 400, "queue is required"),
        new Refusal(configure, "{\"queue\":7}", 400, "queue is required"),
        new Refusal(configure, "{\"queue\":\"q\",\"options\":7}", 400, "options must be an object"),
        new Refusal(
            configure,
            "{\"queue\":\"q\",\"options\":{\"ttl\":\"soon\"}}",
            400,
            "ttl must be a whole number between 0 and 2147483647"),
        new Refusal(extend, "{}", 404, "Lease not found"),
        new Refusal(extend, "[]", 404, "Lease not found"),
        new Refusal(extend, "", 404, "Lease not found"),
        new Refusal(extend, "{\"seconds\":\"10\"}", 404, "Lease not found"),
        new Refusal("/api/v1/lease/no/extend", "{}", 404, "Lease not found"),
        new Refusal(group + "/subscription", "", 400, "Empty request body"),
        new Refusal(
            group + "/subscription", "{}", 400, "Missing subscriptionTimestamp in request body"),
        new Refusal(group + "/subscription", "[]", 400, "The body must be an object"),
        new Refusal(
            group + "/subscription",
            "{\"subscriptionTimestamp\":7}",
            400,
            "subscriptionTimestamp must be a string"),
        new Refusal(
            group + "/subscription",
            "{\"subscriptionTimestamp\":\"soon\"}",
            400,
            "subscriptionTimestamp must be an ISO 8601 timestamp"),
        new Refusal(group + "/queues/q/seek", "", 400, "Empty request body"),
        new Refusal(
            group + "/queues/q/seek",
            "{}",
            400,
            "Must specify either 'toEnd': true or 'timestamp'"),
        new Refusal(
            group + "/queues/q/seek",
            "{\"toEnd\":false,\"timestamp\":null}",
            400,
            "Must specify either 'toEnd': true or 'timestamp'"),
        new Refusal(
            group + "/queues/q/seek",
            "{\"toEnd\":true,\"timestamp\":\"2026-01-01\"}",
            400,
            "Must specify either 'toEnd': true or 'timestamp', not both"),
        new Refusal(
            group + "/queues/q/seek", "{\"toEnd\":\"yes\"}", 400, "toEnd must be true or false"),
        new Refusal(
            group + "/queues/q/seek",
            "{\"timestamp\":\"'; select 1\"}",
            400,
            "timestamp must be an ISO 8601 timestamp"),
        new Refusal(
            group + "/queues/q/seek", "{\"timestamp\":1}", 400, "timestamp must be a string"),
        new Refusal(group + "/queues/q/seek", "{\"toEnd\":true}", 404, "Queue not found"),
        new Refusal(group + "/queues/q/partitions/p/seek", "", 404, "Partition not found"),
        new Refusal(
            "/api/v1/consumer-groups/" + "x".repeat(256) + "/queues/q/seek",
            "{\"toEnd\":true}",
            400,
            "consumerGroup is longer than 255 characters"),
        new Refusal(
            extend,
            "{\"seconds\":\"soon\"}",
            400,
            "seconds must be a whole number between 0 and 2147483647"));
  }

  /** All rows on one server: a start takes longer than all of them. */
  @Test
  void errors_haveTheTextsOfTheContract() {
    SoftAssertions.assertSoftly(
        softly -> {
          for (Refusal row : refusals()) {
            Answer answer = server.post(row.path(), row.body());
            softly.assertThat(answer.status()).as(row.toString()).isEqualTo(row.status());
            softly.assertThat(answer.error()).as(row.toString()).isEqualTo(row.text());
          }
        });
  }

  @Test
  void errors_ofBadJson_unknownPathAndMethod_areJson() {
    assertThat(server.post("/api/v1/push", "{\"items\":[").error()).startsWith("Invalid JSON: ");
    assertThat(server.get("/nowhere").status()).isEqualTo(404);
    assertThat(server.get("/nowhere").error()).isNotEmpty();
    assertThat(server.get("/api/v1/push").status()).isEqualTo(405);
    assertThat(server.get("/api/v1/pop").status()).isEqualTo(400);
    assertThat(server.get("/api/v1/resources/queues/none").status()).isEqualTo(404);
    assertThat(server.get("/api/v1/resources/queues/none").error()).isEqualTo("Queue not found");
  }

  @Test
  void answers_haveExactlyTheFieldsOfTheContract() {
    server.push(item("q", "p", "t"), item("q", "p", "u"));
    JsonObject duplicate = server.push(item("q", "p", "t")).array().getJsonObject(0);
    assertFields(duplicate, "index", "status", "transaction_id", "message_id", "queueName");

    JsonObject popped = server.pop("q", "batch=2").object();
    assertFields(
        popped,
        "success",
        "queue",
        "partition",
        "partitionId",
        "leaseId",
        "consumerGroup",
        "messages",
        "partitionsClaimed");
    JsonObject message = popped.getJsonArray("messages").getJsonObject(0);
    assertFields(
        message,
        "id",
        "transactionId",
        "traceId",
        "data",
        "producerSub",
        "createdAt",
        "queue",
        "partitionId",
        "partition",
        "leaseId",
        "consumerGroup");
    assertThat(message.getString("createdAt"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
    assertThat(popped.getString("consumerGroup")).isEqualTo("__QUEUE_MODE__");

    JsonObject extended =
        server.post("/api/v1/lease/" + popped.getString("leaseId") + "/extend", "{}").object();
    assertFields(
        extended,
        "success",
        "leaseId",
        "error",
        "expiresAt",
        "newExpiresAt",
        "lease_expires_at",
        "index");

    String[] ackFields = {
      "index",
      "transactionId",
      "success",
      "error",
      "queueName",
      "partitionName",
      "leaseReleased",
      "dlq"
    };
    JsonObject acked = server.ack(message, "completed").array().getJsonObject(0);
    assertFields(acked, ackFields);
    assertThat(acked.getValue("error")).isNull();
    assertThat(acked.getString("queueName")).isEqualTo("q");
    assertThat(acked.getString("partitionName")).isEqualTo("p");
    JsonObject unknown =
        server
            .post("/api/v1/ack", verdict(message, "completed").put("transactionId", "none"))
            .array()
            .getJsonObject(0);
    assertFields(unknown, ackFields);
    assertThat(unknown.getBoolean("success")).isFalse();

    JsonObject second = popped.getJsonArray("messages").getJsonObject(1);
    JsonObject done =
        transaction(verdict(second, "completed").put("type", "ack"), push("out", "x")).object();
    assertFields(done, "success", "transactionId", "results");
    assertFields(
        done.getJsonArray("results").getJsonObject(0),
        "index",
        "type",
        "success",
        "transactionId",
        "error",
        "dlq");
    assertFields(
        done.getJsonArray("results").getJsonObject(1),
        "index",
        "type",
        "success",
        "transactionId",
        "messageId",
        "partitionId",
        "queueName");
    assertFields(
        transaction(push("out", "x")).object(), "success", "transactionId", "error", "results");

    assertFields(
        server.delete("/api/v1/resources/queues/q").object(), "deleted", "queue", "existed");
  }

  @Test
  void emptyPops_sayWhy_whereTheyHaveABody() throws IOException {
    server.close();
    server = RunningServer.on(database.endpoint(), Map.of("QUEEN_EMPTY_POP_STATUS", "200"));
    server.push(item("q", "p", "t"));
    server.get("/api/v1/pop/queue/q/partition/p?consumerGroup=g");
    server.get("/api/v1/pop/queue/q/partition/p?consumerGroup=h&autoAck=true");
    server.configure("w", new JsonObject().put("windowBuffer", 300));
    server.push(item("w", "p", "t"));

    assertEmpty("q?consumerGroup=g", "no_available_partition");
    assertEmpty("none", "no_available_partition");
    assertEmpty("q/partition/none", "partition_not_found");
    assertEmpty("none/partition/p", "partition_not_found");
    assertEmpty("q/partition/p?consumerGroup=g", "lease_held");
    JsonObject nothing = assertEmpty("q/partition/p?consumerGroup=h", null);
    assertThat(nothing.getInteger("partitionsClaimed")).isEqualTo(1);
    JsonObject held = assertEmpty("w/partition/p", null);
    assertThat(held.getBoolean("windowBufferActive")).isTrue();
    assertThat(held.getString("leaseId")).isEmpty();
    JsonObject late = assertEmpty("q?consumerGroup=h&wait=true&timeout=100", null);
    assertFields(
        late,
        "success",
        "queue",
        "partition",
        "partitionId",
        "leaseId",
        "consumerGroup",
        "messages");
    assertThat(late.getString("partition")).isEmpty();
    assertThat(late.getValue("partitionId")).isNull();
    assertThat(late.getValue("leaseId")).isNull();
  }

  private JsonObject assertEmpty(String path, @Nullable String error) {
    Answer answer = server.get("/api/v1/pop/queue/" + path);
    assertThat(answer.status()).as(path).isEqualTo(200);
    JsonObject body = answer.object();
    assertThat(body.getBoolean("success")).as(path).isEqualTo(error == null);
    assertThat(body.getString("error")).as(path).isEqualTo(error);
    assertThat(body.getJsonArray("messages")).as(path).isEmpty();
    return body;
  }

  private static void assertFields(JsonObject object, String... names) {
    assertThat(object.fieldNames()).containsExactlyInAnyOrder(names);
  }

  @Test
  void row1_pushWithoutPartition_goesToDefault() {
    Answer pushed = server.push(new JsonObject().put("queue", "q").put("payload", 1));

    assertThat(pushed.status()).isEqualTo(201);
    JsonObject result = pushed.array().getJsonObject(0);
    assertThat(result.fieldNames())
        .containsExactlyInAnyOrder(
            "index",
            "status",
            "transaction_id",
            "message_id",
            "partition_id",
            "trace_id",
            "queueName");
    assertThat(result.getString("queueName")).isEqualTo("q");
    assertThat(server.get("/api/v1/pop/queue/q/partition/Default").messages()).hasSize(1);
  }

  @Test
  void row2_sameTransactionId_isADuplicate() {
    String first =
        server.push(item("q", "p", "t")).array().getJsonObject(0).getString("message_id");

    JsonArray again =
        server.push(item("q", "p", "t"), item("q", "p", "u"), item("q", "p", "u")).array();

    assertThat(statuses(again)).containsExactly("duplicate", "queued", "duplicate");
    assertThat(again.getJsonObject(0).getString("message_id")).isEqualTo(first);
    assertThat(again.getJsonObject(2).getString("message_id"))
        .isEqualTo(again.getJsonObject(1).getString("message_id"));
    assertThat(statuses(server.push(item("q", "other", "t")).array())).containsExactly("queued");
    assertThat(server.get("/api/v1/pop/queue/q/partition/p?batch=10").transactionIds())
        .containsExactly("t", "u");
  }

  @Test
  void row3_payloads_surviveUnchanged() {
    String large = "{\"large\":\"" + "x".repeat(5_000_000) + "\"}";
    List<String> payloads =
        List.of(
            "null",
            "0",
            "\"\"",
            "[]",
            "{}",
            "true",
            "-1.50e10",
            "12345678901234567890123",
            "{\"b\":1,  \"a\":{\"\":[null,\"\\u0000\\ud83d\\ude00 é 漢\"]},\"a\":2}",
            large);
    for (String payload : payloads) {
      String body = "{\"items\":[{\"queue\":\"q\",\"payload\":" + payload + "}]}";
      assertThat(server.post("/api/v1/push", body).status()).isEqualTo(201);
      String answer = server.pop("q", "autoAck=true").body();
      assertThat(answer.contains("\"data\":" + payload + ",")).as(cut(payload)).isTrue();
    }
  }

  @Test
  void row4_emptyItems_areAnswered201() {
    Answer answer = server.post("/api/v1/push", "{\"items\":[]}");

    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.body()).isEqualTo("[]");
    assertThat(server.post("/api/v1/ack/batch", "{\"acknowledgments\":[]}").body()).isEqualTo("[]");
  }

  @Test
  void row5_order_isKept() {
    JsonObject[] items =
        IntStream.range(0, 1000).mapToObj(i -> item("q", "p", "a" + i)).toArray(JsonObject[]::new);
    server.push(items);
    for (int i = 0; i < 100; i++) {
      server.push(item("q", "p", "b" + i));
    }

    List<String> ids = server.pop("q", "batch=2000").transactionIds();

    List<String> expected = new ArrayList<>();
    IntStream.range(0, 1000).forEach(i -> expected.add("a" + i));
    IntStream.range(0, 100).forEach(i -> expected.add("b" + i));
    assertThat(ids).isEqualTo(expected);
  }

  @Test
  void row6_unknownQueue_isEmpty_andALongPollWaitsForIt() throws Exception {
    assertThat(server.pop("unborn", "").status()).isEqualTo(204);
    assertThat(server.get("/api/v1/pop/queue/unborn/partition/p").status()).isEqualTo(204);
    CompletableFuture<Answer> poll = server.popLater("unborn", "wait=true&timeout=20000");
    Thread.sleep(300);

    long pushed = System.nanoTime();
    server.push(item("unborn", "p", "t"));

    assertThat(poll.get().transactionIds()).containsExactly("t");
    assertThat(Duration.ofNanos(System.nanoTime() - pushed)).isLessThan(Duration.ofMillis(500));
  }

  @Test
  void row7_batch_isAGlobalCap_underOneLease() {
    server.push(
        IntStream.range(0, 30)
            .mapToObj(i -> item("q", "p" + i % 3, "t" + i))
            .toArray(JsonObject[]::new));

    Answer answer = server.pop("q", "batch=25&partitions=3");

    assertThat(answer.messages()).hasSize(25);
    assertThat(answer.object().getInteger("partitionsClaimed")).isEqualTo(3);
    assertThat(answer.messages().stream().map(m -> m.getString("leaseId")).distinct())
        .containsExactly(answer.object().getString("leaseId"));
    assertThat(server.pop("q", "batch=25&partitions=3").status()).isEqualTo(204);
    assertThat(server.ackAll(answer.messages(), "completed").array())
        .allMatch(each -> ((JsonObject) each).getBoolean("success"));
    assertThat(server.pop("q", "batch=25&partitions=3").messages()).hasSize(5);
  }

  @Test
  void row8_oneConsumerOfAGroup_perPartition() {
    server.push(item("q", "p", "t"));

    Answer first = server.pop("q", "consumerGroup=g");

    assertThat(first.messages()).hasSize(1);
    assertThat(server.pop("q", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(server.pop("q", "consumerGroup=h").messages()).hasSize(1);
    server.push(item("q", "p", "u"));
    server.ack(first.messages().get(0), "completed");
    assertThat(server.pop("q", "consumerGroup=g").transactionIds()).containsExactly("u");
  }

  @Test
  void row9_expiredLease_comesAgain_andTheOldOneIsLost() throws Exception {
    server.configure("q", new JsonObject().put("leaseTime", 1));
    server.push(item("q", "p", "t"));
    JsonObject first = server.pop("q", "").messages().get(0);
    Thread.sleep(1100);

    Answer tooLate = server.post("/api/v1/lease/" + first.getString("leaseId") + "/extend", "{}");
    assertThat(tooLate.status()).isEqualTo(409);
    assertThat(tooLate.error()).isEqualTo("Lease already expired");
    JsonObject second = server.pop("q", "").messages().get(0);

    assertThat(second.getString("id")).isEqualTo(first.getString("id"));
    assertThat(second.getString("leaseId")).isNotEqualTo(first.getString("leaseId"));
    JsonObject late = server.ack(first, "completed").array().getJsonObject(0);
    assertThat(late.getBoolean("success")).isFalse();
    assertThat(late.getString("error")).isEqualTo("Invalid or expired lease");
    assertThat(server.ack(second, "completed").array().getJsonObject(0).getBoolean("success"))
        .isTrue();
  }

  @Test
  void row10_autoAck_movesOn() {
    server.push(item("q", "p", "t"), item("q", "p", "u"));

    Answer first = server.pop("q", "autoAck=true");

    assertThat(first.object().getString("leaseId")).isEmpty();
    assertThat(first.messages().get(0).getString("leaseId")).isEmpty();
    assertThat(first.transactionIds()).containsExactly("t");
    assertThat(server.pop("q", "autoAck=true").transactionIds()).containsExactly("u");
    assertThat(server.pop("q", "autoAck=true").status()).isEqualTo(204);
  }

  @Test
  void row11_longPoll_isAnsweredAtItsTimeout() {
    server.pop("q", "");
    for (int timeout : new int[] {200, 1000}) {
      long asked = System.nanoTime();
      assertThat(server.pop("q", "wait=true&timeout=" + timeout).status()).isEqualTo(204);
      assertThat(Duration.ofNanos(System.nanoTime() - asked))
          .isBetween(Duration.ofMillis(timeout), Duration.ofMillis(timeout + 100));
    }
  }

  @Test
  void row12_windowBufferAndDelay_holdMessagesBack() {
    server.configure("window", new JsonObject().put("windowBuffer", 300));
    server.configure("delay", new JsonObject().put("delayedProcessing", 300));
    server.push(item("window", "p", "t"), item("delay", "p", "t"));
    assertThat(server.pop("window", "").status()).isEqualTo(204);
    assertThat(server.pop("delay", "").status()).isEqualTo(204);

    // Five minutes pass.
    database.query(
        "update queen.segments set created_at = created_at - interval '301 seconds';"
            + " update queen.partitions set last_append_at = last_append_at - interval '301 seconds'");
    server.configure("window", new JsonObject().put("windowBuffer", 300));
    server.configure("delay", new JsonObject().put("delayedProcessing", 300));

    assertThat(server.pop("window", "").transactionIds()).containsExactly("t");
    assertThat(server.pop("delay", "").transactionIds()).containsExactly("t");
  }

  @Test
  void row13_batchAckedInAnyOrder_isReleased() {
    server.push(item("q", "p", "a"), item("q", "p", "b"), item("q", "p", "c"), item("q", "p", "d"));
    List<JsonObject> batch = server.pop("q", "batch=3").messages();

    for (int i : new int[] {2, 0, 1}) {
      JsonObject result = server.ack(batch.get(i), "completed").array().getJsonObject(0);
      assertThat(result.getBoolean("success")).isTrue();
      assertThat(result.getBoolean("leaseReleased")).isEqualTo(i == 1);
    }

    assertThat(server.pop("q", "batch=3").transactionIds()).containsExactly("d");
  }

  @Test
  void row14_partialAck_bringsOnlyTheRestAgain() throws Exception {
    server.configure("q", new JsonObject().put("leaseTime", 1));
    server.push(
        IntStream.range(0, 5).mapToObj(i -> item("q", "p", "t" + i)).toArray(JsonObject[]::new));
    List<JsonObject> batch = server.pop("q", "batch=5").messages();
    server.ackAll(batch.subList(0, 3), "completed");
    Thread.sleep(1100);

    List<String> rest = new ArrayList<>();
    while (rest.size() < 2) {
      Answer more = server.pop("q", "batch=5&wait=true&timeout=3000");
      assertThat(more.status()).isEqualTo(200);
      rest.addAll(more.transactionIds());
      server.ackAll(more.messages(), "completed");
    }
    assertThat(rest).containsExactly("t3", "t4");
    assertThat(server.pop("q", "batch=5").status()).isEqualTo(204);
  }

  @Test
  void row15_failures_endInTheDeadLetters() {
    server.configure("q", new JsonObject().put("retryLimit", 2));
    server.push(item("q", "p", "t"));
    for (int delivery = 1; delivery <= 3; delivery++) {
      JsonObject message = server.pop("q", "consumerGroup=g").messages().get(0);
      JsonObject result =
          server
              .post("/api/v1/ack", verdict(message, "failed").put("error", "boom"))
              .array()
              .getJsonObject(0);
      assertThat(result.getBoolean("dlq")).isEqualTo(delivery == 3);
    }

    assertThat(server.pop("q", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(
            database.value(
                "select consumer_group || ':' || error_message || ':' || retry_count || ':'"
                    + " || payload from queen.dead_letters"))
        .isEqualTo("g:boom:2:{\"of\":\"t\"}");
  }

  @Test
  void row16_failedBetweenCompleted_isNotLost() {
    server.push(item("q", "p", "a"), item("q", "p", "b"), item("q", "p", "c"));
    List<JsonObject> batch = server.pop("q", "batch=3").messages();

    Answer answer =
        server.post(
            "/api/v1/ack/batch",
            new JsonObject()
                .put(
                    "acknowledgments",
                    new JsonArray()
                        .add(verdict(batch.get(0), "completed"))
                        .add(verdict(batch.get(1), "failed"))
                        .add(verdict(batch.get(2), "completed"))));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(server.pop("q", "batch=3").transactionIds()).startsWith("b").doesNotContain("a");
  }

  @Test
  void row17_dlqRetryAndUnknownStatus() {
    server.push(item("q", "p", "a"), item("q", "p", "b"));
    JsonObject first = server.pop("q", "").messages().get(0);
    assertThat(server.ack(first, "retry").array().getJsonObject(0).getBoolean("success")).isTrue();
    JsonObject again = server.pop("q", "").messages().get(0);
    assertThat(again.getString("transactionId")).isEqualTo("a");
    assertThat(server.ack(again, "whatever").status()).isEqualTo(400);

    assertThat(server.ack(again, "dlq").array().getJsonObject(0).getBoolean("dlq")).isTrue();

    assertThat(server.pop("q", "").transactionIds()).containsExactly("b");
  }

  @Test
  void row18_unknownMessage_andBadPartitionId_harmOnlyThemselves() {
    server.push(item("q", "p", "t"));
    JsonObject message = server.pop("q", "").messages().get(0);

    JsonArray answer =
        server
            .post(
                "/api/v1/ack/batch",
                new JsonObject()
                    .put(
                        "acknowledgments",
                        new JsonArray()
                            .add(verdict(message, "completed").put("partitionId", "no-uuid"))
                            .add(verdict(message, "completed").put("transactionId", "unknown"))
                            .add(
                                verdict(message, "completed")
                                    .put("partitionId", UUID.randomUUID().toString()))
                            .add(verdict(message, "completed"))))
            .array();

    assertThat(answer.getJsonObject(0).getString("error")).isEqualTo("Message not found");
    assertThat(answer.getJsonObject(1).getString("error")).isEqualTo("Message not found");
    assertThat(answer.getJsonObject(2).getBoolean("success")).isFalse();
    assertThat(answer.getJsonObject(3).getBoolean("success")).isTrue();
  }

  @Test
  void row19_transactions_areAtomic_andWake() throws Exception {
    server.push(item("in", "p", "t"));
    JsonObject message = server.pop("in", "consumerGroup=g").messages().get(0);
    JsonObject ack = verdict(message, "completed").put("type", "ack");
    JsonObject lost = ack.copy().put("transactionId", "unknown");

    Answer failed = transaction(ack, push("out", "x"), lost);
    assertThat(failed.object().getBoolean("success")).isFalse();
    assertThat(failed.error()).isEqualTo("ACK operation failed: Message not found");
    assertThat(server.pop("out", "").status()).isEqualTo(204);

    CompletableFuture<Answer> poll = server.popLater("out", "wait=true&timeout=20000");
    Thread.sleep(200);
    Answer done = transaction(ack, push("out", "x"));
    assertThat(done.object().getBoolean("success")).isTrue();
    assertThat(poll.get().transactionIds()).containsExactly("x");

    Answer duplicate = transaction(push("out", "x"));
    assertThat(duplicate.object().getBoolean("success")).isFalse();
    assertThat(duplicate.error()).contains("duplicate key");
    // The client repeats a transaction whose answer it did not get.
    Answer repeated =
        server.post(
            "/api/v1/transaction",
            new JsonObject()
                .put("operations", new JsonArray().add(push("out", "y")))
                .put("requiredLeases", new JsonArray().add(message.getString("leaseId"))));
    assertThat(repeated.object().getBoolean("success")).isFalse();
    assertThat(repeated.error()).isEqualTo("Invalid or expired lease");
  }

  @Test
  void row20_subscriptions_startAtTheFirstContact() throws Exception {
    assertThat(server.pop("q", "consumerGroup=early&subscriptionMode=new").status()).isEqualTo(204);
    server.push(item("q", "p", "a"));
    assertThat(server.pop("q", "consumerGroup=early&subscriptionMode=new").transactionIds())
        .containsExactly("a");
    assertThat(server.pop("q", "consumerGroup=late&subscriptionMode=new").status()).isEqualTo(204);
    server.push(item("q", "p", "b"));
    assertThat(server.pop("q", "consumerGroup=late&subscriptionMode=all").transactionIds())
        .containsExactly("b");
    assertThat(
            server
                .pop("q", "consumerGroup=past&subscriptionFrom=2020-01-01T00:00:00Z&batch=9")
                .transactionIds())
        .containsExactly("a", "b");
    server.close();
    server = RunningServer.on(database.endpoint());
    server.push(item("q", "p2", "c"));
    assertThat(server.pop("q", "consumerGroup=late").transactionIds()).containsExactly("c");
  }

  @Test
  void row21_seekToTheEnd_toAMoment_inOnePartition() throws Exception {
    server.push(item("q", "p", "a"), item("q", "r", "a"));
    Thread.sleep(20);
    Instant between = Instant.now();
    server.push(item("q", "p", "b"), item("q", "r", "b"));
    String seek = "/api/v1/consumer-groups/g/queues/q/seek";

    JsonObject end = server.post(seek, "{\"toEnd\":true}").object();
    assertThat(end.getInteger("partitionsUpdated")).isEqualTo(2);
    assertThat(server.pop("q", "consumerGroup=g").status()).isEqualTo(204);

    server.post(seek, new JsonObject().put("timestamp", between.toString()));
    List<JsonObject> later = server.pop("q", "consumerGroup=g&batch=9&partitions=9").messages();
    assertThat(later).extracting(each -> each.getString("transactionId")).containsOnly("b");
    assertThat(later).hasSize(2);

    server.post(seek, "{\"timestamp\":\"2020-01-01T00:00:00Z\"}");
    JsonObject one =
        server.post("/api/v1/consumer-groups/g/queues/q/partitions/p/seek", "").object();
    assertThat(one.getBoolean("updated")).isTrue();
    Answer rest = server.pop("q", "consumerGroup=g&batch=9&partitions=9");
    assertThat(rest.transactionIds()).containsExactly("a", "b");
    assertThat(rest.object().getString("partition")).isEqualTo("r");
  }

  @Test
  void row21_deleteWithAndWithoutMetadata() {
    server.push(item("q", "p", "old"));
    server.pop("q", "consumerGroup=g&subscriptionMode=new");
    server.push(item("q", "p", "a"));
    assertThat(server.pop("q", "consumerGroup=g&autoAck=true").transactionIds())
        .containsExactly("a");

    JsonObject kept = server.delete("/api/v1/consumer-groups/g?deleteMetadata=false").object();
    assertThat(kept.getBoolean("metadataDeleted")).isFalse();
    assertThat(server.pop("q", "consumerGroup=g&batch=9&autoAck=true").transactionIds())
        .containsExactly("a");

    JsonObject gone = server.delete("/api/v1/consumer-groups/g").object();
    assertThat(gone.getBoolean("metadataDeleted")).isTrue();
    assertThat(gone.getInteger("deletedPartitions")).isEqualTo(1);
    assertThat(server.pop("q", "consumerGroup=g&batch=9").transactionIds())
        .containsExactly("old", "a");
  }

  @Test
  void row22_configure_replacesAll_andEchoesAll() {
    JsonObject bare = server.post("/api/v1/configure", "{\"queue\":\"q\"}").object();
    assertFields(
        bare, "configured", "queue", "queueId", "partitionId", "namespace", "task", "options");
    assertThat(bare.getString("namespace")).isEmpty();
    assertThat(bare.getJsonObject("options").getInteger("leaseTime")).isEqualTo(300);
    assertThat(bare.getJsonObject("options").getInteger("retryLimit")).isEqualTo(3);
    assertThat(bare.getJsonObject("options").getInteger("retryDelay")).isEqualTo(1000);
    assertThat(bare.getJsonObject("options").getInteger("ttl")).isEqualTo(3600);
    assertThat(bare.getJsonObject("options").fieldNames())
        .containsAll(
            Set.of(
                "leaseTime",
                "retryLimit",
                "retryDelay",
                "maxSize",
                "ttl",
                "deadLetterQueue",
                "dlqAfterMaxRetries",
                "priority",
                "delayedProcessing",
                "windowBuffer",
                "retentionSeconds",
                "completedRetentionSeconds",
                "retentionEnabled",
                "encryptionEnabled",
                "maxWaitTimeSeconds"));

    server.configure("q", new JsonObject().put("leaseTime", 7).put("retryLimit", 9));
    JsonObject replaced =
        server
            .configure("q", new JsonObject().put("retryLimit", 5))
            .object()
            .getJsonObject("options");
    assertThat(replaced.getInteger("leaseTime")).isEqualTo(300);
    JsonObject merged =
        server
            .post(
                "/api/v1/configure",
                "{\"queue\":\"q\",\"merge\":true,\"options\":{\"leaseTime\":8}}")
            .object()
            .getJsonObject("options");
    assertThat(merged.getInteger("leaseTime")).isEqualTo(8);
    assertThat(merged.getInteger("retryLimit")).isEqualTo(5);
    assertThat(server.configure("q", new JsonObject().put("leaseTime", "soon")).error())
        .contains("leaseTime");
  }

  @Test
  void names_ofAnyUnicode_goThroughPaths() {
    for (String name : List.of("a b+c", "50%", "ü/ö", "漢字😀", "x".repeat(255))) {
      server.push(item(name, name, "t"));
      Answer answer =
          server.get(
              "/api/v1/pop/queue/"
                  + RunningServer.encoded(name)
                  + "/partition/"
                  + RunningServer.encoded(name));
      assertThat(answer.object().getString("queue")).isEqualTo(name);
      assertThat(answer.object().getString("partition")).isEqualTo(name);
    }
    assertThat(server.push(item("x".repeat(256), "p", "t")).status()).isEqualTo(400);
    assertThat(server.push(item("", "p", "t")).status()).isEqualTo(400);
  }

  @Test
  void lease_isExtended_whileItLives() throws Exception {
    server.configure("q", new JsonObject().put("leaseTime", 1));
    server.push(item("q", "p", "t"));
    JsonObject message = server.pop("q", "").messages().get(0);

    Answer extended =
        server.post(
            "/api/v1/lease/" + message.getString("leaseId") + "/extend", "{\"seconds\":30}");

    assertThat(extended.status()).isEqualTo(200);
    assertThat(extended.object().getBoolean("success")).isTrue();
    assertThat(extended.object().getString("newExpiresAt")).isNotEmpty();
    Thread.sleep(1200);
    assertThat(server.pop("q", "").status()).isEqualTo(204);
    assertThat(server.ack(message, "completed").array().getJsonObject(0).getBoolean("success"))
        .isTrue();
  }

  private Answer transaction(JsonObject... operations) {
    return server.post(
        "/api/v1/transaction",
        new JsonObject().put("operations", new JsonArray(List.of(operations))));
  }

  private static JsonObject push(String queue, String transactionId) {
    return new JsonObject()
        .put("type", "push")
        .put("items", new JsonArray().add(item(queue, "p", transactionId)));
  }

  private static List<String> statuses(JsonArray results) {
    return results.stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }

  private static String cut(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }
}
