package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.ackItem;
import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Defects of older servers that we must not have, as far as no other test would notice them. Their
 * numbers are those of docs/internals/contract-tests.md. The database keeps its clock in Tokyo.
 */
@ExtendWith(PostgresExtension.class)
class ContractDefectsIT {
  private static TestDatabase database;
  private static RunningServer server;

  @BeforeAll
  static void start(TestDatabase fresh) {
    database = fresh;
    // Sessions that begin later are in Tokyo.
    PgConnection before = fresh.connect();
    await(
        before
            .query(
                "do $$ begin execute format('alter database %I set timezone = ''Asia/Tokyo''',"
                    + " current_database()); end $$")
            .execute());
    await(before.close());
    server = RunningServer.on(fresh.endpoint());
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  @Test
  void i3_ackOfAnOlderMessage_neverRewinds() {
    server.push(item("i3", "p", "a"), item("i3", "p", "b"));
    List<JsonObject> done = server.pop("i3", "consumerGroup=g&batch=2").messages();
    server.ackAll(done, "completed");

    for (String status : List.of("completed", "failed", "retry", "dlq")) {
      JsonObject late = ackItem(done.get(0), status);
      late.remove("leaseId");
      server.post("/api/v1/ack", late);
    }
    server.push(item("i3", "p", "c"));

    assertThat(server.pop("i3", "consumerGroup=g&batch=9").transactionIds()).containsExactly("c");
    assertThat(deadLetters("i3")).isEmpty();
  }

  @Test
  void i4_eachMessageHasItsOwnRetries() {
    server.configure("i4", new JsonObject().put("retryLimit", 1));
    server.push(item("i4", "p", "a"), item("i4", "p", "b"));

    List<String> story = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      JsonObject message = server.pop("i4", "consumerGroup=g").messages().get(0);
      JsonObject result = server.ack(message, "failed").array().getJsonObject(0);
      story.add(message.getString("transactionId") + " " + result.getBoolean("dlq"));
    }

    assertThat(story).containsExactly("a false", "a true", "b false", "b true");
  }

  @Test
  void i7_partitionsWithNothingToDeliver_hideNoOthers() {
    server.configure("i7", new JsonObject().put("delayedProcessing", 300));
    server.push(
        IntStream.range(0, 20)
            .mapToObj(i -> item("i7", "deleted-" + i, "t" + i))
            .toArray(JsonObject[]::new));
    for (int i = 0; i < 20; i++) {
      String partition = partitionId("i7", "deleted-" + i);
      assertThat(server.delete("/api/v1/messages/" + partition + "/t" + i).body())
          .contains("\"success\":true");
    }
    server.push(item("i7", "real", "ready"));
    database.query(
        "update queen.segments set created_at = created_at - interval '301 seconds' where partition_id = '%s'"
            .formatted(partitionId("i7", "real")));
    server.push(
        IntStream.range(0, 20)
            .mapToObj(i -> item("i7", "delayed-" + i, "t" + i))
            .toArray(JsonObject[]::new));
    server.configure("i7", new JsonObject().put("delayedProcessing", 300));

    assertThat(server.pop("i7", "partitions=1").transactionIds()).containsExactly("ready");
  }

  @Test
  void i10_badRequests_failAlone() {
    int good = 20;
    server.push(
        IntStream.range(0, good)
            .mapToObj(i -> item("i10", "p" + i, "t" + i))
            .toArray(JsonObject[]::new));
    List<JsonObject> messages = new ArrayList<>();
    // A pop passes over partitions that upkeep has locked at that moment.
    Awaitility.await()
        .until(
            () -> {
              messages.addAll(server.pop("i10", "batch=99&partitions=99").messages());
              return messages.size() == good;
            });

    List<CompletableFuture<Answer>> acks = new ArrayList<>();
    List<CompletableFuture<Answer>> pushes = new ArrayList<>();
    List<CompletableFuture<Answer>> bad = new ArrayList<>();
    for (int i = 0; i < good; i++) {
      acks.add(later("/api/v1/ack", ackItem(messages.get(i), "completed")));
      bad.add(later("/api/v1/ack", ackItem(messages.get(i), "completed").put("partitionId", "x")));
      pushes.add(later("/api/v1/push", items(item("i10", "p", "n" + i))));
      bad.add(later("/api/v1/push", items(item("i10", "p", "b" + i).put("traceId", "x"))));
    }

    assertThat(acks)
        .allSatisfy(
            ack -> {
              JsonObject result = ack.join().array().getJsonObject(0);
              assertThat(result.getBoolean("success")).isTrue();
              // Of the caller's own request (I29), with whomever it was stored together.
              assertThat(result.getInteger("index")).isZero();
            });
    assertThat(pushes)
        .allSatisfy(
            push -> {
              JsonObject result = push.join().array().getJsonObject(0);
              assertThat(result.getString("status")).isEqualTo("queued");
              assertThat(result.getInteger("index")).isZero();
            });
    assertThat(bad).allSatisfy(each -> assertThat(each.join().body()).contains("error"));
  }

