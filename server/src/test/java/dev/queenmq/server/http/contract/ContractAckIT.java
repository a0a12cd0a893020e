package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.ackItem;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** The rows of the checklist about acks, transactions, groups and options. */
class ContractAckIT extends ContractFixture {
  @Test
  void row13_batchAckedInAnyOrder_isReleased() {
    server.push(item(q, "p", "a"), item(q, "p", "b"), item(q, "p", "c"), item(q, "p", "d"));
    List<JsonObject> batch = server.pop(q, "batch=3").messages();

    for (int i : new int[] {2, 0, 1}) {
      JsonObject result = server.ack(batch.get(i), "completed").array().getJsonObject(0);
      assertThat(result.getBoolean("success")).isTrue();
      assertThat(result.getBoolean("leaseReleased")).isEqualTo(i == 1);
    }

    assertThat(server.pop(q, "batch=3").transactionIds()).containsExactly("d");
  }

  @Test
  void row14_partialAck_bringsOnlyTheRestAgain() throws Exception {
    server.push(
        IntStream.range(0, 5).mapToObj(i -> item(q, "p", "t" + i)).toArray(JsonObject[]::new));
    List<JsonObject> batch = server.pop(q, "batch=5").messages();
    server.ackAll(batch.subList(0, 3), "completed");
    endLeases(q);

    List<String> rest = new ArrayList<>();
    while (rest.size() < 2) {
      Answer more = server.pop(q, "batch=5&wait=true&timeout=60000");
      assertThat(more.status()).isEqualTo(200);
      rest.addAll(more.transactionIds());
      server.ackAll(more.messages(), "completed");
    }
    assertThat(rest).containsExactly("t3", "t4");
    assertThat(server.pop(q, "batch=5").status()).isEqualTo(204);
  }

  @Test
  void row15_failures_endInTheDeadLetters() {
    server.configure(q, new JsonObject().put("retryLimit", 2));
    server.push(item(q, "p", "t"));
    for (int delivery = 1; delivery <= 3; delivery++) {
      JsonObject message = server.pop(q, "consumerGroup=g").messages().get(0);
      JsonObject result =
          server
              .post("/api/v1/ack", ackItem(message, "failed").put("error", "boom"))
              .array()
              .getJsonObject(0);
      assertThat(result.getBoolean("dlq")).isEqualTo(delivery == 3);
    }

    assertThat(server.pop(q, "consumerGroup=g").status()).isEqualTo(204);
    assertThat(
            database.value(
                "select consumer_group || ':' || error_message || ':' || retry_count || ':' ||"
                    + " payload from queen.dead_letters d join queen.queues q on q.id = d.queue_id"
                    + " where q.name = '"
                    + q
                    + "'"))
        .isEqualTo("g:boom:2:{\"of\":\"t\"}");
  }

  @Test
  void row16_failedBetweenCompleted_isNotLost() {
    server.push(item(q, "p", "a"), item(q, "p", "b"), item(q, "p", "c"));
    List<JsonObject> batch = server.pop(q, "batch=3").messages();

    Answer answer =
        server.post(
            "/api/v1/ack/batch",
            new JsonObject()
                .put(
                    "acknowledgments",
                    new JsonArray()
                        .add(ackItem(batch.get(0), "completed"))
                        .add(ackItem(batch.get(1), "failed"))
                        .add(ackItem(batch.get(2), "completed"))));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(server.pop(q, "batch=3").transactionIds()).startsWith("b").doesNotContain("a");
  }

  @Test
  void row17_dlqRetryAndUnknownStatus() {
    server.push(item(q, "p", "a"), item(q, "p", "b"));
    JsonObject first = server.pop(q, "").messages().get(0);
    assertThat(server.ack(first, "retry").array().getJsonObject(0).getBoolean("success")).isTrue();
    JsonObject again = server.pop(q, "").messages().get(0);
    assertThat(again.getString("transactionId")).isEqualTo("a");
    assertThat(server.ack(again, "whatever").status()).isEqualTo(400);

    assertThat(server.ack(again, "dlq").array().getJsonObject(0).getBoolean("dlq")).isTrue();

    assertThat(server.pop(q, "").transactionIds()).containsExactly("b");
  }

