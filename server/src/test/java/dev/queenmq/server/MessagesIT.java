package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.encoded;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.DatagramSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the contract says about single messages, dead letters and clearing, over real HTTP. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MessagesIT {
  private static final String MESSAGES = "/api/v1/messages";
  private static final String DLQ = "/api/v1/dlq";
  private static final String MOMENT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  private TestDatabase database;
  private RunningServer server;
  private String q;
  private int queues;

  MessagesIT() {}

  @BeforeAll
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
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

  @Test
  void withoutMessages_everythingIsValidJson() {
    assertThat(server.get(MESSAGES + "?queue=nowhere").object())
        .isEqualTo(
            new JsonObject(
                "{\"messages\":[],\"truncated\":false,"
                    + "\"mode\":{\"hasQueueMode\":false,\"busGroupsCount\":0,\"type\":\"none\"}}"));
    assertThat(server.get(DLQ + "?queue=nowhere").object())
        .isEqualTo(
            new JsonObject(
                "{\"messages\":[],\"pagination\":{\"limit\":100,\"offset\":0},\"total\":0}"));
  }

  @Test
  void list_showsEachMessageOnce_newestFirst_withItsState() {
    server.push(item(q, "p", "1"), item(q, "p", "2"));
    server.push(item(q, "p", "3"), item(q, "r", "4"));
    server.push(item(q, "p", "5"));
    List<JsonObject> batch = popAll(q, "p", "batch=3");
    server.ack(batch.get(0), "completed");
    server.ack(batch.get(1), "dlq");

    List<JsonObject> messages = list("queue=" + q);

    assertThat(messages)
        .extracting(m -> m.getString("transactionId") + " " + m.getString("status"))
        .containsExactlyInAnyOrder(
            "1 completed", "2 dead_letter", "3 processing", "4 pending", "5 pending");
    assertThat(messages.get(0).getString("transactionId")).isEqualTo("5");
    JsonObject third =
        messages.stream()
            .filter(m -> m.getString("transactionId").equals("3"))
            .findFirst()
            .orElseThrow();
    assertThat(third.fieldNames())
        .containsExactlyInAnyOrder(
            "id",
            "transactionId",
            "partitionId",
            "queue",
            "partition",
            "queuePath",
            "namespace",
            "task",
            "status",
            "queueStatus",
            "busStatus",
            "traceId",
            "producerSub",
            "queuePriority",
            "createdAt",
            "leaseExpiresAt");
    assertThat(third.getString("queuePath")).isEqualTo(q + "/p");
    assertThat(third.getString("namespace")).isEqualTo(q.substring(0, q.indexOf('.')));
    assertThat(third.getString("createdAt")).matches(MOMENT);
    assertThat(third.getString("leaseExpiresAt")).matches(MOMENT);
    assertThat(messages.get(0).getString("leaseExpiresAt")).isNull();
    assertThat(server.get(MESSAGES + "?queue=" + q).object().getJsonObject("mode"))
        .isEqualTo(
            new JsonObject("{\"hasQueueMode\":true,\"busGroupsCount\":0,\"type\":\"queue\"}"));
    for (String status : List.of("completed", "dead_letter", "processing")) {
      assertThat(list("queue=" + q + "&status=" + status)).hasSize(1);
    }
    assertThat(list("queue=" + q + "&status=pending")).hasSize(2);
    assertThat(server.get(MESSAGES + "?status=lost").status()).isEqualTo(400);
    assertThat(server.get(MESSAGES + "?from=yesterday").error())
        .isEqualTo("from must be an ISO 8601 timestamp");
  }

  @Test
  void list_ofABus_isCompletedWhenAllGroupsHaveIt() {
    server.push(item(q, "p", "1"), item(q, "p", "2"));
    server.pop(q, "consumerGroup=a&batch=2&autoAck=true");
    List<JsonObject> second = server.pop(q, "consumerGroup=b&batch=2").messages();
    server.ack(second.get(0), "completed");

    List<JsonObject> messages = list("queue=" + q);

    assertThat(messages)
        .extracting(m -> m.getString("status"))
        .containsExactly("pending", "completed");
    assertThat(messages.get(0).getJsonObject("busStatus"))
        .isEqualTo(new JsonObject("{\"consumedBy\":1,\"totalGroups\":2}"));
    assertThat(messages.get(0).getString("queueStatus")).isEqualTo("pending");
    assertThat(
            server.get(MESSAGES + "?queue=" + q).object().getJsonObject("mode").getString("type"))
        .isEqualTo("bus");
    // Another group that only waits so far.
    server.pop(q, "consumerGroup=late&subscriptionMode=new");
    assertThat(list("queue=" + q + "&status=completed")).hasSize(1);
    server.ack(second.get(1), "dlq");
    server.pop(q, "");
    assertThat(list("queue=" + q + "&status=dead_letter")).hasSize(1);
  }

  @Test
  void list_isPagedThroughManyPartitions_withoutGapsOrRepeats() {
    for (int round = 0; round < 4; round++) {
      int turn = round;
      server.push(
          IntStream.range(0, 30)
              .mapToObj(i -> item(q, "p" + i % 7, turn + "-" + i))
              .toArray(JsonObject[]::new));
    }
    server.push(item("other." + q, "p", "x"));

    List<JsonObject> pages = pages();
    List<String> seen = pages.stream().map(m -> m.getString("transactionId")).toList();
    List<String> moments = pages.stream().map(m -> m.getString("createdAt")).toList();

    assertThat(seen).hasSize(120).doesNotHaveDuplicates();
    assertThat(moments).isSortedAccordingTo((a, b) -> b.compareTo(a));
    assertThat(list("queue=" + q + "&partition=p3")).hasSize(16);
    assertThat(list("limit=1000")).filteredOn(m -> m.getString("queue").contains(q)).hasSize(121);
    assertThat(list("ns=other&queue=other." + q)).hasSize(1);
    assertThat(list("ns=other&task=" + q.substring(0, q.indexOf('.')))).hasSize(1);
    assertThat(list("task=none")).isEmpty();
    for (JsonObject goes : List.of(pages.get(3), pages.get(60), pages.get(119))) {
      server.delete(path(goes.getString("partitionId"), goes.getString("transactionId")));
    }
    pages.removeAll(List.of(pages.get(3), pages.get(60), pages.get(119)));
    assertThat(pages())
        .extracting(m -> m.getString("transactionId"))
        .isEqualTo(pages.stream().map(m -> m.getString("transactionId")).toList());
    database.query(
        "update queen.segments set created_at = created_at - interval '2 hours' where partition_id in ("
            + partitionsOfQueue("id")
            + ")");
    database.query(
        "update queen.partitions set last_append_at = last_append_at - interval '2 hours' where id in ("
            + partitionsOfQueue("id")
            + ")");
    server.push(item(q, "p0", "young"));
    assertThat(list("queue=" + q)).hasSize(1);
    assertThat(list("queue=" + q + "&from=2020-01-01&limit=1000")).hasSize(118);
    String longAgo = moments.get(0).substring(0, 10);
    assertThat(
            list("queue=" + q + "&from=2020-01-01&to=" + longAgo + "T00:00:00Z&limit=1000").size())
        .isLessThan(118);
  }

  @Test
  void message_isShownWithItsPayloadAndItsGroups() {
    String payload = "{ \"invoice\" : 9001, \"cents\":1.0 }";
    server.post(
        "/api/v1/push",
        "{\"items\":[{\"queue\":\""
            + q
            + "\",\"partition\":\"c 81\",\"transactionId\":\"inv/1\",\"payload\":"
            + payload
            + "}]}");
    String id = partitionId(q, "c 81");
    server.pop(q, "consumerGroup=mailer&autoAck=true");
    JsonObject held = server.pop(q, "consumerGroup=audit").messages().get(0);

    Answer answer = server.get(path(id, "inv/1"));

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).contains("\"payload\":" + payload);
    JsonObject message = answer.object();
    assertThat(message.getString("status")).isEqualTo("pending");
    assertThat(message.getBoolean("isEncrypted")).isFalse();
    assertThat(message.getValue("errorMessage")).isNull();
    assertThat(message.getJsonObject("queueConfig"))
        .isEqualTo(
            new JsonObject(
                "{\"leaseTime\":300,\"retryLimit\":3,\"retryDelay\":1000,\"ttl\":3600,\"priority\":0}"));
    assertThat(message.getJsonObject("mode"))
        .isEqualTo(
            new JsonObject(
                "{\"hasQueueMode\":false,\"busGroupsCount\":2,\"consumedByGroups\":1,\"type\":\"bus\"}"));
    JsonObject audit = message.getJsonArray("consumerGroups").getJsonObject(0);
    assertThat(audit.getString("name")).isEqualTo("audit");
    assertThat(audit.getBoolean("consumed")).isFalse();
    assertThat(audit.getString("leaseExpiresAt")).matches(MOMENT);

    server.post("/api/v1/ack", RunningServer.verdict(held, "dlq").put("error", "smtp 451"));
    JsonObject dead = server.get(path(id, "inv/1")).object();
    assertThat(dead.getString("status")).isEqualTo("dead_letter");
    assertThat(dead.getString("errorMessage")).isEqualTo("smtp 451");
    assertThat(dead.getInteger("retryCount")).isZero();
    assertThat(server.get(path(id, "unknown")).status()).isEqualTo(404);
    assertThat(server.get(MESSAGES + "/none/inv").error()).isEqualTo("partitionId must be a UUID");
    assertThat(server.get(path("00000000-0000-4000-8000-000000000000", "x")).error())
        .isEqualTo("Message not found");
  }

  @Test
  void deletedMessage_isGoneForEverybody_andItsIdIsFree() {
    server.push(item(q, "p", "1"), item(q, "p", "2"), item(q, "p", "3"));
    String id = partitionId(q, "p");
    List<JsonObject> held = server.pop(q, "batch=2&consumerGroup=holder").messages();

    JsonObject done = server.delete(path(id, "2")).object();

    assertThat(done)
        .isEqualTo(
            new JsonObject()
                .put("success", true)
                .put("partitionId", id)
                .put("transactionId", "2")
                .put("message", "Message deleted successfully"));
    Answer again = server.delete(path(id, "2"));
    assertThat(again.status()).isEqualTo(200);
    assertThat(again.object().getBoolean("success")).isFalse();
    assertThat(again.object().getString("message")).isEqualTo("Message not found");
    assertThat(server.get(path(id, "2")).status()).isEqualTo(404);
    assertThat(list("queue=" + q))
        .extracting(m -> m.getString("transactionId"))
        .containsExactly("3", "1");
    assertThat(
            database.value(
                "select count(*) from queen.messages where payload like '%\"2\"%' and queue = '"
                    + q
                    + "'"))
        .isEqualTo(0L);
    assertThat(
            server
                .ack(held.get(0), "completed")
                .array()
                .getJsonObject(0)
                .getBoolean("leaseReleased"))
        .isTrue();
    assertThat(server.pop(q, "batch=9&consumerGroup=holder").transactionIds()).containsExactly("3");
    assertThat(server.pop(q, "batch=9&consumerGroup=fresh").transactionIds())
        .containsExactly("1", "3");
    assertThat(lag("fresh", q)).isEqualTo(2);

    assertThat(server.push(item(q, "p", "2")).array().getJsonObject(0).getString("status"))
        .isEqualTo("queued");
    assertThat(server.push(item(q, "p", "2")).array().getJsonObject(0).getString("status"))
        .isEqualTo("duplicate");
    assertThat(server.pop(q, "batch=9&consumerGroup=third").transactionIds())
        .containsExactly("1", "3", "2");
  }

  @Test
  void deletedMessage_thatWasAllThatIsHeld_freesThePartition() {
    server.push(item(q, "p", "1"), item(q, "p", "2"));
    String id = partitionId(q, "p");
    server.pop(q, "");
    CompletableFuture<Answer> waiting = server.popLater(q, "wait=true&timeout=60000");

    server.delete(path(id, "1"));

    assertThat(waiting.join().transactionIds()).containsExactly("2");
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
    JsonObject verdict = server.ack(redelivered, "completed").array().getJsonObject(0);
    assertThat(verdict.getBoolean("success")).isTrue();
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
    assertThat(server.delete(DLQ + "?queue=" + q).object().getInteger("purged")).isEqualTo(1);
    assertThat(server.delete(DLQ).error()).isEqualTo("queue is required");
    assertThat(server.delete(DLQ + "?queue=none").status()).isEqualTo(404);
  }

  @Test
  void clear_removesWhatIsThere_andKeepsWhatComes() {
    server.push(item(q, "p", "1"), item(q, "p", "2"), item(q, "r", "3"));
    List<JsonObject> held = server.pop(q, "batch=9&consumerGroup=g").messages();
    server.ack(held.get(0), "dlq");

    JsonObject one = server.delete("/api/v1/queues/" + q + "/clear?partition=r").object();
    JsonObject all = server.delete("/api/v1/queues/" + q + "/clear").object();

    assertThat(one)
        .isEqualTo(
            new JsonObject(
                "{\"cleared\":true,\"queue\":\""
                    + q
                    + "\",\"partition\":\"r\",\"deletedMessages\":1}"));
    assertThat(all.getInteger("deletedMessages")).isEqualTo(2);
    assertThat(all.containsKey("partition")).isTrue();
    assertThat(all.getValue("partition")).isNull();
    assertThat(
            server.delete("/api/v1/queues/" + q + "/clear").object().getInteger("deletedMessages"))
        .isZero();
    assertThat(list("queue=" + q)).isEmpty();
    assertThat(letters("queue=" + q)).hasSize(1);
    assertThat(
            database.value(
                "select count(*) from queen.segments where partition_id in ("
                    + partitionsOfQueue("id")
                    + ")"))
        .isEqualTo(0L);
    assertThat(lag("g", q)).isZero();
    assertThat(server.push(item(q, "p", "1")).array().getJsonObject(0).getString("status"))
        .isEqualTo("queued");
    assertThat(server.pop(q, "batch=9&consumerGroup=g&wait=true&timeout=60000").transactionIds())
        .containsExactly("1");
    assertThat(server.pop(q, "batch=9&consumerGroup=new").transactionIds()).containsExactly("1");
    assertThat(server.delete("/api/v1/queues/none/clear").error()).isEqualTo("Queue not found");
    assertThat(server.delete("/api/v1/queues/" + q + "/clear?partition=none").error())
        .isEqualTo("Partition not found");
  }

  @Test
  void partition_isDeletedWithAllThatIsInIt_andMadeAnewByAPush() {
    server.push(item(q, "a b", "1"), item(q, "a b", "2"), item(q, "r", "3"));
    String id = partitionId(q, "a b");
    server.ack(popAll(q, "a b", "").get(0), "dlq");
    Answer deleted = server.delete("/api/v1/queues/" + q + "/partitions/a%20b");

    assertThat(deleted.object())
        .isEqualTo(
            new JsonObject()
                .put("deleted", true)
                .put("queue", q)
                .put("partition", "a b")
                .put("partitionId", id));
    assertThat(server.delete("/api/v1/queues/" + q + "/partitions/a%20b").status()).isEqualTo(404);
    assertThat(letters("queue=" + q)).isEmpty();
    assertThat(list("queue=" + q))
        .extracting(m -> m.getString("transactionId"))
        .containsExactly("3");
    server.push(item(q, "a b", "1"));
    assertThat(partitionId(q, "a b")).isNotEqualTo(id);
    assertThat(popAll(q, "a b", "batch=9"))
        .extracting(m -> m.getString("transactionId"))
        .containsExactly("1");
  }

  @Test
  void clear_whileOthersPush_neverKeepsHalfOfARequest() {
    int requests = 40;
    CompletableFuture<Void> pushing =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < requests; i++) {
                int turn = i;
                server.push(
                    IntStream.range(0, 20)
                        .mapToObj(k -> item(q, "p", turn + "-" + k))
                        .toArray(JsonObject[]::new));
              }
            });
    long cleared = 0;
    while (!pushing.isDone()) {
      Answer answer = server.delete("/api/v1/queues/" + q + "/clear");
      cleared += answer.status() == 404 ? 0 : answer.object().getLong("deletedMessages");
    }
    pushing.join();

    List<String> left = server.pop(q, "batch=10000&autoAck=true").transactionIds();

    assertThat(cleared + left.size()).isEqualTo(requests * 20L);
    assertThat(left.size() % 20).isZero();
  }

  /** With so long a back-off that only what brokers tell each other can have woken it. */
  @Test
  void brokersInTouch_learnWhatIsDoneToMessagesAndPartitions(TestDatabase fresh) throws Exception {
    int[] ports = {freeUdpPort(), freeUdpPort()};
    try (RunningServer one = clustered(fresh, ports, 0);
        RunningServer two = clustered(fresh, ports, 1)) {
      one.push(item("q", "p", "a"));
      two.ack(two.pop("q", "consumerGroup=g").messages().get(0), "dlq");
      String id =
          one.get("/api/v1/resources/partitions?queue=q")
              .object()
              .getJsonArray("partitions")
              .getJsonObject(0)
              .getString("id");
      CompletableFuture<Answer> redriven =
          two.popLater("q", "consumerGroup=g&wait=true&timeout=50000");
      awaitPoll(two);

      one.post(path(id, "a") + "/retry", "");

      assertThat(redriven.get(20, TimeUnit.SECONDS).transactionIds()).containsExactly("a");
      two.get("/api/v1/pop/queue/q/partition/p?consumerGroup=h");
      assertThat(rememberedPartitions(two)).isEqualTo(1);
      CompletableFuture<Answer> again =
          two.popLater("q", "consumerGroup=h&wait=true&timeout=50000");
      awaitPoll(two);

      assertThat(one.delete("/api/v1/queues/q/partitions/p").status()).isEqualTo(200);

      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> rememberedPartitions(two) == 0);
      one.push(item("q", "p", "b"));
      assertThat(again.get(20, TimeUnit.SECONDS).transactionIds()).containsExactly("b");
      assertThat(two.push(item("q", "p", "c")).array().getJsonObject(0).getString("status"))
          .isEqualTo("queued");
    }
  }

  private static void awaitPoll(RunningServer server) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> server.get("/metrics/prometheus").body().contains("queen_waiting_polls 1"));
  }

  private static int rememberedPartitions(RunningServer server) {
    return server
        .get("/api/v1/system/shared-state")
        .object()
        .getJsonObject("partition_id_cache")
        .getInteger("size");
  }

  private static RunningServer clustered(TestDatabase database, int[] ports, int number) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "QUEEN_UDP_PEERS",
            "127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1],
            "QUEEN_UDP_NOTIFY_PORT",
            String.valueOf(ports[number]),
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

  /** All messages of the queue, a few at a time. */
  private List<JsonObject> pages() {
    List<JsonObject> all = new ArrayList<>();
    for (int offset = 0; ; offset += 17) {
      List<JsonObject> page = list("queue=" + q + "&limit=17&offset=" + offset);
      if (page.isEmpty()) {
        return all;
      }
      all.addAll(page);
    }
  }

  private List<JsonObject> list(String query) {
    Answer answer = server.get(MESSAGES + "?" + query);
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.object().getBoolean("truncated")).isFalse();
    return answer.messages();
  }

  private List<JsonObject> letters(String query) {
    Answer answer = server.get(DLQ + "?" + query);
    assertThat(answer.status()).isEqualTo(200);
    return answer.messages();
  }

  private List<JsonObject> popAll(String queue, String partition, String query) {
    return server
        .get("/api/v1/pop/queue/" + queue + "/partition/" + encoded(partition) + "?" + query)
        .messages();
  }

  private String partitionId(String queue, String partition) {
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

  private long lag(String group, String queue) {
    return server
        .get("/api/v1/consumer-groups/" + group)
        .object()
        .getJsonObject(queue)
        .getJsonArray("partitions")
        .stream()
        .mapToLong(each -> ((JsonObject) each).getLong("offsetLag"))
        .sum();
  }

  private String partitionsOfQueue(String column) {
    return "select p."
        + column
        + " from queen.partitions p join queen.queues q on q.id = p.queue_id where q.name = '"
        + q
        + "'";
  }

  private static String path(String partitionId, String transactionId) {
    return MESSAGES + "/" + partitionId + "/" + encoded(transactionId);
  }
}
