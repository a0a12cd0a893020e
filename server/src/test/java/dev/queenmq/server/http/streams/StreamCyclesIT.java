package dev.queenmq.server.http.streams;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.http.streams.StreamClient.put;
import static dev.queenmq.server.http.streams.StreamClient.remove;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** A cycle of a stream does everything at once or nothing, over real HTTP. */
class StreamCyclesIT extends StreamsFixture {
  @Test
  void cycle_doesAllAtOnce_andAnswersAsTheContractSays() {
    StreamClient stream = StreamClient.of(server, "shape");
    pushAll("shape", "p", "m1", "m2");
    List<JsonObject> messages = stream.pop(10);
    String partition = messages.get(0).getString("partitionId");

    Answer answer =
        stream.send(
            stream
                .cycle(messages)
                .put(
                    "state_ops",
                    new JsonArray()
                        .add(put("a", new JsonObject().put("windowEnd", 60)))
                        .add(put("b", 1))
                        .add(remove("b"))
                        .add(remove("c"))
                        .add(put("c", 2)))
                .put(
                    "push_items",
                    new JsonArray()
                        .add(item("shape.out", "x", "s1"))
                        .add(item("shape.out", "y", "s2").put("traceId", NOBODY))
                        .add(item("shape.out", "x", "s1"))));

    assertThat(answer.status()).isEqualTo(200);
    JsonObject body = answer.object();
    assertThat(body.fieldNames())
        .containsExactlyInAnyOrder(
            "success",
            "query_id",
            "partition_id",
            "queueName",
            "state_ops_applied",
            "push_results",
            "ack_result");
    assertThat(body.getBoolean("success")).isTrue();
    assertThat(body.getString("query_id")).isEqualTo(stream.queryId());
    assertThat(body.getString("partition_id")).isEqualTo(partition);
    assertThat(body.getString("queueName")).isEqualTo("shape");
    assertThat(body.getInteger("state_ops_applied")).isEqualTo(5);
    assertThat(body.getJsonObject("ack_result"))
        .isEqualTo(
            new JsonObject()
                .put("success", true)
                .put("count", 2)
                .put("lease_released", true)
                .put("dlq", false));
    JsonArray pushes = body.getJsonArray("push_results");
    JsonObject first = pushes.getJsonObject(0);
    assertThat(first.fieldNames())
        .containsExactlyInAnyOrder(
            "index",
            "status",
            "transaction_id",
            "message_id",
            "partition_id",
            "trace_id",
            "queueName");
    assertThat(first.getString("status")).isEqualTo("queued");
    assertThat(UUID.fromString(first.getString("message_id")).version()).isEqualTo(7);
    assertThat(pushes.getJsonObject(1).getString("trace_id")).isEqualTo(NOBODY);
    // As a push answers it: one that repeats another of the same cycle is a duplicate.
    assertThat(pushes.getJsonObject(2))
        .isEqualTo(
            new JsonObject()
                .put("index", 2)
                .put("status", "duplicate")
                .put("transaction_id", "s1")
                .put("message_id", first.getString("message_id"))
                .put("queueName", "shape.out"));

    assertThat(stream.state(partition))
        .isEqualTo(Map.of("a", new JsonObject().put("windowEnd", 60), "c", 2));
    assertThat(server.pop("shape.out", "batch=10&partitions=10").transactionIds())
        .containsExactlyInAnyOrder("s1", "s2");
    assertThat(stream.pop(10)).isEmpty();
  }

  @Test
  void cycle_trustsNoIdentityFromTheClient() {
    StreamClient stream = StreamClient.of(server, "forger");
    String partition = partitionOf("forger", "p");
    Answer answer =
        stream.send(
            stream
                .cycle(partition)
                .put(
                    "push_items",
                    new JsonArray()
                        .add(
                            item("forger.out", "p", "t")
                                .put("messageId", NOBODY)
                                .put("producerSub", "admin")
                                .put("is_encrypted", true))));

    JsonObject message = server.pop("forger.out", "").messages().get(0);
    assertThat(message.getString("id"))
        .isNotEqualTo(NOBODY)
        .isEqualTo(
            answer.object().getJsonArray("push_results").getJsonObject(0).getString("message_id"));
    assertThat(message.getString("producerSub")).isNull();
    assertThat(message.getJsonObject("data")).isEqualTo(new JsonObject().put("of", "t"));
  }

