package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups that are deleted, moved and sought, over real HTTP. */
class ConsumerGroupChangesIT extends ConsumerGroupsFixture {
  private static final String TO_END = "{\"toEnd\":true}";
  private static final String TO_START = "{\"timestamp\":\"2020-01-01\"}";

  @Test
  void delete_forgetsTheGroupOnAllQueues() {
    server.push(item("q", "p", "1"), item("r", "p", "1"));
    JsonObject held = server.pop("q", "consumerGroup=g").messages().get(0);
    server.pop("r", "consumerGroup=g&autoAck=true");
    server.pop("r", "consumerGroup=other");

    Answer deleted = server.delete(GROUPS + "/g?deleteMetadata=true");

    assertThat(deleted.status()).isEqualTo(200);
    assertThat(deleted.object())
        .isEqualTo(
            new JsonObject(
                Map.of(
                    "success",
                    true,
                    "consumerGroup",
                    "g",
                    "deleted",
                    true,
                    "deletedPartitions",
                    2,
                    "metadataDeleted",
                    true)));
    assertThat(server.get(GROUPS + "/g").object()).isEmpty();
    assertThat(groups()).extracting(each -> each.getString("name")).containsOnly("other");
    assertLeaseLost(held);
    assertThat(server.pop("q", "consumerGroup=g").messages()).hasSize(1);
    assertThat(server.pop("r", "consumerGroup=g").messages()).hasSize(1);
    assertThat(server.delete(GROUPS + "/nobody").object().getInteger("deletedPartitions")).isZero();
  }

  @Test
  void delete_ofOneQueue_leavesTheOthers() {
    server.push(item("q", "p", "1"), item("r", "p", "1"));
    server.pop("q", "consumerGroup=g&autoAck=true");
    server.pop("r", "consumerGroup=g&autoAck=true");

    JsonObject deleted = server.delete(GROUPS + "/g/queues/q").object();

    assertThat(deleted)
        .isEqualTo(
            new JsonObject(
                Map.of(
                    "success",
                    true,
                    "consumerGroup",
                    "g",
                    "queueName",
                    "q",
                    "deleted",
                    true,
                    "deletedPartitions",
                    1,
                    "metadataDeleted",
                    true)));
    assertThat(server.pop("q", "consumerGroup=g").messages()).hasSize(1);
    assertThat(server.pop("r", "consumerGroup=g").status()).isEqualTo(204);
  }

  @Test
  void deleteWithMetadata_letsTheGroupSubscribeAnew() {
    server.push(item("q", "p", "1"));
    server.pop("q", "consumerGroup=g&autoAck=true");
    server.delete(GROUPS + "/g?deleteMetadata=1");

    assertThat(server.pop("q", "consumerGroup=g&subscriptionMode=new").status()).isEqualTo(204);
    assertThat(group("g", "q").getString("subscriptionMode")).isEqualTo("new");
    server.push(item("q", "p", "2"));
    assertThat(server.pop("q", "consumerGroup=g").transactionIds()).containsExactly("2");
  }

