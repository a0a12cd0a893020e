package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rows of the checklist about pushes and pops. */
class ContractPushPopIT extends ContractFixture {
  @Test
  void row1_pushWithoutPartition_goesToDefault() {
    Answer pushed = server.push(new JsonObject().put("queue", q).put("payload", 1));

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
    assertThat(result.getString("queueName")).isEqualTo(q);
    assertThat(server.get("/api/v1/pop/queue/" + q + "/partition/Default").messages()).hasSize(1);
  }

  @Test
  void row2_sameTransactionId_isADuplicate() {
    String first = server.push(item(q, "p", "t")).array().getJsonObject(0).getString("message_id");

    JsonArray again = server.push(item(q, "p", "t"), item(q, "p", "u"), item(q, "p", "u")).array();

    assertThat(statuses(again)).containsExactly("duplicate", "queued", "duplicate");
    assertThat(again.getJsonObject(0).getString("message_id")).isEqualTo(first);
    assertThat(again.getJsonObject(2).getString("message_id"))
        .isEqualTo(again.getJsonObject(1).getString("message_id"));
    assertThat(statuses(server.push(item(q, "other", "t")).array())).containsExactly("queued");
    assertThat(server.get("/api/v1/pop/queue/" + q + "/partition/p?batch=10").transactionIds())
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
      String body = "{\"items\":[{\"queue\":\"" + q + "\",\"payload\":" + payload + "}]}";
      assertThat(server.post("/api/v1/push", body).status()).isEqualTo(201);
      String answer = server.pop(q, "autoAck=true").body();
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
        IntStream.range(0, 1000).mapToObj(i -> item(q, "p", "a" + i)).toArray(JsonObject[]::new);
    server.push(items);
    for (int i = 0; i < 100; i++) {
      server.push(item(q, "p", "b" + i));
    }

    List<String> ids = server.pop(q, "batch=2000").transactionIds();

    List<String> expected = new ArrayList<>();
    IntStream.range(0, 1000).forEach(i -> expected.add("a" + i));
    IntStream.range(0, 100).forEach(i -> expected.add("b" + i));
    assertThat(ids).isEqualTo(expected);
  }

  @Test
  void row6_unknownQueue_isEmpty_andALongPollWaitsForIt() throws Exception {
    assertThat(server.pop("unborn", "").status()).isEqualTo(204);
    assertThat(server.get("/api/v1/pop/queue/unborn/partition/p").status()).isEqualTo(204);
    CompletableFuture<Answer> poll = server.popLater("unborn", "wait=true&timeout=60000");
    server.awaitWaiting(1);

    server.push(item("unborn", "p", "t"));

    assertThat(poll.get().transactionIds()).containsExactly("t");
  }

  @Test
  void row7_batch_isAGlobalCap_underOneLease() {
    server.push(
        IntStream.range(0, 30)
            .mapToObj(i -> item(q, "p" + i % 3, "t" + i))
            .toArray(JsonObject[]::new));

    Answer answer = server.pop(q, "batch=25&partitions=3");

    assertThat(answer.messages()).hasSize(25);
    assertThat(answer.object().getInteger("partitionsClaimed")).isEqualTo(3);
    assertThat(answer.messages().stream().map(m -> m.getString("leaseId")).distinct())
        .containsExactly(answer.object().getString("leaseId"));
    assertThat(server.pop(q, "batch=25&partitions=3").status()).isEqualTo(204);
    assertThat(server.ackAll(answer.messages(), "completed").array())
        .allMatch(each -> ((JsonObject) each).getBoolean("success"));
    assertThat(server.pop(q, "batch=25&partitions=3").messages()).hasSize(5);
  }

  @Test
  void row8_oneConsumerOfAGroup_perPartition() {
    server.push(item(q, "p", "t"));

    Answer first = server.pop(q, "consumerGroup=g");

    assertThat(first.messages()).hasSize(1);
    assertThat(server.pop(q, "consumerGroup=g").status()).isEqualTo(204);
    assertThat(server.pop(q, "consumerGroup=h").messages()).hasSize(1);
    server.push(item(q, "p", "u"));
    server.ack(first.messages().get(0), "completed");
    assertThat(server.pop(q, "consumerGroup=g").transactionIds()).containsExactly("u");
  }