  @Test
  void row18_unknownMessage_andBadPartitionId_harmOnlyThemselves() {
    server.push(item(q, "p", "t"));
    JsonObject message = server.pop(q, "").messages().get(0);

    JsonArray answer =
        server
            .post(
                "/api/v1/ack/batch",
                new JsonObject()
                    .put(
                        "acknowledgments",
                        new JsonArray()
                            .add(ackItem(message, "completed").put("partitionId", "no-uuid"))
                            .add(ackItem(message, "completed").put("transactionId", "unknown"))
                            .add(
                                ackItem(message, "completed")
                                    .put("partitionId", UUID.randomUUID().toString()))
                            .add(ackItem(message, "completed"))))
            .array();

    assertThat(answer.getJsonObject(0).getString("error")).isEqualTo("partitionId must be a UUID");
    assertThat(answer.getJsonObject(1).getString("error")).isEqualTo("Message not found");
    assertThat(answer.getJsonObject(2).getBoolean("success")).isFalse();
    assertThat(answer.getJsonObject(3).getBoolean("success")).isTrue();
  }

  @Test
  void row19_transactions_areAtomic_andWake() throws Exception {
    server.push(item("in", "p", "t"));
    JsonObject message = server.pop("in", "consumerGroup=g").messages().get(0);
    JsonObject ack = ackItem(message, "completed").put("type", "ack");
    JsonObject lost = ack.copy().put("transactionId", "unknown");

    Answer failed = transaction(ack, push("out", "x"), lost);
    assertThat(failed.object().getBoolean("success")).isFalse();
    assertThat(failed.error()).isEqualTo("ACK operation failed: Message not found");
    assertThat(server.pop("out", "").status()).isEqualTo(204);

    CompletableFuture<Answer> poll = server.popLater("out", "wait=true&timeout=60000");
    server.awaitWaiting(1);
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
    assertThat(server.pop(q, "consumerGroup=early&subscriptionMode=new").status()).isEqualTo(204);
    server.push(item(q, "p", "a"));
    assertThat(server.pop(q, "consumerGroup=early&subscriptionMode=new").transactionIds())
        .containsExactly("a");
    assertThat(server.pop(q, "consumerGroup=late&subscriptionMode=new").status()).isEqualTo(204);
    server.push(item(q, "p", "b"));
    assertThat(server.pop(q, "consumerGroup=late&subscriptionMode=all").transactionIds())
        .containsExactly("b");
    assertThat(
            server
                .pop(q, "consumerGroup=past&subscriptionFrom=2020-01-01T00:00:00Z&batch=9")
                .transactionIds())
        .containsExactly("a", "b");
    server.close();
    server = RunningServer.on(database.endpoint());
    server.push(item(q, "p2", "c"));
    assertThat(server.pop(q, "consumerGroup=late").transactionIds()).containsExactly("c");
  }

  @Test
  void row21_seekToTheEnd_toAMoment_inOnePartition() throws Exception {
    server.push(item(q, "p", "a"), item(q, "r", "a"));
    // The clock that the messages were stamped by moves on, if only by a little.
    Instant last = Instant.now();
    Awaitility.await().until(() -> Instant.now().isAfter(last.plusMillis(10)));
    Instant between = Instant.now();
    server.push(item(q, "p", "b"), item(q, "r", "b"));
    String seek = "/api/v1/consumer-groups/g/queues/" + q + "/seek";
    server.pop(q, "consumerGroup=g");

    JsonObject end = server.post(seek, "{\"toEnd\":true}").object();
    assertThat(end.getInteger("partitionsUpdated")).isEqualTo(2);
    assertThat(server.pop(q, "consumerGroup=g").status()).isEqualTo(204);

    server.post(seek, new JsonObject().put("timestamp", between.toString()));
    List<JsonObject> later = server.pop(q, "consumerGroup=g&batch=9&partitions=9").messages();
    assertThat(later).extracting(each -> each.getString("transactionId")).containsOnly("b");
    assertThat(later).hasSize(2);

    server.post(seek, "{\"timestamp\":\"2020-01-01T00:00:00Z\"}");
    JsonObject one =
        server.post("/api/v1/consumer-groups/g/queues/" + q + "/partitions/p/seek", "").object();
    assertThat(one.getBoolean("updated")).isTrue();
    Answer rest = server.pop(q, "consumerGroup=g&batch=9&partitions=9");
    assertThat(rest.transactionIds()).containsExactly("a", "b");
    assertThat(rest.object().getString("partition")).isEqualTo("r");
  }

