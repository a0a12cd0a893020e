package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.StreamClient.CYCLE;
import static dev.queenmq.server.StreamClient.QUERIES;
import static dev.queenmq.server.StreamClient.STATE;
import static dev.queenmq.server.StreamClient.put;
import static dev.queenmq.server.StreamClient.register;
import static dev.queenmq.server.StreamClient.remove;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.net.DatagramSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.SoftAssertions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What the contract says about streams, over real HTTP. Two brokers that are in touch, and that
 * look so seldom by themselves that only what they are told can wake a poll in time.
 */
@ExtendWith(PostgresExtension.class)
class StreamsIT {
  private static final String NOBODY = "6a0e8ba2-0000-4000-8000-000000000000";

  private static TestDatabase database;
  private static RunningServer server;
  private static RunningServer other;

  @BeforeAll
  static void start(TestDatabase fresh) throws IOException {
    database = fresh;
    int[] ports = {freeUdpPort(), freeUdpPort()};
    String peers = "127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1];
    server = clustered(peers, ports[0]);
    other = clustered(peers, ports[1]);
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    other.close();
  }

  @Test
  void register_freshSameMismatchReset() {
    Answer fresh = register(server, "matrix", "h1", false);
    assertThat(fresh.status()).isEqualTo(200);
    String id = fresh.object().getString("query_id");
    assertThat(UUID.fromString(id).version()).isEqualTo(4);
    assertThat(fresh.object()).isEqualTo(registered(id, "h1", true, false));

    assertThat(register(server, "matrix", "h1", false).object())
        .isEqualTo(registered(id, "h1", false, false));
    // Not a wish to lose what is there: the configuration is the same.
    assertThat(register(server, "matrix", "h1", true).object())
        .isEqualTo(registered(id, "h1", false, false));

    Answer mismatch = register(server, "matrix", "h2", false);
    assertThat(mismatch.status()).isEqualTo(409);
    assertThat(mismatch.error()).startsWith("config_hash mismatch: ");
    assertThat(mismatch.object().getBoolean("success")).isFalse();
    assertThat(mismatch.object().getString("query_id")).isEqualTo(id);
    assertThat(mismatch.object().getString("name")).isEqualTo("matrix");
    assertThat(register(other, "matrix", "h1", false).status()).isEqualTo(200);

    assertThat(register(server, "matrix", "h2", true).object())
        .isEqualTo(registered(id, "h2", false, true));
    assertThat(register(server, "matrix", "h1", false).status()).isEqualTo(409);
  }

  private static JsonObject registered(String id, String hash, boolean fresh, boolean reset) {
    return new JsonObject()
        .put("success", true)
        .put("query_id", id)
        .put("name", "matrix")
        .put("config_hash", hash)
        .put("fresh", fresh)
        .put("reset", reset);
  }

  @Test
  void register_atOnceByMany_isFreshForOne_andUpdatesSourceAndSink() {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      answers.add(
          (i % 2 == 0 ? server : other)
              .postLater(
                  QUERIES, "{\"name\":\"race\",\"source_queue\":\"a\",\"config_hash\":\"h\"}"));
    }
    List<JsonObject> all = answers.stream().map(each -> each.join().object()).toList();
    assertThat(all).filteredOn(each -> each.getBoolean("fresh")).hasSize(1);
    assertThat(all)
        .extracting(each -> each.getString("query_id"))
        .containsOnly(all.get(0).getString("query_id"));