  @Test
  void deleteWithoutMetadata_startsAgainFromTheOriginalSubscription() throws IOException {
    server.push(item("q", "p", "before"));
    server.pop("q", "consumerGroup=g&subscriptionMode=new");
    server.push(item("q", "p", "a"), item("q", "p", "b"), item("q", "late", "c"));
    String since = group("g", "q").getString("subscriptionTimestamp");
    server.pop("q", "consumerGroup=g&autoAck=true&batch=9&partitions=9");
    assertThat(group("g", "q").getInteger("totalLag")).isZero();

    server.delete(GROUPS + "/g/queues/q?deleteMetadata=false");

    JsonObject again = group("g", "q");
    assertThat(again.getString("subscriptionTimestamp")).isEqualTo(since);
    assertThat(again.getInteger("members")).isZero();
    assertThat(again.getInteger("totalLag")).isEqualTo(3);
    // Later parameters do not win over what is stored, and neither does a restart.
    server.close();
    server = RunningServer.on(database.endpoint());
    assertThat(
            server
                .pop("q", "consumerGroup=g&subscriptionMode=all&batch=9&partitions=9")
                .transactionIds())
        .containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  void moveSubscription_isForPartitionsThatTheGroupHasNotStarted() {
    server.pop("q", "consumerGroup=g&subscriptionFrom=2035-01-01T00:00:00Z");
    server.pop("r", "consumerGroup=g&subscriptionFrom=2035-01-01T00:00:00Z");
    server.push(item("q", "started", "1"));
    server.get("/api/v1/pop/queue/q/partition/started?consumerGroup=g");
    server.push(item("q", "fresh", "2"));
    assertThat(group("g", "q").getInteger("totalLag")).isZero();

    Answer moved =
        server.post(
            GROUPS + "/g/subscription",
            "{\"subscriptionTimestamp\":\"2020-01-01T01:00:00+01:00\"}");

    assertThat(moved.status()).isEqualTo(200);
    assertThat(moved.object())
        .isEqualTo(
            new JsonObject(
                Map.of(
                    "success",
                    true,
                    "consumerGroup",
                    "g",
                    "newTimestamp",
                    "2020-01-01T01:00:00+01:00",
                    "rowsUpdated",
                    2)));
    assertThat(group("g", "q").getString("subscriptionTimestamp"))
        .isEqualTo("2020-01-01T00:00:00.000Z");
    assertThat(server.pop("q", "consumerGroup=g&batch=9&partitions=9").transactionIds())
        .containsExactly("2");
    Answer none =
        server.post(GROUPS + "/nobody/subscription", "{\"subscriptionTimestamp\":\"2020-01-01\"}");
    assertThat(none.status()).isEqualTo(200);
    assertThat(none.object().getBoolean("success")).isTrue();
    assertThat(none.object().getInteger("rowsUpdated")).isZero();
  }

  @Test
  void seek_dropsLeases_andMovesEveryPartition() {
    server.push(item("q", "a", "1"), item("q", "a", "2"), item("q", "b", "1"));
    JsonObject held = server.pop("q", "consumerGroup=g").messages().get(0);

    JsonObject end = server.post(GROUPS + "/g/queues/q/seek", TO_END).object();

    assertThat(end)
        .isEqualTo(
            new JsonObject()
                .put("success", true)
                .put("consumerGroup", "g")
                .put("queueName", "q")
                .put("seekToEnd", true)
                .putNull("targetTimestamp")
                .put("partitionsUpdated", 2));
    assertLeaseLost(held);
    assertThat(group("g", "q").getInteger("totalLag")).isZero();
    server.push(item("q", "a", "3"));
    assertThat(server.pop("q", "consumerGroup=g").transactionIds()).containsExactly("3");

    JsonObject back = server.post(GROUPS + "/g/queues/q/seek", TO_START).object();
    assertThat(back.getBoolean("seekToEnd")).isFalse();
    assertThat(back.getString("targetTimestamp")).isEqualTo("2020-01-01T00:00:00.000Z");
    assertThat(group("g", "q").getInteger("totalLag")).isEqualTo(4);
    assertThat(server.pop("q", "consumerGroup=g&batch=9&partitions=9").messages()).hasSize(4);
  }

  @Test
  void seek_movesOneGroupOnly_andTheQueueModeToo() {
    server.push(item("q", "p", "1"));
    server.pop("q", "consumerGroup=g&autoAck=true");
    server.pop("q", "autoAck=true");

    server.post(GROUPS + "/__QUEUE_MODE__/queues/q/seek", TO_START);

    assertThat(server.pop("q", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(server.pop("q", "").transactionIds()).containsExactly("1");
  }

  @Test
  void seekOfOnePartition_leavesTheOthers() {
    server.push(item("q", "a", "1"), item("q", "b", "1"));
    List<JsonObject> held = server.pop("q", "consumerGroup=g&batch=9&partitions=9").messages();
    JsonObject a = held.get(held.get(0).getString("partition").equals("a") ? 0 : 1);

    JsonObject moved = server.post(GROUPS + "/g/queues/q/partitions/a/seek", "").object();

    assertThat(moved.fieldNames())
        .containsExactlyInAnyOrder(
            "success",
            "consumerGroup",
            "queueName",
            "partitionName",
            "updated",
            "cursorMovedTo",
            "seekToEnd",
            "targetTimestamp");
    assertThat(moved.getString("partitionName")).isEqualTo("a");
    assertThat(moved.getBoolean("updated")).isTrue();
    // Where the cursor is: behind the newest message, told by its time.
    assertThat(a.getString("createdAt"))
        .startsWith(moved.getString("cursorMovedTo").replace("Z", ""));
    assertLeaseLost(a);
    for (JsonObject other : held) {
      if (other.getString("partition").equals("b")) {
        assertThat(server.ack(other, "completed").array().getJsonObject(0).getBoolean("success"))
            .isTrue();
      }
    }
    JsonObject back = server.post(GROUPS + "/g/queues/q/partitions/a/seek", TO_START).object();
    assertThat(back.getString("cursorMovedTo")).isNull();
    assertThat(server.pop("q", "consumerGroup=g").transactionIds()).containsExactly("1");
    Answer unknown = server.post(GROUPS + "/g/queues/q/partitions/none/seek", "");
    assertThat(unknown.status()).isEqualTo(404);
    assertThat(unknown.object().getBoolean("success")).isFalse();
  }

  @Test
  void manyPartitions_areSoughtAndDeletedPageByPage() {
    server.push(
        IntStream.range(0, 2_500)
            .mapToObj(i -> item("q", "p" + i, "1"))
            .toArray(JsonObject[]::new));
    server.push(item("r", "p", "1"));
    server.pop("r", "consumerGroup=g");
    server.pop("q", "consumerGroup=g");

    assertThat(
            server
                .post(GROUPS + "/g/queues/q/seek", TO_END)
                .object()
                .getInteger("partitionsUpdated"))
        .isEqualTo(2_500);
    assertThat(group("g", "q").getInteger("totalLag")).isZero();
    assertThat(server.delete(GROUPS + "/g").object().getInteger("deletedPartitions"))
        .isEqualTo(2_501);
    assertThat(database.value("select count(*) from queen.cursors")).isEqualTo(0L);
  }

  private void assertLeaseLost(JsonObject message) {
    JsonObject answer = server.ack(message, "completed").array().getJsonObject(0);
    assertThat(answer.getBoolean("success")).isFalse();
    assertThat(answer.getString("error")).isEqualTo("Invalid or expired lease");
  }
}
