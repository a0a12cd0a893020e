package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What the contract says about dead letters, over real HTTP. */
class DeadLettersIT extends MessagesFixture {
  @Test
  void pages_endWhereTheirBytesEnd_andSayWhereTheNextOneBegins() {
    int[] sizes = {600_000, 600_000, 3_000_000, 10, 600_000};
    for (int i = 0; i < sizes.length; i++) {
      server.push(item(q, "p", "" + i).put("payload", "x".repeat(sizes[i])));
    }
    String id = partitionId(q, "p");
    for (int i = sizes.length - 1; i >= 0; i--) {
      assertThat(server.post(path(id, "" + i) + "/dlq", "{}").status()).isEqualTo(200);
    }

    List<List<String>> pages = new ArrayList<>();
    @Nullable Integer offset = 0;
    while (offset != null) {
      JsonObject page = server.get(DLQ + "?limit=1000&queue=" + q + "&offset=" + offset).object();
      assertThat(page.getLong("total")).isEqualTo(5);
      JsonObject pagination = page.getJsonObject("pagination");
      assertThat(pagination.getInteger("limit")).isEqualTo(1000);
      assertThat(pagination.getInteger("offset")).isEqualTo(offset);
      pages.add(
          page.getJsonArray("messages").stream()
              .map(each -> ((JsonObject) each).getString("transactionId"))
              .toList());
      offset = pagination.getInteger("nextOffset");
    }

    assertThat(pages).containsExactly(List.of("0"), List.of("1"), List.of("2"), List.of("3", "4"));
  }

  @Test
  void movedToTheDeadLetters_byHand_itsNeighboursStay() {
    server.push(item(q, "p", "1"), item(q, "p", "2"), item(q, "p", "3"));
    String id = partitionId(q, "p");
    List<JsonObject> held = server.pop(q, "batch=2").messages();

    Answer moved = server.post(path(id, "2") + "/dlq", "{\"error\":\"not wanted\"}");

    assertThat(moved.status()).isEqualTo(200);
    assertThat(moved.object().getBoolean("dlq")).isTrue();
    assertThat(moved.object().getBoolean("success")).isTrue();
    JsonObject letter = letters("queue=" + q).get(0);
    assertThat(letter.getString("errorMessage")).isEqualTo("not wanted");
    assertThat(letter.getString("consumerGroup")).isEqualTo("__QUEUE_MODE__");
    assertThat(letter.getJsonObject("data")).isEqualTo(new JsonObject().put("of", "2"));
    assertThat(server.post(path(id, "2") + "/dlq", "").status()).isEqualTo(404);
    assertThat(server.post(path(id, "9") + "/dlq", "{}").error()).isEqualTo("Message not found");
    assertThat(
            server
                .ack(held.get(0), "completed")
                .array()
                .getJsonObject(0)
                .getBoolean("leaseReleased"))
        .isTrue();
    assertThat(server.pop(q, "batch=9").transactionIds()).containsExactly("3");
    assertThat(server.post(path(id, "2") + "/dlq", "{\"consumerGroup\":\"other\"}").status())
        .isEqualTo(200);
    assertThat(server.pop(q, "batch=9&consumerGroup=other").transactionIds())
        .containsExactly("1", "3");
    assertThat(server.post(path(id, "1") + "/dlq", "[]").error())
        .isEqualTo("The body must be an object");
  }

  @Test
  void retried_itComesAgain_toTheGroupThatGaveItUp_only() {
    server.push(item(q, "p", "1"), item(q, "p", "2"));
    String id = partitionId(q, "p");
    for (String group : List.of("a", "b")) {
      List<JsonObject> batch = server.pop(q, "batch=2&consumerGroup=" + group).messages();
      server.ack(batch.get(0), "dlq");
      server.ack(batch.get(1), "completed");
    }
    CompletableFuture<Answer> waiting =
        server.popLater(q, "consumerGroup=a&wait=true&timeout=60000");

    JsonObject done = server.post(path(id, "1") + "/retry", "{\"consumerGroup\":\"a\"}").object();

    JsonObject redelivered = waiting.join().messages().get(0);
    assertThat(done.getBoolean("success")).isTrue();
    assertThat(redelivered.getString("transactionId")).isEqualTo("1");
    assertThat(redelivered.getString("id")).isEqualTo(done.getString("messageId"));
    assertThat(redelivered.getJsonObject("data")).isEqualTo(new JsonObject().put("of", "1"));
    assertThat(server.pop(q, "consumerGroup=b").messages()).isEmpty();
    assertThat(server.pop(q, "batch=9&consumerGroup=fresh").transactionIds())
        .containsExactly("1", "2");
    assertThat(lag("b", q)).isZero();
    assertThat(letters("queue=" + q))
        .extracting(l -> l.getString("consumerGroup"))
        .containsExactly("b");
    // The right one of the two is acked, and its failures count from zero.
    JsonObject result = server.ack(redelivered, "completed").array().getJsonObject(0);
    assertThat(result.getBoolean("success")).isTrue();
    assertThat(lag("a", q)).isZero();
    assertThat(server.push(item(q, "p", "1")).array().getJsonObject(0).getString("status"))
        .isEqualTo("duplicate");
    assertThat(server.post(path(id, "1") + "/retry", "{\"consumerGroup\":\"a\"}").status())
        .isEqualTo(404);
    assertThat(server.post(path(id, "1") + "/retry", "").object().getInteger("redriven"))
        .isEqualTo(1);
    assertThat(server.post(path(id, "1") + "/retry", "").error())
        .isEqualTo("Dead letter not found");
  }