    server.post(
        QUERIES,
        "{\"name\":\"race\",\"source_queue\":\"b\",\"sink_queue\":\"c\",\"config_hash\":\"h\"}");
    assertThat(
            database.value(
                "select source_queue || sink_queue from queen.stream_queries where name = 'race'"))
        .isEqualTo("bc");
  }

  @Test
  void reset_wipesTheStateOfTheQueryAlone() {
    StreamClient one = StreamClient.of(server, "wiped");
    StreamClient two = StreamClient.of(server, "kept");
    String partition = partitionOf("wiped", "p");
    one.send(stateOnly(one, partition, put("k", 1)).put("idempotency_key", "once"));
    two.send(stateOnly(two, partition, put("k", 2)));

    register(server, "wiped", "another", true);

    assertThat(one.state(partition)).isEmpty();
    assertThat(two.state(partition)).isEqualTo(Map.of("k", 2));
    // What was answered before the reset speaks of a state that is gone.
    one.send(stateOnly(one, partition, put("k", 3)).put("idempotency_key", "once"));
    assertThat(one.state(partition)).isEqualTo(Map.of("k", 3));
  }

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
          .atMost(Duration.ofSeconds(20))
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

  private static JsonObject good(StreamClient stream, List<JsonObject> messages) {
    return stream
        .cycle(messages)
        .put("state_ops", new JsonArray().add(put("k", 1)))
        .put(
            "push_items",
            new JsonArray().add(item(stream.group().substring(8) + ".out", "p", "s1")));
  }

  private static JsonObject ack(String transactionId, String lease, String status) {
    return new JsonObject()
        .put("transactionId", transactionId)
        .put("leaseId", lease)
        .put("status", status);
  }

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
      List<JsonObject> left = poll.get(20, TimeUnit.SECONDS).messages();
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
    answers.forEach(each -> different.add(each.join().body()));
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
  void state_isFilteredByAllThatIsGiven_sortedAndPaged() {
    StreamClient stream = StreamClient.of(server, "filters");
    String partition = partitionOf("filters", "p");
    stream.send(
        stateOnly(
            stream,
            partition,
            put("a_1", new JsonObject().put("windowEnd", 100)),
            put("a_2", new JsonObject().put("windowEnd", 100.5)),
            put("ax3", new JsonObject().put("windowEnd", 50)),
            put("a%4", new JsonObject().put("windowEnd", "50")),
            put("tumb:60\u001f7\u001f\ud83d\ude00", new JsonObject().put("x", 1)),
            put("b", "text")));

    assertThat(stream.state(partition).keySet())
        .containsExactly("a%4", "a_1", "a_2", "ax3", "b", "tumb:60\u001f7\u001f\ud83d\ude00");
    assertThat(stream.state(partition, filter("key_prefix", "a_"))).containsOnlyKeys("a_1", "a_2");
    assertThat(stream.state(partition, filter("key_prefix", "a%"))).containsOnlyKeys("a%4");
    assertThat(stream.state(partition, filter("key_prefix", "tumb:60\u001f"))).hasSize(1);
    assertThat(stream.state(partition, filter("ripe_at_or_before", 100)))
        .containsOnlyKeys("a_1", "ax3");
    JsonArray keys = new JsonArray().add("ax3").add("a_2").add("b").add("none");
    assertThat(stream.state(partition, filter("keys", keys))).containsOnlyKeys("ax3", "a_2", "b");
    assertThat(
            stream.state(
                partition,
                filter("keys", keys).put("key_prefix", "a").put("ripe_at_or_before", 100.5)))
        .containsOnlyKeys("ax3", "a_2");
    assertThat(stream.state(NOBODY)).isEmpty();
    assertThat(stream.state(partition, filter("key_prefix", "").put("keys", new JsonArray())))
        .hasSize(6);

    Answer page = stream.ask(partition, filter("limit", 2));
    assertThat(page.object().getJsonArray("rows"))
        .extracting(each -> ((JsonObject) each).getString("key"))
        .containsExactly("a%4", "a_1");
    assertThat(page.object().getString("next")).isEqualTo("a_1");
    JsonObject rest = stream.ask(partition, filter("limit", 10).put("after", "a_1")).object();
    assertThat(rest.getJsonArray("rows")).hasSize(4);
    assertThat(rest.containsKey("next")).isFalse();
    assertThat(rest.getJsonArray("rows").getJsonObject(0).getString("updated_at"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?\\+00:00");
  }

  @Test
  void state_comesBackByteForByte() {
    StreamClient stream = StreamClient.of(server, "bytes");
    String partition = partitionOf("bytes", "p");
    String value =
        "{\"b\": 1.0,\"a\":12345678901234567890, \"b\":\"\\u0000\\ud800\",\"windowEnd\":7 }";
    server.post(
        CYCLE,
        "{\"query_id\":\"%s\",\"partition_id\":\"%s\",\"state_ops\":["
                .formatted(stream.queryId(), partition)
            + "{\"type\":\"upsert\",\"value\": "
            + value
            + " ,\"key\":\"k\"},{\"type\":\"upsert\",\"key\":\"none\"}]}");
    assertThat(stream.ask(partition, filter("ripe_at_or_before", 7)).body())
        .contains("\"key\":\"k\",\"value\":" + value + ",");
    assertThat(stream.ask(partition, filter("keys", new JsonArray().add("none"))).body())
        .contains("\"key\":\"none\",\"value\":{},");
  }

  @Test
  void moreStateThanAnAnswerMayHave_isRefusedUnlessPaged() throws IOException {
    try (RunningServer small =
        RunningServer.on(database.endpoint(), Map.of("QUEEN_MAX_ITEMS_PER_REQUEST", "3"))) {
      StreamClient stream = StreamClient.of(small, "large");
      String partition = partitionOf("large", "p");
      stream.send(stateOnly(stream, partition, put("a", 1), put("b", 1), put("c", 1)));
      assertThat(stream.state(partition)).hasSize(3);
      stream.send(stateOnly(stream, partition, put("d", 1)));

      Answer refused = stream.ask(partition, new JsonObject());
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error()).contains("ask with limit and after");
      assertThat(stream.ask(partition, filter("limit", 3)).object().getString("next"))
          .isEqualTo("c");
      assertThat(
              stream
                  .send(
                      stateOnly(
                          stream, partition, put("a", 1), put("b", 1), put("c", 1), put("d", 1)))
                  .error())
          .isEqualTo("state_ops has more than the limit of 3 elements");
    }
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
      assertThat(poll.get(20, TimeUnit.SECONDS).messages()).hasSize(1);
    }
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

  @Test
  void deletedQueue_takesItsStateAlong() {
    StreamClient stream = StreamClient.of(server, "doomed");
    String partition = partitionOf("doomed", "p");
    String orphan = partitionOf("doomed2", "p");
    for (String each : List.of(partition, orphan)) {
      stream.send(stateOnly(stream, each, put("k", 1)).put("idempotency_key", "x"));
    }

    server.delete("/api/v1/resources/queues/doomed");
    database.query("delete from queen.queues where name = 'doomed2'");

    Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> left(partition) == 0);
    assertThat(stream.send(stateOnly(stream, partition, put("k", 1))).error())
        .isEqualTo("Partition not found");
    assertThat(stream.state(partition)).isEmpty();
    // Nobody was told of the other: upkeep finds it.
    assertThat(left(orphan)).isEqualTo(3);
    server.post("/api/v1/system/upkeep/orphans/run?wait=30000", "");
    assertThat(left(orphan)).isZero();
    assertThat(stream.state(orphan)).isEmpty();
  }

  private static long left(String partition) {
    return (Long)
        database.value(
            """
            select (select count(*) from queen.stream_state where partition_id = '%1$s')
                 + (select count(*) from queen.stream_cycles where partition_id = '%1$s')
                 + (select count(*) from queen.stream_lanes where partition_id = '%1$s')
            """
                .formatted(partition));
  }

  @Test
  void badRequests_areRefusedWithTheirText() {
    String ids = "\"query_id\":\"" + NOBODY + "\",\"partition_id\":\"" + NOBODY + "\"";
    record Refusal(String path, String body, String text) {}
    List<Refusal> refusals =
        List.of(
            new Refusal(QUERIES, "", "Empty request body"),
            new Refusal(QUERIES, "[]", "request body must be a JSON object"),
            new Refusal(QUERIES, "{}", "name is required"),
            new Refusal(QUERIES, "{\"name\":7}", "name is required"),
            new Refusal(QUERIES, "{\"name\":\"n\"}", "source_queue is required"),
            new Refusal(
                QUERIES, "{\"name\":\"n\",\"source_queue\":\"q\"}", "config_hash is required"),
            new Refusal(
                QUERIES,
                "{\"name\":\"n\",\"source_queue\":\"q\",\"config_hash\":\"h\",\"sink_queue\":7}",
                "sink_queue must be a string"),
            new Refusal(
                QUERIES,
                "{\"name\":\"n\",\"source_queue\":\"q\",\"config_hash\":\"h\",\"reset\":1}",
                "reset must be true or false"),
            new Refusal(
                QUERIES,
                "{\"name\":\"\\u0000\",\"source_queue\":\"q\",\"config_hash\":\"h\"}",
                "name contains the character NUL"),
            new Refusal(CYCLE, "7", "request body must be a JSON object"),
            new Refusal(CYCLE, "{}", "query_id is required"),
            new Refusal(CYCLE, "{\"query_id\":\"x\"}", "query_id must be a UUID"),
            new Refusal(CYCLE, "{\"query_id\":\"" + NOBODY + "\"}", "partition_id is required"),
            new Refusal(
                CYCLE,
                "{\"query_id\":\"" + NOBODY + "\",\"partition_id\":\"x\"}",
                "partition_id must be a UUID"),
            new Refusal(CYCLE, "{" + ids + ",\"state_ops\":{}}", "state_ops must be an array"),
            new Refusal(CYCLE, "{" + ids + ",\"push_items\":7}", "push_items must be an array"),
            new Refusal(CYCLE, "{" + ids + ",\"push_items\":[7]}", "Queue must be a string"),
            new Refusal(
                CYCLE, "{" + ids + ",\"state_ops\":[7]}", "Each of state_ops must be an object"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"state_ops\":[{\"type\":\"upsert\"}]}",
                "Each of state_ops must have a key"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"state_ops\":[{\"type\":\"upsert\",\"key\":\"\"}]}",
                "key must not be empty"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"state_ops\":[{\"type\":\"upsert\",\"key\":\"a\\u0000\"}]}",
                "key contains the character NUL"),
            new Refusal(CYCLE, "{" + ids + ",\"ack\":7}", "ack must be an object"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"ack\":{\"transactionId\":\"t\",\"count\":-1}}",
                "ack.count must be a whole number between 0 and 2147483647"),
            new Refusal(
                CYCLE, "{" + ids + ",\"release_lease\":1}", "release_lease must be true or false"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"idempotency_key\":\"" + "k".repeat(256) + "\"}",
                "idempotency_key is longer than 255 characters"),
            new Refusal(
                CYCLE, "{" + ids + ",\"consumer_group\":7}", "consumer_group must be a string"),
            new Refusal(STATE, "[]", "request body must be a JSON object"),
            new Refusal(STATE, "{}", "query_id is required"),
            new Refusal(STATE, "{\"query_id\":\"" + NOBODY + "\"}", "partition_id is required"),
            new Refusal(STATE, "{" + ids + ",\"keys\":\"k\"}", "keys must be an array"),
            new Refusal(STATE, "{" + ids + ",\"keys\":[7]}", "Each of keys must be a string"),
            new Refusal(
                STATE, "{" + ids + ",\"keys\":[\"\\u0000\"]}", "key contains the character NUL"),
            new Refusal(STATE, "{" + ids + ",\"key_prefix\":7}", "key_prefix must be a string"),
            new Refusal(
                STATE,
                "{" + ids + ",\"ripe_at_or_before\":\"7\"}",
                "ripe_at_or_before must be a number"),
            new Refusal(
                STATE,
                "{" + ids + ",\"limit\":0}",
                "limit must be a whole number between 1 and 10000"));
    SoftAssertions.assertSoftly(
        all ->
            refusals.forEach(
                refusal -> {
                  Answer answer = server.post(refusal.path(), refusal.body());
                  all.assertThat(answer.status()).as(refusal.body()).isEqualTo(400);
                  all.assertThat(answer.error()).as(refusal.body()).isEqualTo(refusal.text());
                }));
    assertThat(server.get(CYCLE).status()).isEqualTo(405);
    assertThat(server.post(CYCLE, "{" + ids + "}").error()).isEqualTo("Query not found");
    String unknown = StreamClient.of(server, "unknown").queryId();
    assertThat(server.post(CYCLE, ("{" + ids + "}").replaceFirst(NOBODY, unknown)).error())
        .isEqualTo("Partition not found");
    assertThat(
            server
                .post(
                    CYCLE,
                    ("{" + ids + ",\"ack\":{\"transactionId\":\"t\"}}")
                        .replaceFirst(NOBODY, unknown))
                .error())
        .isEqualTo("Message not found");
  }

  private static JsonObject stateOnly(StreamClient stream, String partition, JsonObject... ops) {
    return stream.cycle(partition).put("state_ops", new JsonArray(List.of(ops)));
  }

  private static JsonObject filter(String name, Object value) {
    return new JsonObject().put(name, value);
  }

  private static JsonObject anonymous(String queue, String partition) {
    return new JsonObject().put("queue", queue).put("partition", partition).put("payload", 1);
  }

  private static void pushAll(String queue, String partition, String... ids) {
    server.push(
        IntStream.range(0, ids.length)
            .mapToObj(i -> item(queue, partition, ids[i]))
            .toArray(JsonObject[]::new));
  }

  /** Makes a partition that has one message. */
  private static String partitionOf(String queue, String partition) {
    return server
        .push(item(queue, partition, "seed"))
        .array()
        .getJsonObject(0)
        .getString("partition_id");
  }

  private static void awaitWaiting(RunningServer waiting) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> waiting.get("/metrics/prometheus").body().contains("queen_waiting_polls 1"));
  }

  private static RunningServer clustered(String peers, int port) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "QUEEN_UDP_PEERS",
            peers,
            "QUEEN_UDP_NOTIFY_PORT",
            String.valueOf(port),
            "QUEEN_SYNC_SECRET",
            "5ca1ab1e".repeat(8),
            "POP_WAIT_INITIAL_INTERVAL_MS",
            "30000",
            "POP_WAIT_MAX_INTERVAL_MS",
            "30000"));
  }

  private static int freeUdpPort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