  @Test
  void row21_deleteWithAndWithoutMetadata() {
    server.push(item(q, "p", "old"));
    server.pop(q, "consumerGroup=leaver&subscriptionMode=new");
    server.push(item(q, "p", "a"));
    assertThat(server.pop(q, "consumerGroup=leaver&autoAck=true").transactionIds())
        .containsExactly("a");

    JsonObject kept = server.delete("/api/v1/consumer-groups/leaver?deleteMetadata=false").object();
    assertThat(kept.getBoolean("metadataDeleted")).isFalse();
    assertThat(server.pop(q, "consumerGroup=leaver&batch=9&autoAck=true").transactionIds())
        .containsExactly("a");

    JsonObject gone = server.delete("/api/v1/consumer-groups/leaver").object();
    assertThat(gone.getBoolean("metadataDeleted")).isTrue();
    assertThat(gone.getInteger("deletedPartitions")).isEqualTo(1);
    assertThat(server.pop(q, "consumerGroup=leaver&batch=9").transactionIds())
        .containsExactly("old", "a");
  }

  @Test
  void row22_configure_replacesAll_andEchoesAll() {
    JsonObject bare = server.post("/api/v1/configure", "{\"queue\":\"" + q + "\"}").object();
    assertFields(
        bare, "configured", "queue", "queueId", "partitionId", "namespace", "task", "options");
    assertThat(bare.getString("namespace")).isEmpty();
    assertThat(bare.getJsonObject("options").getInteger("leaseTime")).isEqualTo(300);
    assertThat(bare.getJsonObject("options").getInteger("retryLimit")).isEqualTo(3);
    assertThat(bare.getJsonObject("options").getInteger("retryDelay")).isZero();
    assertThat(bare.getJsonObject("options").getInteger("ttl")).isZero();
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

    server.configure(q, new JsonObject().put("leaseTime", 7).put("retryLimit", 9));
    JsonObject replaced =
        server
            .configure(q, new JsonObject().put("retryLimit", 5))
            .object()
            .getJsonObject("options");
    assertThat(replaced.getInteger("leaseTime")).isEqualTo(300);
    JsonObject merged =
        server
            .post(
                "/api/v1/configure",
                "{\"queue\":\"" + q + "\",\"merge\":true,\"options\":{\"leaseTime\":8}}")
            .object()
            .getJsonObject("options");
    assertThat(merged.getInteger("leaseTime")).isEqualTo(8);
    assertThat(merged.getInteger("retryLimit")).isEqualTo(5);
    assertThat(server.configure(q, new JsonObject().put("leaseTime", "soon")).error())
        .contains("leaseTime");
  }

  @Test
  void lease_isExtended_whileItLives() throws Exception {
    server.push(item(q, "p", "t"));
    JsonObject message = server.pop(q, "").messages().get(0);

    String left = "select min(lease_expires_at) > now() + interval '1 hour' from queen.cursors";
    assertThat(database.value(left + OF_QUEUE.formatted(q))).isEqualTo(false);

    Answer extended =
        server.post(
            "/api/v1/lease/" + message.getString("leaseId") + "/extend", "{\"seconds\":7200}");

    assertThat(extended.status()).isEqualTo(200);
    assertThat(extended.object().getBoolean("success")).isTrue();
    assertThat(extended.object().getString("newExpiresAt")).isNotEmpty();
    assertThat(database.value(left + OF_QUEUE.formatted(q))).isEqualTo(true);
    assertThat(server.pop(q, "").status()).isEqualTo(204);
    assertThat(server.ack(message, "completed").array().getJsonObject(0).getBoolean("success"))
        .isTrue();
  }
}
