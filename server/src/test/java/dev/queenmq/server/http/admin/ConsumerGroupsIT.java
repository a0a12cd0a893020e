package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the contract tells about consumer groups, sentence by sentence, over real HTTP. */
class ConsumerGroupsIT extends ConsumerGroupsFixture {
  private static final String MOMENT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  @Test
  void withoutGroups_everythingIsEmptyJson() {
    assertThat(server.get(GROUPS).body()).isEqualTo("[]");
    assertThat(server.get(GROUPS + "/lagging").body()).isEqualTo("[]");
    Answer unknown = server.get(GROUPS + "/unknown");
    assertThat(unknown.status()).isEqualTo(200);
    assertThat(unknown.body()).isEqualTo("{}");
  }

  @Test
  void list_hasOneElementPerGroupAndQueue_sorted() {
    server.push(item("b", "p", "1"), item("a", "p", "1"), item("a", "r", "1"));
    server.pop("b", "consumerGroup=mailer");
    server.pop("a", "consumerGroup=mailer");
    server.pop("a", "consumerGroup=Zoo");
    server.pop("a", "");

    List<JsonObject> groups = groups();

    assertThat(groups)
        .extracting(each -> each.getString("name") + " " + each.getString("queueName"))
        .containsExactly("Zoo a", "__QUEUE_MODE__ a", "mailer a", "mailer b");
    JsonObject mailer = groups.get(2);
    assertThat(mailer.fieldNames())
        .containsExactlyInAnyOrder(
            "name",
            "topics",
            "queueName",
            "members",
            "activeLeases",
            "partitionsWithLag",
            "totalLag",
            "maxTimeLag",
            "state",
            "paused",
            "statsAge",
            "subscriptionMode",
            "subscriptionTimestamp",
            "subscriptionCreatedAt");
    assertThat(mailer.getJsonArray("topics")).isEqualTo(new JsonArray().add("a"));
    assertThat(mailer.getInteger("members")).isEqualTo(1);
    assertThat(mailer.getInteger("activeLeases")).isEqualTo(1);
    assertThat(mailer.getInteger("partitionsWithLag")).isEqualTo(2);
    assertThat(mailer.getInteger("totalLag")).isEqualTo(2);
  }

  @Test
  void subscription_isListed_fromTheFirstContactOn() {
    server.pop("unborn", "consumerGroup=new&subscriptionMode=new");
    server.pop("unborn", "consumerGroup=all");
    server.pop("unborn", "consumerGroup=from&subscriptionFrom=2026-01-02T03:04:05.678Z");
    server.push(item("q", "p", "1"));
    server.pop("q", "");

    JsonObject fresh = group("new", "unborn");
    assertThat(fresh.getString("subscriptionMode")).isEqualTo("new");
    assertThat(fresh.getString("subscriptionTimestamp"))
        .matches(MOMENT)
        .isEqualTo(fresh.getString("subscriptionCreatedAt"));
    assertThat(fresh.getString("state")).isEqualTo("Stable");
    assertThat(fresh.getInteger("members")).isZero();
    JsonObject all = group("all", "unborn");
    assertThat(all.getString("subscriptionMode")).isEqualTo("all");
    assertThat(all.getString("subscriptionTimestamp")).isNull();
    JsonObject from = group("from", "unborn");
    assertThat(from.getString("subscriptionMode")).isEqualTo("timestamp");
    assertThat(from.getString("subscriptionTimestamp")).isEqualTo("2026-01-02T03:04:05.678Z");
    JsonObject queueMode = group("__QUEUE_MODE__", "q");
    assertThat(queueMode.getString("subscriptionMode")).isNull();
    assertThat(queueMode.getString("subscriptionTimestamp")).isNull();
    assertThat(queueMode.getString("subscriptionCreatedAt")).isNull();
  }

  @Test
  void state_isLaggingStableOrDead() {
    server.push(item("q", "p", "1"), item("q", "p", "2"));
    List<JsonObject> batch = server.pop("q", "consumerGroup=g&batch=2").messages();
    // Its first contact was just now, and it holds a lease.
    assertThat(group("g", "q").getString("state")).isEqualTo("Stable");
    database.query("update queen.subscriptions set created_at = created_at - interval '301 s'");
    assertThat(group("g", "q").getString("state")).isEqualTo("Stable");
    server.pop("unborn", "consumerGroup=idle");
    assertThat(group("idle", "unborn").getString("state")).isEqualTo("Stable");
    database.query("update queen.subscriptions set created_at = created_at - interval '301 s'");
    assertThat(group("idle", "unborn").getString("state")).isEqualTo("Dead");

    server.ack(batch.get(0), "completed");
    assertThat(group("g", "q").getString("state")).isEqualTo("Stable");

    makeOlder(301);
    JsonObject late = group("g", "q");
    assertThat(late.getString("state")).isEqualTo("Lagging");
    assertThat(late.getInteger("maxTimeLag")).isBetween(301, 900);
    server.ack(batch.get(1), "completed");
    JsonObject done = group("g", "q");
    assertThat(done.getString("state")).isEqualTo("Stable");
    assertThat(done.getInteger("maxTimeLag")).isZero();
    assertThat(done.getInteger("totalLag")).isZero();
  }

