package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What the contract says about single messages, over real HTTP. */
class MessagesIT extends MessagesFixture {
  private static final String MOMENT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

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
        "update queen.segments set created_at = created_at - interval '2 hours' where partition_id"
            + " in ("
            + partitionsOfQueue("id")
            + ")");
    database.query(
        "update queen.partitions set last_append_at = last_append_at - interval '2 hours' where id"
            + " in ("
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
                "{\"leaseTime\":300,\"retryLimit\":3,\"retryDelay\":0,\"ttl\":0,\"priority\":0}"));
    assertThat(message.getJsonObject("mode"))
        .isEqualTo(
            new JsonObject(
                "{\"hasQueueMode\":false,\"busGroupsCount\":2,\"consumedByGroups\":1,\"type\":\"bus\"}"));
    JsonObject audit = message.getJsonArray("consumerGroups").getJsonObject(0);
    assertThat(audit.getString("name")).isEqualTo("audit");
    assertThat(audit.getBoolean("consumed")).isFalse();
    assertThat(audit.getString("leaseExpiresAt")).matches(MOMENT);

    server.post("/api/v1/ack", RunningServer.ackItem(held, "dlq").put("error", "smtp 451"));
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
  void message_isSearchedAmongTheNewest_andAMissSaysSo() {
    server.push(item(q, "p", "first"));
    String id = partitionId(q, "p");
    append(id, 999, "early");
    for (int i = 0; i < 99; i++) {
      append(id, 1_000, "m" + i);
    }
    assertThat(server.get(path(id, "first")).status()).isEqualTo(200);
    assertThat(server.get(path(id, "unknown")).object())
        .isEqualTo(new JsonObject().put("error", "Message not found"));

    append(id, 1, "last");

    Answer missed = server.get(path(id, "first"));
    assertThat(missed.status()).isEqualTo(404);
    assertThat(missed.object())
        .isEqualTo(
            new JsonObject().put("error", "Message not found").put("searchedNewest", 100_000));
    assertThat(server.get(path(id, "early-1")).status()).isEqualTo(200);
    assertThat(server.get(path(id, "last-1")).status()).isEqualTo(200);
  }

  /** A segment behind the others, without the way over a broker. */
  private void append(String partitionId, int messages, String prefix) {
    database.query(
        "with p as (update queen.partitions set next_offset = next_offset + %2$d where id = '%1$s'"
                .formatted(partitionId, messages)
            + " returning shard, id, next_offset) insert into queen.segments (shard, partition_id,"
            + " base_offset, message_count, created_at, encrypted, message_ids, transaction_ids,"
            + " payloads) select p.shard, p.id, p.next_offset - %1$d, %1$d, clock_timestamp(), false,"
                .formatted(messages)
            + " array(select gen_random_uuid() from generate_series(1, %1$d)), array(select '%2$s-'"
                .formatted(messages, prefix)
            + " || i from generate_series(1, %1$d) i), array_fill('1'::text, array[%1$d]) from p"
                .formatted(messages));
  }

  @Test
  void deletedMessage_isGoneForAllGroups_andItsIdIsFree() {
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
}