  @Test
  void i13_emptyBatchOfAcks_isAnswered() {
    Answer answer = server.post("/api/v1/ack/batch", "{\"acknowledgments\":[]}");

    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.array()).isEmpty();
  }

  @Test
  void i14_configureWithoutOptions_isAnsweredAsWhatItIs() {
    for (String body : List.of("{\"queue\":\"i14\"}", "{\"queue\":\"i14\",\"options\":{}}")) {
      JsonObject answer = server.post("/api/v1/configure", body).object();

      assertThat(answer.getBoolean("configured")).isTrue();
      assertThat(answer.getString("partitionId")).isEqualTo(partitionId("i14", "Default"));
      assertThat(answer.getJsonObject("options").getInteger("leaseTime")).isEqualTo(300);
    }
  }

  @Test
  void i17_newOnly_startsBehindWhatIsThere() {
    server.push(item("i17", "p", "old"));

    String query = "consumerGroup=g&subscriptionMode=new-only";
    assertThat(server.pop("i17", query).status()).isEqualTo(204);
    server.push(item("i17", "p", "young"));

    assertThat(server.pop("i17", query).transactionIds()).containsExactly("young");
  }

  @Test
  void i20_parameters_areFoundByTheirWholeName() {
    server.push(item("i20", "p", "a"), item("i20", "p", "b"), item("i20", "p", "c"));

    assertThat(server.pop("i20", "minibatch=3&consumerGroup=g").transactionIds())
        .containsExactly("a");
    assertThat(server.pop("i20", "theConsumerGroup=h&batch=3").object().getString("consumerGroup"))
        .isEqualTo("__QUEUE_MODE__");
    assertThat(server.pop("i20", "xbatch=3").error())
        .isEqualTo("unknown query parameter \"xbatch\", did you mean \"batch\"?");
    Answer tooLong = server.pop("q".repeat(256), "");
    assertThat(tooLong.status()).isEqualTo(400);
    assertThat(tooLong.error()).isEqualTo("queue is longer than 255 characters");
  }

  @Test
  void i21_deadLetters_outliveTheirMessages_andComeAgain() {
    server.configure(
        "i21", new JsonObject().put("retentionEnabled", true).put("retentionSeconds", 60));
    server.push(item("i21", "p", "t"));
    server.ack(server.pop("i21", "consumerGroup=g").messages().get(0), "dlq");
    database.query(
        "update queen.segments set created_at = created_at - interval '61 s' where partition_id = '%s'"
            .formatted(partitionId("i21", "p")));
    assertThat(server.post("/api/v1/system/upkeep/retention/run?wait=60000", "").status())
        .isEqualTo(200);
    assertThat(server.pop("i21", "consumerGroup=other").status()).isEqualTo(204);

    assertThat(deadLetters("i21"))
        .extracting(letter -> letter.getJsonObject("data").getString("of"))
        .containsExactly("t");
    Answer redriven = server.post("/api/v1/dlq/redrive", new JsonObject().put("queue", "i21"));

    assertThat(redriven.object().getInteger("redriven")).isEqualTo(1);
    assertThat(server.pop("i21", "consumerGroup=g&wait=true&timeout=10000").transactionIds())
        .containsExactly("t");
    assertThat(deadLetters("i21")).isEmpty();
  }

  @Test
  void i23_pushesInTransactions_chooseNeitherIdNorProducer() {
    String wanted = new UUID(0, 1).toString();
    JsonObject flat =
        item("i23", "p", "t")
            .put("type", "push")
            .put("messageId", wanted)
            .put("id", wanted)
            .put("producerSub", "admin")
            .put("is_encrypted", true);

    server.post(
        "/api/v1/transaction", new JsonObject().put("operations", new JsonArray().add(flat)));

    JsonObject message = server.pop("i23", "").messages().get(0);
    assertThat(message.getString("id")).isNotEqualTo(wanted);
    assertThat(message.getString("producerSub")).isNull();
    assertThat(message.getJsonObject("data").getString("of")).isEqualTo("t");
  }

  @Test
  void i24_theDatabaseCannotBeCopiedOverHttp() {
    for (String route : List.of("start", "test-connection", "validate", "reset")) {
      assertThat(server.post("/api/v1/migration/" + route, "{\"schema\":\"x; drop\"}").status())
          .isEqualTo(404);
    }
  }

  @Test
  void i29_moments_areInUtc_whereverTheDatabaseIs() {
    assertThat(database.value("show timezone")).isEqualTo("Asia/Tokyo");
    server.push(item("i29", "p", "t"));
    JsonObject popped = server.pop("i29", "consumerGroup=g&subscriptionMode=all").messages().get(0);
    String message = popped.getString("partitionId") + "/t";
    server.post(
        "/api/v1/traces",
        new JsonObject()
            .put("partitionId", popped.getString("partitionId"))
            .put("transactionId", "t")
            .put("data", 1));
    server.ack(popped, "dlq");
    JsonObject queue = server.get("/api/v1/resources/queues/i29").object();
    JsonObject group =
        groups().stream().filter(it -> it.getString("queueName").equals("i29")).findFirst().get();

    assertThat(
            List.of(
                popped.getString("createdAt"),
                server.get("/api/v1/messages/" + message).object().getString("createdAt"),
                server.get("/api/v1/messages?queue=i29").messages().get(0).getString("createdAt"),
                deadLetters("i29").get(0).getString("failedAt"),
                deadLetters("i29").get(0).getString("createdAt"),
                server
                    .get("/api/v1/traces/" + message)
                    .object()
                    .getJsonArray("traces")
                    .getJsonObject(0)
                    .getString("created_at"),
                queue.getString("createdAt"),
                group.getString("subscriptionCreatedAt"),
                server.get("/api/v1/status").object().getJsonObject("timeRange").getString("to")))
        .allSatisfy(
            text ->
                assertThat(Instant.parse(text))
                    .isCloseTo(Instant.now(), within(10, ChronoUnit.MINUTES)));
  }

  @Test
  void i29_deletedQueues_takeTheirSubscriptionsAlong() {
    server.pop("i29b", "consumerGroup=gone&subscriptionMode=new");
    assertThat(groups()).extracting(it -> it.getString("name")).contains("gone");

    server.delete("/api/v1/resources/queues/i29b");

    assertThat(groups()).extracting(it -> it.getString("name")).doesNotContain("gone");
  }

  @Test
  void i29_messageWithDeadLettersOfTwoGroups_isListedOnce() {
    server.push(item("i29c", "p", "t"));
    for (String group : List.of("a", "b")) {
      server.ack(server.pop("i29c", "consumerGroup=" + group).messages().get(0), "dlq");
    }

    assertThat(deadLetters("i29c")).hasSize(2);
    assertThat(server.get("/api/v1/messages?queue=i29c").transactionIds()).containsExactly("t");
  }

  @Test
  void i33_repeatedAcks_countOnce() {
    server.push(item("i33", "p", "a"), item("i33", "p", "b"), item("i33", "p", "c"));
    List<JsonObject> batch = server.pop("i33", "batch=3").messages();

    for (int i = 0; i < 3; i++) {
      server.ack(batch.get(0), "completed");
    }
    server.ackAll(List.of(batch.get(0), batch.get(0), batch.get(0)), "completed");
    assertThat(server.pop("i33", "batch=3").status()).isEqualTo(204);

    server.ack(batch.get(1), "completed");
    JsonObject last = server.ack(batch.get(2), "completed").array().getJsonObject(0);
    assertThat(last.getBoolean("leaseReleased")).isTrue();
    assertThat(server.pop("i33", "batch=3").status()).isEqualTo(204);
    assertThat(
            server
                .get("/api/v1/resources/queues/i33")
                .object()
                .getJsonObject("totals")
                .getInteger("completed"))
        .isEqualTo(3);
  }

  private static CompletableFuture<Answer> later(String path, JsonObject body) {
    return server.postLater(path, body.encode());
  }

  private static JsonObject items(JsonObject item) {
    return new JsonObject().put("items", new JsonArray().add(item));
  }

  private static List<JsonObject> deadLetters(String queue) {
    return server.get("/api/v1/dlq?queue=" + queue).messages();
  }

  private static List<JsonObject> groups() {
    return server.get("/api/v1/consumer-groups").array().stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private static String partitionId(String queue, String partition) {
    return (String)
        database.value(
            "select p.id::text from queen.partitions p join queen.queues q on q.id = p.queue_id"
                + " where q.name = '%s' and p.name = '%s'".formatted(queue, partition));
  }
}
