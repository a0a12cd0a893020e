package dev.queenmq.server.http.streams;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.http.streams.StreamClient.put;
import static dev.queenmq.server.http.streams.StreamClient.remove;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a cycle does to the lease of its source, once, and whom it wakes, over real HTTP. */
class StreamDeliveryIT extends StreamsFixture {
  @Test
  void releaseLease_false_keepsTheRestForWhoHasIt() throws IOException {
    StreamClient stream = StreamClient.of(server, "gate");
    pushAll("gate", "p", "m1", "m2", "m3", "m4", "m5");
    List<JsonObject> messages = stream.pop(5);
    String partition = messages.get(0).getString("partitionId");

    JsonObject body =
        stream.send(stream.cycle(messages.subList(0, 2)).put("release_lease", false)).object();

    assertThat(body.getJsonObject("ack_result").getBoolean("lease_released")).isFalse();
    assertThat(stream.pop(5)).isEmpty();
    // It still has its lease, and may go on with the next two.
    JsonObject more =
        stream.send(stream.cycle(messages.subList(2, 4)).put("release_lease", false)).object();
    assertThat(more.getBoolean("success")).isTrue();

    database.query(
        "update queen.cursors set lease_expires_at = now() where partition_id = '"
            + partition
            + "'");
    // By a broker that has not been told how long the lease should have lasted.
    try (RunningServer started = RunningServer.on(database.endpoint())) {
      assertThat(stream.at(started).pop(5))
          .extracting(each -> each.getString("transactionId"))
          .containsExactly("m5");
    }
    assertThat(stream.send(stream.cycle(messages)).error()).isEqualTo("Invalid or expired lease");
  }

  @Test
  void releaseLease_true_givesTheRestToAWaitingPollAtOnce() throws Exception {
    StreamClient stream = StreamClient.of(server, "rest");
    pushAll("rest", "p", "m1", "m2", "m3");
    List<JsonObject> messages = stream.pop(3);
    for (RunningServer waiting : List.of(server, other)) {
      CompletableFuture<Answer> poll =
          waiting.popLater(
              "rest", "consumerGroup=" + stream.group() + "&batch=3&wait=true&timeout=25000");
      awaitWaiting(waiting);

      JsonObject body = stream.send(stream.cycle(messages.subList(0, 1))).object();

      assertThat(body.getJsonObject("ack_result").getBoolean("lease_released")).isTrue();
      List<JsonObject> left = poll.get(60, TimeUnit.SECONDS).messages();
      assertThat(left)
          .extracting(each -> each.getString("transactionId"))
          .isEqualTo(
              messages.subList(1, messages.size()).stream()
                  .map(each -> each.getString("transactionId"))
                  .toList());
      messages = left;
    }
  }

  @Test
  void lastMessage_standsForAllBeforeIt_alsoForThoseDoneOutOfOrder() {
    StreamClient stream = StreamClient.of(server, "order");
    pushAll("order", "p", "m1", "m2", "m3", "m4", "m5");
    List<JsonObject> messages = stream.pop(5);
    server.ack(messages.get(1), "completed");
    server.ack(messages.get(4), "completed");

    // m2 is done already, and m5 behind it: m3 stands for m1, m2 and m3.
    stream.send(stream.cycle(messages.subList(0, 3)));

    assertThat(stream.pop(5))
        .extracting(each -> each.getString("transactionId"))
        .containsExactly("m4");
    stream.send(
        stream
            .cycle(messages.get(0).getString("partitionId"))
            .put("ack", new JsonObject().put("transactionId", "m4")));
    assertThat(stream.pop(5)).isEmpty();
    assertThat(
            database.value(
                "select committed from queen.cursors where partition_id = '"
                    + messages.get(0).getString("partitionId")
                    + "'"))
        .isEqualTo(5L);
  }

  /** Only the count tells which of them is meant. */
  @Test
  void lastMessage_whoseIdStandsSeveralTimes_isTheOneThatTheCountSays() {
    server.configure("twice", new JsonObject().put("dedupWindowSeconds", 0));
    StreamClient stream = StreamClient.of(server, "twice");
    pushAll("twice", "p", "a", "b", "a", "a", "c");
    List<JsonObject> messages = stream.pop(5);

    stream.send(stream.cycle(messages.subList(0, 3)));

    assertThat(stream.pop(5))
        .extracting(each -> each.getString("transactionId"))
        .containsExactly("a", "c");
  }

  @Test
  void failure_buriesTheLastMessageAtOnce_andTheOthersAreDone() {
    StreamClient stream = StreamClient.of(server, "poison");
    for (String status : List.of("failed", "dlq")) {
      pushAll("poison", status, status + 1, status + 2, status + 3);
      List<JsonObject> messages = stream.pop(3);
      JsonObject cycle = stream.cycle(messages.subList(0, 2)).put("release_lease", false);
      cycle.getJsonObject("ack").put("status", status);
      if (status.equals("dlq")) {
        cycle.getJsonObject("ack").put("error", "cannot be read");
      }

      JsonObject result = stream.send(cycle).object().getJsonObject("ack_result");

      assertThat(result)
          .isEqualTo(
              new JsonObject()
                  .put("success", true)
                  .put("count", 2)
                  .put("lease_released", true)
                  .put("dlq", true));
      List<JsonObject> rest = stream.pop(3);
      assertThat(rest)
          .extracting(each -> each.getString("transactionId"))
          .containsExactly(status + 3);
      stream.send(stream.cycle(rest));
    }
    assertThat(
            database.query(
                "select transaction_id || ': ' || error_message as text from queen.dead_letters"
                    + " where consumer_group = 'streams.poison' order by transaction_id desc"))
        .extracting(row -> row.getString("text"))
        .containsExactly("failed2: Streaming cycle reported failure", "dlq2: cannot be read");
  }