  @Test
  void deadLetters_arePaged_filtered_andCounted() {
    server.push(
        IntStream.range(0, 25)
            .mapToObj(i -> item(q, "p" + i % 2, "t" + i))
            .toArray(JsonObject[]::new));
    server.push(item("other." + q, "p", "x"));
    for (String queue : List.of(q, "other." + q)) {
      server.ackAll(
          server.pop(queue, "batch=99&partitions=9&consumerGroup=only-here").messages(), "dlq");
    }

    Answer first = server.get(DLQ + "?queue=" + q + "&limit=10");

    assertThat(first.object().getInteger("total")).isEqualTo(25);
    assertThat(first.object().getJsonObject("pagination"))
        .isEqualTo(new JsonObject("{\"limit\":10,\"offset\":0}"));
    assertThat(first.messages().get(0).fieldNames())
        .containsExactlyInAnyOrder(
            "id",
            "transactionId",
            "partitionId",
            "queue",
            "partition",
            "consumerGroup",
            "errorMessage",
            "retryCount",
            "data",
            "producerSub",
            "createdAt",
            "failedAt");
    List<String> seen = new ArrayList<>();
    for (int offset = 0; offset < 40; offset += 10) {
      letters("queue=" + q + "&limit=10&offset=" + offset)
          .forEach(l -> seen.add(l.getString("transactionId")));
    }
    assertThat(seen).hasSize(25).doesNotHaveDuplicates();
    assertThat(server.get(DLQ + "?queue=" + q + "&offset=90").object().getInteger("total"))
        .isEqualTo(25);
    assertThat(letters("queue=" + q + "&partition=p1")).hasSize(12);
    assertThat(letters("consumerGroup=only-here")).hasSize(26);
    assertThat(letters("consumerGroup=nobody")).isEmpty();
    assertThat(letters("queue=nowhere")).isEmpty();
    String failedAt = letters("queue=other." + q).get(0).getString("failedAt");
    assertThat(letters("queue=other." + q + "&from=" + failedAt + "&to=" + failedAt)).hasSize(1);
    assertThat(letters("to=2020-01-01")).isEmpty();
    assertThat(server.get(DLQ + "?to=never").status()).isEqualTo(400);
  }

  @Test
  void redrive_isOneCall_thatCanBeRepeated() {
    server.push(
        IntStream.range(0, 12)
            .mapToObj(i -> item(q, "p" + i % 3, "t" + i))
            .toArray(JsonObject[]::new));
    server.ackAll(server.pop(q, "batch=99&partitions=9&consumerGroup=g").messages(), "dlq");
    JsonObject some =
        new JsonObject()
            .put("queue", q)
            .put("transactionIds", new JsonArray().add("t1").add("t4").add("nobody"))
            .put("requestId", "once");

    Answer done = server.post(DLQ + "/redrive", some);

    JsonObject expected =
        new JsonObject("{\"success\":true,\"queue\":\"" + q + "\",\"redriven\":2,\"remaining\":0}");
    assertThat(done.object()).isEqualTo(expected);
    server.ackAll(server.pop(q, "batch=99&consumerGroup=g").messages(), "dlq");
    assertThat(server.post(DLQ + "/redrive", some).object()).isEqualTo(expected);
    assertThat(server.pop(q, "batch=99&consumerGroup=g").messages()).isEmpty();
    assertThat(server.get(DLQ + "?queue=" + q).object().getInteger("total")).isEqualTo(12);

    JsonObject rest = new JsonObject().put("queue", q).put("consumerGroup", "g").put("limit", 5);
    assertThat(server.post(DLQ + "/redrive", rest).object().getInteger("remaining")).isEqualTo(7);
    rest.remove("limit");
    assertThat(server.post(DLQ + "/redrive", rest).object().getInteger("redriven")).isEqualTo(7);
    List<String> back = server.pop(q, "batch=99&partitions=9&consumerGroup=g").transactionIds();
    assertThat(back).hasSize(12).doesNotHaveDuplicates();
    assertThat(server.post(DLQ + "/redrive", "{}").error()).isEqualTo("queue is required");
    assertThat(server.post(DLQ + "/redrive", "{\"queue\":\"none\"}").status()).isEqualTo(404);
    assertThat(server.post(DLQ + "/redrive", "{\"queue\":\"" + q + "\",\"limit\":0}").status())
        .isEqualTo(400);
    assertThat(
            server
                .post(DLQ + "/redrive", "{\"queue\":\"" + q + "\",\"transactionIds\":[]}")
                .status())
        .isEqualTo(400);
  }

  @Test
  void purge_removesWhatIsSelected_andNothingElse() {
    server.push(item(q, "p", "1"), item(q, "r", "2"), item(q, "r", "3"));
    server.ackAll(server.pop(q, "batch=99&partitions=9").messages(), "dlq");

    assertThat(
            server
                .delete(DLQ + "?queue=" + q + "&transactionIds=2,9")
                .object()
                .getInteger("purged"))
        .isEqualTo(1);
    assertThat(server.delete(DLQ + "?queue=" + q + "&partition=p").object().getInteger("purged"))
        .isEqualTo(1);
    assertThat(letters("queue=" + q))
        .extracting(l -> l.getString("transactionId"))
        .containsExactly("3");
    for (String empty : List.of("transactionIds", "partition", "consumerGroup", "from", "to")) {
      assertThat(server.delete(DLQ + "?queue=" + q + "&" + empty + "=").error())
          .isEqualTo(empty + " must not be empty");
    }
    assertThat(server.delete(DLQ + "?queue=" + q).object().getInteger("purged")).isEqualTo(1);
    assertThat(server.delete(DLQ).error()).isEqualTo("queue is required");
    assertThat(server.delete(DLQ + "?queue=none").status()).isEqualTo(404);
  }
}