  @Test
  void lagging_tellsTheWorstFirst_andOnlyThoseAboveTheLimit() {
    server.push(item("q", "old", "1"), item("q", "old", "2"));
    server.pop("q", "consumerGroup=g&autoAck=true");
    makeOlder(7_200);
    server.push(item("q", "young", "1"));
    makeOlder(100);
    List<JsonObject> held = server.pop("q", "consumerGroup=g").messages();

    List<JsonObject> all = objects(server.get(GROUPS + "/lagging?minLagSeconds=50"));
    assertThat(all)
        .extracting(each -> each.getString("partition_name"))
        .containsExactly("old", "young");
    assertThat(objects(server.get(GROUPS + "/lagging?minLagSeconds=50&limit=1"))).hasSize(1);
    List<JsonObject> worst = objects(server.get(GROUPS + "/lagging"));
    assertThat(worst).hasSize(1);
    JsonObject row = worst.get(0);
    assertThat(row.fieldNames())
        .containsExactlyInAnyOrder(
            "consumer_group",
            "queue_name",
            "partition_name",
            "partition_id",
            "worker_id",
            "offset_lag",
            "time_lag_seconds",
            "lag_hours",
            "oldest_unconsumed_at",
            "last_consumed_at");
    assertThat(row.getString("consumer_group")).isEqualTo("g");
    assertThat(row.getString("queue_name")).isEqualTo("q");
    assertThat(row.getString("partition_id")).isEqualTo(held.get(0).getString("partitionId"));
    assertThat(row.getString("worker_id")).isEqualTo(held.get(0).getString("leaseId"));
    assertThat(row.getInteger("offset_lag")).isEqualTo(1);
    assertThat(row.getInteger("time_lag_seconds")).isBetween(7_300, 7_900);
    assertThat(row.getDouble("lag_hours")).isBetween(2.02, 2.2);
    assertThat(row.getString("oldest_unconsumed_at")).matches(MOMENT);
    assertThat(row.getString("last_consumed_at")).matches(MOMENT);
    int lag = row.getInteger("time_lag_seconds");
    assertThat(objects(server.get(GROUPS + "/lagging?minLagSeconds=" + (lag + 100)))).isEmpty();
    for (String bad : List.of("soon", "-1", "1.5", "99999999999")) {
      Answer refused = server.get(GROUPS + "/lagging?minLagSeconds=" + bad);
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error())
          .isEqualTo("minLagSeconds must be a whole number between 0 and 2147483647");
    }
    assertThat(server.get(GROUPS + "/lagging?limit=0").error())
        .isEqualTo("limit must be a whole number between 1 and 10000");
    assertThat(server.get(GROUPS + "/lagging?limit=10001").status()).isEqualTo(400);
  }

  @Test
  void group_tellsEachPartitionOfItsQueues() {
    server.push(item("q", "a", "1"), item("q", "a", "2"), item("q", "a", "3"), item("q", "b", "1"));
    server.push(item("other", "x", "1"));
    server.get("/api/v1/pop/queue/q/partition/a?consumerGroup=g&autoAck=true");
    List<JsonObject> held =
        server.get("/api/v1/pop/queue/q/partition/a?consumerGroup=g").messages();
    server.pop("other", "consumerGroup=g&autoAck=true");

    JsonObject queues = server.get(GROUPS + "/g").object();

    assertThat(queues.fieldNames()).containsExactlyInAnyOrder("q", "other");
    JsonArray partitions = queues.getJsonObject("q").getJsonArray("partitions");
    assertThat(partitions).hasSize(1);
    JsonObject a = partitions.getJsonObject(0);
    assertThat(a.fieldNames())
        .containsExactlyInAnyOrder(
            "partition",
            "workerId",
            "lastConsumedAt",
            "totalConsumed",
            "offsetLag",
            "timeLagSeconds",
            "leaseActive");
    assertThat(a.getString("partition")).isEqualTo("a");
    assertThat(a.getString("workerId")).isEqualTo(held.get(0).getString("leaseId"));
    assertThat(a.getBoolean("leaseActive")).isTrue();
    assertThat(a.getInteger("totalConsumed")).isEqualTo(1);
    assertThat(a.getInteger("offsetLag")).isEqualTo(2);
    assertThat(a.getString("lastConsumedAt")).matches(MOMENT);
    server.ackAll(held, "completed");
    JsonObject x =
        server
            .get(GROUPS + "/g")
            .object()
            .getJsonObject("other")
            .getJsonArray("partitions")
            .getJsonObject(0);
    assertThat(x.getInteger("offsetLag")).isZero();
    assertThat(x.getInteger("timeLagSeconds")).isZero();
    assertThat(x.getString("workerId")).isNull();
    assertThat(x.getBoolean("leaseActive")).isFalse();
  }

  @Test
  void names_areDecoded() {
    server.push(item("a b", "c/d", "1"));
    server.pop("a b", "consumerGroup=e%20f");
    String group = GROUPS + "/e%20f";

    assertThat(server.get(group).object().containsKey("a b")).isTrue();
    assertThat(
            server
                .post(group + "/queues/a%20b/partitions/c%2Fd/seek", "{}")
                .object()
                .getBoolean("updated"))
        .isTrue();
    assertThat(server.delete(group + "/queues/a%20b").object().getInteger("deletedPartitions"))
        .isEqualTo(1);
  }

  @Test
  void queueMode_alwaysStartsAtTheOldest_andCountsAllOfItsQueue() {
    server.push(item("q", "p", "1"));
    assertThat(server.pop("q", "subscriptionMode=new&autoAck=true").transactionIds())
        .containsExactly("1");
    server.push(item("q", "unread", "2"), item("q", "unread", "3"));

    JsonObject queueMode = group("__QUEUE_MODE__", "q");

    assertThat(queueMode.getInteger("members")).isEqualTo(1);
    assertThat(queueMode.getInteger("totalLag")).isEqualTo(2);
  }

  /** Time passes for all that is stored. */
  private void makeOlder(int seconds) {
    database.query(
        "update queen.segments set created_at = created_at - interval '%1$d seconds'; update queen.partitions set last_append_at = last_append_at - interval '%1$d seconds'"
            .formatted(seconds));
  }
}
