package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.ackItem;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.http.admin.Scrape;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Queues that are full and messages that are too old, over real HTTP. */
class MaxSizeAndTtlIT extends OptionsFixture {
  @Test
  void maxSize_answersQueueFull_perItem() {
    server.configure("full", new JsonObject().put("maxSize", 2));

    Answer answer =
        server.push(
            item("full", "a", "1"),
            item("free", "a", "1"),
            item("full", "b", "2"),
            item("full", "c", "3"),
            item("full", "a", "1"));

    assertThat(answer.status()).isEqualTo(201);
    assertThat(statuses(answer))
        .containsExactly("queued", "queued", "queued", "failed", "duplicate");
    JsonObject refused = answer.array().getJsonObject(3);
    assertThat(refused.getInteger("index")).isEqualTo(3);
    assertThat(refused.getString("error")).isEqualTo("queue full");
    assertThat(refused.getString("queue")).isEqualTo("full");
    assertThat(refused.getString("partition")).isEqualTo("c");
    assertThat(refused.getString("transaction_id")).isEqualTo("3");
    assertThat(refused.getString("transactionId")).isEqualTo("3");

    Answer all = server.push(item("full", "a", "4"), item("full", "b", "5"));
    assertThat(all.status()).isEqualTo(201);
    assertThat(statuses(all)).containsOnly("failed");
    assertThat(statuses(server.push(item("full", "b", "2")))).containsExactly("duplicate");
    assertThat(server.pop("full", "partitions=9&batch=9").messages()).hasSize(2);
  }

  @Test
  void maxSize_hasRoomAgain_whenAllGroupsAreDone() {
    server.configure("room", new JsonObject().put("maxSize", 2));
    server.push(item("room", "p", "1"), item("room", "p", "2"));
    List<JsonObject> one = server.pop("room", "consumerGroup=one&batch=2").messages();
    List<JsonObject> two = server.pop("room", "consumerGroup=two&batch=2").messages();

    server.ackAll(one, "completed");
    assertThat(statuses(server.push(item("room", "p", "3")))).containsExactly("failed");
    server.ack(two.get(0), "completed");
    assertThat(statuses(server.push(item("room", "p", "3"), item("room", "p", "4"))))
        .containsExactly("queued", "failed");
    server.ack(two.get(1), "dlq");
    assertThat(statuses(server.push(item("room", "p", "4")))).containsExactly("queued");
  }

  @Test
  void maxSize_refusesATransactionAsAWhole() {
    server.configure("tx", new JsonObject().put("maxSize", 1));
    server.push(item("jobs", "p", "job"));
    JsonObject job = server.pop("jobs", "").messages().get(0);

    JsonObject refused = transaction(job, item("tx", "p", "1"), item("tx", "p", "2"));

    assertThat(refused.getBoolean("success")).isFalse();
    assertThat(refused.getString("error")).isEqualTo("queue full");
    assertThat(server.pop("tx", "").status()).isEqualTo(204);
    assertThat(transaction(job, item("tx", "p", "1")).getBoolean("success")).isTrue();
    assertThat(server.pop("tx", "").transactionIds()).containsExactly("1");
  }

  @Test
  void ttl_hidesOldMessagesFromEveryGroup() {
    server.configure("ttl", new JsonObject().put("ttl", 60));
    server.push(item("ttl", "p", "1"), item("ttl", "p", "2"), item("ttl", "old", "3"));
    makeOlder("ttl", 61);
    server.push(item("ttl", "p", "4"));

    assertThat(server.pop("ttl", "consumerGroup=g&batch=9&partitions=9").transactionIds())
        .containsExactly("4");
    assertThat(server.pop("ttl", "consumerGroup=h&batch=9").transactionIds()).containsExactly("4");
    assertThat(named("ttl", "p", "consumerGroup=i&batch=9&autoAck=true").transactionIds())
        .containsExactly("4");
    assertThat(named("ttl", "old", "consumerGroup=i").status()).isEqualTo(204);
    assertThat(committed("ttl", "old", "i")).isEqualTo(1);
    assertThat(deadLetters("ttl")).isZero();
  }