  @Test
  void cycle_whosePushIsADuplicate_happensAllTheSame() {
    StreamClient stream = StreamClient.of(server, "again");
    pushAll("again", "p", "m1");
    String first =
        server
            .push(item("again.out", "p", "known"))
            .array()
            .getJsonObject(0)
            .getString("message_id");
    List<JsonObject> messages = stream.pop(1);

    JsonObject body =
        stream
            .send(
                stream
                    .cycle(messages)
                    .put("state_ops", new JsonArray().add(put("k", 1)))
                    .put(
                        "push_items",
                        new JsonArray()
                            .add(item("again.out", "p", "known"))
                            .add(item("again.out", "p", "new"))))
            .object();

    assertThat(body.getBoolean("success")).isTrue();
    JsonObject known = body.getJsonArray("push_results").getJsonObject(0);
    assertThat(known.getString("status")).isEqualTo("duplicate");
    assertThat(known.getString("message_id")).isEqualTo(first);
    assertThat(stream.state(messages.get(0).getString("partitionId"))).containsOnlyKeys("k");
    assertThat(server.pop("again.out", "batch=10").transactionIds())
        .containsExactly("known", "new");
  }

  @Test
  void cycle_intoAQueueWithoutDeduplication_storesRepeatedIds() {
    server.configure("plain.out", new JsonObject().put("dedupWindowSeconds", 0));
    StreamClient stream = StreamClient.of(server, "plain");
    String partition = partitionOf("plain", "p");
    JsonObject body =
        stream
            .send(
                stream
                    .cycle(partition)
                    .put(
                        "push_items",
                        new JsonArray()
                            .add(item("plain.out", "new", "same"))
                            .add(item("plain.out", "new", "same"))
                            .add(item("plain.out", "Default", "same"))))
            .object();
    assertThat(body.getJsonArray("push_results"))
        .extracting(each -> ((JsonObject) each).getString("status"))
        .containsExactly("queued", "queued", "queued");
    assertThat(server.pop("plain.out", "batch=10&partitions=5").messages()).hasSize(3);
  }

