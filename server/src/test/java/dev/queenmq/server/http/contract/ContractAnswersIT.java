package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.ackItem;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What stands in the answers of the contract, and in its paths. */
class ContractAnswersIT extends ContractFixture {
  @Test
  void answers_haveExactlyTheFieldsOfTheContract() {
    server.push(item(q, "p", "t"), item(q, "p", "u"));
    JsonObject duplicate = server.push(item(q, "p", "t")).array().getJsonObject(0);
    assertFields(duplicate, "index", "status", "transaction_id", "message_id", "queueName");

    JsonObject popped = server.pop(q, "batch=2").object();
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
        "consumerGroup",
        "attempt",
        "leaseExpiresAt");
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
    assertThat(acked.getString("queueName")).isEqualTo(q);
    assertThat(acked.getString("partitionName")).isEqualTo("p");
    JsonObject unknown =
        server
            .post("/api/v1/ack", ackItem(message, "completed").put("transactionId", "none"))
            .array()
            .getJsonObject(0);
    assertFields(unknown, ackFields);
    assertThat(unknown.getBoolean("success")).isFalse();

    JsonObject second = popped.getJsonArray("messages").getJsonObject(1);
    JsonObject done =
        transaction(ackItem(second, "completed").put("type", "ack"), push("out", "x")).object();
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
        server.delete("/api/v1/resources/queues/" + q).object(), "deleted", "queue", "existed");
  }

  @Test
  void emptyPops_sayWhy_whereTheyHaveABody() throws IOException {
    try (RunningServer wordy =
        RunningServer.on(database.endpoint(), Map.of("QUEEN_EMPTY_POP_STATUS", "200"))) {
      wordy.push(item(q, "p", "t"));
      wordy.get("/api/v1/pop/queue/" + q + "/partition/p?consumerGroup=g");
      wordy.get("/api/v1/pop/queue/" + q + "/partition/p?consumerGroup=h&autoAck=true");
      wordy.configure("w", new JsonObject().put("windowBuffer", 300));
      wordy.push(item("w", "p", "t"));

      assertEmpty(wordy, q + "?consumerGroup=g", "no_available_partition");
      assertEmpty(wordy, "none", "no_available_partition");
      assertEmpty(wordy, q + "/partition/none", "partition_not_found");
      assertEmpty(wordy, "none/partition/p", "partition_not_found");
      assertEmpty(wordy, q + "/partition/p?consumerGroup=g", "lease_held");
      JsonObject nothing = assertEmpty(wordy, q + "/partition/p?consumerGroup=h", null);
      assertThat(nothing.getInteger("partitionsClaimed")).isEqualTo(1);
      JsonObject held = assertEmpty(wordy, "w/partition/p", null);
      assertThat(held.getBoolean("windowBufferActive")).isTrue();
      assertThat(held.getString("leaseId")).isEmpty();
      JsonObject late = assertEmpty(wordy, q + "?consumerGroup=h&wait=true&timeout=100", null);
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
  }

  private static JsonObject assertEmpty(RunningServer server, String path, @Nullable String error) {
    Answer answer = server.get("/api/v1/pop/queue/" + path);
    assertThat(answer.status()).as(path).isEqualTo(200);
    JsonObject body = answer.object();
    assertThat(body.getBoolean("success")).as(path).isEqualTo(error == null);
    assertThat(body.getString("error")).as(path).isEqualTo(error);
    assertThat(body.getJsonArray("messages")).as(path).isEmpty();
    return body;
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
}