  @Test
  void ttl_leavesAMessageToItsHolder_butItIsNotDeliveredAgain() {
    server.configure("held", new JsonObject().put("ttl", 60));
    server.push(item("held", "p", "1"), item("held", "p", "2"));
    List<JsonObject> held = server.pop("held", "consumerGroup=g&batch=2").messages();
    makeOlder("held", 61);

    assertThat(success(server.ack(held.get(0), "completed"))).isTrue();
    assertThat(success(server.ack(held.get(1), "failed"))).isTrue();

    assertThat(named("held", "p", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(committed("held", "p", "g")).isEqualTo(2);
    server.push(item("held", "p", "3"));
    JsonObject next = server.pop("held", "consumerGroup=g&wait=true").messages().get(0);
    assertThat(next.getString("transactionId")).isEqualTo("3");
    assertThat(success(server.ack(next, "completed"))).isTrue();
    assertThat(
            database.value(
                "select count(*) from queen.attempts a join queen.partitions p"
                    + " on p.id = a.partition_id join queen.queues q on q.id = p.queue_id"
                    + " where q.name = 'held'"))
        .isEqualTo(0L);
  }

  @Test
  void ttl_whenEverythingHasExpired_doesNotMakeWaitingPollsSpin() {
    server.configure("spent", new JsonObject().put("ttl", 60));
    server.push(
        IntStream.range(0, 20)
            .mapToObj(i -> item("spent", "p" + i, "t"))
            .toArray(JsonObject[]::new));
    makeOlder("spent", 61);
    double before = Scrape.of(server).value(POPS);

    CompletableFuture<Answer> waiting =
        server.popLater("spent", "consumerGroup=g&wait=true&timeout=60000");
    Awaitility.await().until(() -> passed("spent", "g") == 20);
    assertThat(server.pop("spent", "consumerGroup=g&wait=true&timeout=1000").status())
        .isEqualTo(204);

    assertThat(Scrape.of(server).value(POPS) - before).isLessThan(60);
    server.push(item("spent", "p7", "fresh"));
    assertThat(waiting.join().transactionIds()).containsExactly("fresh");
  }

  @Test
  void ttl_withDeadLetterQueue_collectsWhatExpires_inSteps() {
    server.configure("given-up", new JsonObject().put("ttl", 60).put("deadLetterQueue", true));
    server.push(
        IntStream.range(0, 2300)
            .mapToObj(i -> item("given-up", "p", "t" + i))
            .toArray(JsonObject[]::new));
    JsonObject first = named("given-up", "p", "consumerGroup=g").messages().get(0);
    server.ack(first, "completed");
    makeOlder("given-up", 61);
    server.push(item("given-up", "p", "fresh"));

    Answer answer = named("given-up", "p", "consumerGroup=g&batch=9&wait=true&timeout=60000");

    assertThat(answer.transactionIds()).containsExactly("fresh");
    assertThat(deadLetters("given-up")).isEqualTo(2299);
    assertThat(
            database.value(
                "select string_agg(distinct error_message || ':' || consumer_group, ',')"
                    + " from queen.dead_letters where error_message like 'Expired%'"))
        .isEqualTo("Expired (ttl):g");
    assertThat(
            database.value(
                "select payload from queen.dead_letters where message_offset = 1700"
                    + " and transaction_id = 't1700'"))
        .isEqualTo("{\"of\":\"t1700\"}");
    assertThat(server.pop("given-up", "consumerGroup=g").status()).isEqualTo(204);
  }

  @Test
  void ttl_thatIsNotSet_isShownAsOff_andOff() {
    JsonObject options = options(server.configure("lasting", new JsonObject()));
    assertThat(options.getInteger("ttl")).isZero();
    server.push(item("lasting", "p", "1"));
    makeOlder("lasting", 100_000);

    assertThat(server.pop("lasting", "").transactionIds()).containsExactly("1");

    server.configure("off", new JsonObject().put("ttl", 0));
    server.push(item("off", "p", "1"));
    makeOlder("off", 100_000);
    assertThat(server.pop("off", "").transactionIds()).containsExactly("1");
  }

  private JsonObject transaction(JsonObject done, JsonObject... items) {
    JsonArray operations =
        new JsonArray()
            .add(ackItem(done, "completed").put("type", "ack"))
            .add(new JsonObject().put("type", "push").put("items", new JsonArray(List.of(items))));
    return server
        .post("/api/v1/transaction", new JsonObject().put("operations", operations))
        .object();
  }

  private static boolean success(Answer acked) {
    return acked.array().getJsonObject(0).getBoolean("success");
  }

  private long committed(String queue, String partition, String group) {
    return (Long)
        database.value(
            ("select c.committed" + CURSORS + " and p.name = '%s' and c.consumer_group = '%s'")
                .formatted(queue, partition, group));
  }

  /** In how many partitions a group has passed something. */
  private long passed(String queue, String group) {
    return (Long)
        database.value(
            ("select count(*)" + CURSORS + " and c.consumer_group = '%s' and c.committed > 0")
                .formatted(queue, group));
  }
}