  /** Something of each kind fails, while everything else in the cycle is good. */
  @Test
  void failedCycle_leavesNothing_whateverFailed() {
    StreamClient stream = StreamClient.of(server, "atomic");
    pushAll("atomic", "p", "m1", "m2");
    server.configure("atomic", new JsonObject().put("leaseTime", 600));
    List<JsonObject> messages = stream.pop(2);
    String partition = messages.get(0).getString("partitionId");
    String lease = messages.get(0).getString("leaseId");
    Map<String, JsonObject> broken =
        Map.of(
            "Invalid or expired lease",
            good(stream, messages).put("ack", ack("m2", NOBODY, "completed")),
            "Message not found",
            good(stream, messages).put("ack", ack("unknown", lease, "completed")),
            "Query not found",
            good(stream, messages).put("query_id", NOBODY),
            "ack.transactionId is required",
            good(stream, messages).put("ack", new JsonObject().put("leaseId", lease)),
            "Unknown ack.status: maybe",
            good(stream, messages).put("ack", ack("m2", lease, "maybe")),
            "Unknown state_op type: touch",
            good(stream, messages)
                .put(
                    "state_ops",
                    new JsonArray()
                        .add(put("k", 1))
                        .add(new JsonObject().put("type", "touch").put("key", "k"))));
    broken.forEach(
        (text, cycle) -> {
          Answer answer = stream.send(cycle.put("idempotency_key", text));
          assertThat(answer.status()).as(text).isEqualTo(200);
          assertThat(answer.object().getBoolean("success")).isFalse();
          assertThat(answer.error()).isEqualTo(text);
          assertThat(answer.object().getJsonArray("push_results")).isEmpty();
          assertThat(answer.object().getValue("ack_result")).isNull();
          assertThat(answer.object().getInteger("state_ops_applied")).isZero();
        });
    for (JsonObject refused :
        List.of(
            good(stream, messages)
                .put("push_items", new JsonArray().add(new JsonObject().put("queue", 7))),
            good(stream, messages).put("state_ops", new JsonArray().add(put("k".repeat(2001), 1))),
            good(stream, messages)
                .put(
                    "push_items",
                    new JsonArray()
                        .add(item("atomic.out", "p", "s1"))
                        .add(item("atomic.out", "p", "x".repeat(256)))))) {
      assertThat(stream.send(refused).status()).isEqualTo(400);
    }

    assertThat(stream.state(partition)).isEmpty();
    assertThat(database.value("select count(*) from queen.queues where name = 'atomic.out'"))
        .isEqualTo(0L);
    assertThat(
            database.value(
                "select count(*) from queen.stream_cycles where partition_id = '"
                    + partition
                    + "'"))
        .isEqualTo(0L);
    // Neither has the cursor moved nor has the lease ended, and what failed can be said again.
    JsonObject same = good(stream, messages).put("idempotency_key", "Message not found");
    assertThat(stream.send(same).object().getBoolean("success")).isTrue();
    assertThat(stream.state(partition)).containsOnlyKeys("k");
    assertThat(server.pop("atomic.out", "batch=10").transactionIds()).containsExactly("s1");
  }

  /** The connection is cut when all is done but the last. */
  @Test
  void cycle_thatTheDatabaseCannotFinish_leavesNothing() {
    StreamClient stream = StreamClient.of(server, "cut");
    pushAll("cut", "p", "m1");
    List<JsonObject> messages = stream.pop(1);
    String partition = messages.get(0).getString("partitionId");
    stream.send(stateOnly(stream, partition, put("k", 0)));
    PgConnection holder = database.connect();
    try {
      await(
          holder
              .query(
                  "begin; select from queen.stream_state where partition_id = '"
                      + partition
                      + "' for update")
              .execute());
      CompletableFuture<Answer> answer = stream.sendLater(good(stream, messages));
      Awaitility.await()
          .until(
              () ->
                  !database
                      .query(
                          """
                          select pg_terminate_backend(pid) from pg_stat_activity
                          where datname = current_database() and wait_event_type = 'Lock'
                            and query like '%stream_cycle_v1%'
                          """)
                      .isEmpty());
      assertThat(answer.join().status()).isEqualTo(503);
    } finally {
      await(holder.close());
    }
    assertThat(stream.state(partition)).isEqualTo(Map.of("k", 0));
    assertThat(server.pop("cut.out", "").status()).isEqualTo(204);
    assertThat(stream.send(good(stream, messages)).object().getBoolean("success")).isTrue();
  }

  @Test
  void cycle_intoAFullQueue_leavesNothing() {
    StreamClient stream = StreamClient.of(server, "brimming");
    String partition = partitionOf("brimming", "p");
    server.configure("brimming.out", new JsonObject().put("maxSize", 1));
    JsonObject cycle =
        stateOnly(stream, partition, put("k", 1))
            .put(
                "push_items",
                new JsonArray()
                    .add(anonymous("brimming.out", "p"))
                    .add(anonymous("brimming.out", "q")));

    assertThat(stream.send(cycle).error()).isEqualTo("queue full");

    assertThat(stream.state(partition)).isEmpty();
    assertThat(server.pop("brimming.out", "").messages()).isEmpty();
    cycle.getJsonArray("push_items").remove(1);
    assertThat(stream.send(cycle).object().getBoolean("success")).isTrue();
    assertThat(stream.state(partition)).isEqualTo(Map.of("k", 1));
  }
}