  @Test
  void idempotencyKey_letsACycleHappenOnce() {
    StreamClient stream = StreamClient.of(server, "flush");
    String partition = partitionOf("flush", "p");
    stream.send(stateOnly(stream, partition, put("w", 1)));
    // No transaction ids: without the key, each of them would be a new message.
    JsonObject flush =
        stateOnly(stream, partition, remove("w"))
            .put("idempotency_key", "w:60")
            .put(
                "push_items",
                new JsonArray()
                    .add(anonymous("flush.out", "b"))
                    .add(anonymous("flush.out", "a").put("traceId", NOBODY))
                    .add(item("flush.out", "a", "x"))
                    .add(item("flush.out", "a", "x")));

    Answer first = stream.send(flush);
    assertThat(first.object().getBoolean("success")).isTrue();
    stream.send(stateOnly(stream, partition, put("w", 2)));
    Answer second = stream.at(other).send(flush);

    assertThat(second.body()).isEqualTo(first.body());
    assertThat(stream.state(partition)).isEqualTo(Map.of("w", 2));
    assertThat(server.pop("flush.out", "batch=10&partitions=5").messages()).hasSize(3);
    // Another key, partition or query is another cycle.
    String elsewhere = partitionOf("flush", "q");
    assertThat(stream.send(flush.copy().put("partition_id", elsewhere)).body())
        .isNotEqualTo(first.body());
    assertThat(stream.send(flush.copy().put("idempotency_key", "w:120")).body())
        .isNotEqualTo(first.body());
  }

  @Test
  void idempotencyKey_ofACycleWithAnAck_isAnsweredThoughTheLeaseIsOver() {
    StreamClient stream = StreamClient.of(server, "retried");
    pushAll("retried", "p", "m1", "m2");
    List<JsonObject> messages = stream.pop(1);
    JsonObject cycle = good(stream, messages).put("idempotency_key", "c1");

    Answer first = stream.send(cycle);
    Answer second = stream.send(cycle);

    assertThat(first.object().getBoolean("success")).isTrue();
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(stream.send(good(stream, messages)).error()).isEqualTo("Invalid or expired lease");
  }

  @Test
  void idempotencyKey_repeatedByManyAtOnce_isOneCycle() {
    StreamClient stream = StreamClient.of(server, "many");
    String partition = partitionOf("many", "p");
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      answers.add(
          stream
              .at(i % 2 == 0 ? server : other)
              .sendLater(
                  stream
                      .cycle(partition)
                      .put("idempotency_key", "k" + i % 4)
                      .put("push_items", new JsonArray().add(anonymous("many.out", "p")))));
    }
    Set<String> different = new HashSet<>();
    answers.stream()
        .map(CompletableFuture::join)
        // A broker that has too much to do may refuse some; not one of each key.
        .filter(answer -> answer.status() != 503)
        .forEach(answer -> different.add(answer.body()));
    assertThat(different).hasSize(4).allMatch(each -> each.contains("\"success\":true"));
    assertThat(server.pop("many.out", "batch=100").messages()).hasSize(4);
  }

  @Test
  void idempotencyKeys_areForgottenAfterADay_andNotBefore() {
    StreamClient stream = StreamClient.of(server, "aged");
    String partition = partitionOf("aged", "p");
    for (int i = 0; i < 10; i++) {
      stream.send(stream.cycle(partition).put("idempotency_key", "old" + i));
    }
    String count =
        "select count(*) from queen.stream_cycles where partition_id = '" + partition + "'";
    assertThat(database.value(count)).isEqualTo(10L);
    String older =
        "update queen.stream_cycles set created_at = now() - interval '%s' where partition_id = '"
            + partition
            + "'";
    database.query(older.formatted("23 hours 59 minutes"));
    stream.send(stream.cycle(partition).put("idempotency_key", "young"));
    assertThat(database.value(count)).isEqualTo(11L);

    database.query(older.formatted("24 hours 1 minute"));
    for (int i = 0; i < 4; i++) {
      stream.send(stream.cycle(partition).put("idempotency_key", "new" + i));
    }
    assertThat(database.value(count)).isEqualTo(4L);
  }

  @Test
  void sink_wakesAWaitingPoll_hereAndAtPeers() throws Exception {
    StreamClient stream = StreamClient.of(server, "waker");
    String partition = partitionOf("waker", "p");
    for (RunningServer waiting : List.of(server, other)) {
      CompletableFuture<Answer> poll =
          waiting.popLater("waker.out", "autoAck=true&wait=true&timeout=25000");
      awaitWaiting(waiting);
      stream.send(
          stream
              .cycle(partition)
              .put("push_items", new JsonArray().add(anonymous("waker.out", "p"))));
      assertThat(poll.get(60, TimeUnit.SECONDS).messages()).hasSize(1);
    }
  }

  private static void awaitWaiting(RunningServer waiting) {
    Awaitility.await()
        .until(() -> waiting.get("/metrics/prometheus").body().contains("queen_waiting_polls 1"));
  }
}