  @Test
  void row9_expiredLease_comesAgain_andTheOldOneIsLost() throws Exception {
    server.push(item(q, "p", "t"));
    JsonObject first = server.pop(q, "").messages().get(0);
    endLeases(q);

    Answer tooLate = server.post("/api/v1/lease/" + first.getString("leaseId") + "/extend", "{}");
    assertThat(tooLate.status()).isEqualTo(409);
    assertThat(tooLate.error()).isEqualTo("Lease already expired");
    JsonObject second = server.pop(q, "wait=true&timeout=60000").messages().get(0);

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
    server.push(item(q, "p", "t"), item(q, "p", "u"));

    Answer first = server.pop(q, "autoAck=true");

    assertThat(first.object().getString("leaseId")).isEmpty();
    assertThat(first.messages().get(0).getString("leaseId")).isEmpty();
    assertThat(first.transactionIds()).containsExactly("t");
    assertThat(server.pop(q, "autoAck=true").transactionIds()).containsExactly("u");
    assertThat(server.pop(q, "autoAck=true").status()).isEqualTo(204);
  }

  @Test
  void row11_longPoll_isAnsweredAtItsTimeout() {
    server.pop(q, "");
    for (int timeout : new int[] {200, 1000}) {
      long asked = System.nanoTime();
      assertThat(server.pop(q, "wait=true&timeout=" + timeout).status()).isEqualTo(204);
      assertThat(Duration.ofNanos(System.nanoTime() - asked))
          .isGreaterThanOrEqualTo(Duration.ofMillis(timeout));
    }
  }

  @Test
  void poll_isEnded_byItsNameAndItsQueue() throws Exception {
    String id = UUID.randomUUID().toString();
    CompletableFuture<Answer> poll =
        server.popLater(q, "wait=true&timeout=60000&pollId=" + id + "&consumerGroup=g");
    CompletableFuture<Answer> other =
        server.popLater(q, "wait=true&timeout=60000&pollId=" + UUID.randomUUID());
    server.awaitWaiting(2);
    String path = "/api/v1/pop/queue/%s/poll/%s";

    assertThat(server.delete(path.formatted("another", id)).object().getBoolean("ended")).isFalse();
    assertThat(server.delete(path.formatted(q, "no-uuid")).error())
        .isEqualTo("pollId must be a UUID");
    assertThat(server.delete(path.formatted(q, id)).object().getBoolean("ended")).isTrue();
    assertThat(poll.get().status()).isEqualTo(204);
    assertThat(server.delete(path.formatted(q, id)).object().getBoolean("ended")).isFalse();
    assertThat(server.get("/api/v1/pop/queue/" + q + "?pollId=1").error())
        .isEqualTo("pollId must be a UUID");

    server.push(item(q, "p", "t"));
    assertThat(other.get().transactionIds()).as("it waits on").containsExactly("t");
  }

  /** Whatever an end meets, an answer with messages or one without, no message is left behind. */
  @Test
  void poll_thatIsEndedWhileMessagesCome_isAnsweredWithAllThatIsLeasedForIt() throws Exception {
    for (int round = 0; round < 40; round++) {
      boolean autoAck = round % 2 == 0;
      String id = UUID.randomUUID().toString();
      CompletableFuture<Answer> poll =
          server.popLater(q, "wait=true&timeout=60000&pollId=%s&autoAck=%s".formatted(id, autoAck));
      server.awaitWaiting(1);
      String transaction = "t" + round;
      CompletableFuture<Void> push =
          CompletableFuture.runAsync(() -> server.push(item(q, "p", transaction)));
      server.delete("/api/v1/pop/queue/%s/poll/%s".formatted(q, id));
      Answer answer = poll.get();
      push.get();
      if (answer.status() == 204) {
        answer = server.pop(q, "wait=true&timeout=60000&autoAck=" + autoAck);
      }
      assertThat(answer.transactionIds()).containsExactly(transaction);
      if (!autoAck) {
        server.ack(answer.messages().get(0), "completed");
      }
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
        "update queen.segments set created_at = created_at - interval '301 seconds'; update"
            + " queen.partitions set last_append_at = last_append_at - interval '301 seconds'");
    server.configure("window", new JsonObject().put("windowBuffer", 300));
    server.configure("delay", new JsonObject().put("delayedProcessing", 300));

    assertThat(server.pop("window", "").transactionIds()).containsExactly("t");
    assertThat(server.pop("delay", "").transactionIds()).containsExactly("t");
  }

  private static List<String> statuses(JsonArray results) {
    return results.stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }

  private static String cut(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "..." : text;
  }
}
