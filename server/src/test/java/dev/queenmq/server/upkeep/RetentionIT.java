package dev.queenmq.server.upkeep;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What retention promises, and what else upkeep removes, over real HTTP. */
class RetentionIT extends UpkeepFixture {
  @Test
  void retention_removesWhatIsOlder_readOrNot() {
    retain("r1", new JsonObject().put("retentionSeconds", 60));
    push("r1", "p", "a", "b");
    push("r1", "p", "c");
    push("r1", "other", "d");
    makeOlder("r1", "p", 2, 61);

    run("retention");

    assertThat(removed("r1")).isEqualTo("2/0/0");
    assertThat(pop("r1", "consumerGroup=g&batch=10&partitions=10").transactionIds())
        .containsExactlyInAnyOrder("c", "d");
    assertThat(stored("r1")).isEqualTo(2);
  }

  @Test
  void retention_needsItsSwitch() {
    server.configure("r2", new JsonObject().put("retentionSeconds", 1));
    push("r2", "p", "a");
    makeOlder("r2", "p", 1, 1_000_000);

    run("retention");

    assertThat(stored("r2")).isEqualTo(1);
  }

  @Test
  void completed_waitsForTheSlowestGroup_andForWholeSegments() {
    retain("c1", new JsonObject().put("completedRetentionSeconds", 60));
    push("c1", "p", "a", "b");
    push("c1", "p", "c", "d");
    makeOlder("c1", "p", 4, 61);
    take("c1", "fast", 4);
    take("c1", "slow", 1);

    run("retention");
    assertThat(stored("c1")).isEqualTo(4);

    // The first segment is done by all, the second by half.
    take("c1", "slow", 2);
    run("retention");
    assertThat(stored("c1")).isEqualTo(2);
    assertThat(removed("c1")).isEqualTo("0/2/0");

    take("c1", "slow", 1);
    run("retention");
    assertThat(stored("c1")).isZero();
    assertThat(removed("c1")).isEqualTo("0/4/0");
  }

  @Test
  void completed_leavesYoungMessages_andPartitionsWithoutReaders() {
    retain("c2", new JsonObject().put("completedRetentionSeconds", 60));
    push("c2", "read", "a");
    push("c2", "unread", "b");
    makeOlder("c2", "unread", 1, 1_000);
    assertThat(
            server
                .get("/api/v1/pop/queue/c2/partition/read?autoAck=true&consumerGroup=g")
                .transactionIds())
        .containsExactly("a");

    run("retention");

    assertThat(stored("c2")).isEqualTo(2);
  }

  @Test
  void completed_waitsForAGroupThatHasOnlySubscribed() {
    retain("c3", new JsonObject().put("completedRetentionSeconds", 60));
    server.pop("c3", "consumerGroup=late");
    push("c3", "p", "a");
    makeOlder("c3", "p", 1, 61);
    take("c3", "g", 1);

    run("retention");
    assertThat(stored("c3")).isEqualTo(1);

    take("c3", "late", 1);
    run("retention");
    assertThat(stored("c3")).isZero();
  }

  @Test
  void completed_doesNotWaitForAGroupThatStartsBehind() {
    retain("c4", new JsonObject().put("completedRetentionSeconds", 60));
    push("c4", "p", "a");
    makeOlder("c4", "p", 1, 61);
    take("c4", "g", 1);
    server.pop("c4", "consumerGroup=new&subscriptionMode=new");

    run("retention");

    assertThat(stored("c4")).isZero();
  }

  /** Consumers without a group leave no subscription; a new partition is theirs all the same. */
  @Test
  void completed_waitsForConsumersWithoutAGroup_alsoWhereTheyHaveNotBeen() {
    retain("c5", new JsonObject().put("completedRetentionSeconds", 60));
    push("c5", "z", "a");
    take("c5", "", 1);
    push("c5", "b", "b");
    makeOlder("c5", "b", 1, 61);
    assertThat(
            server
                .get("/api/v1/pop/queue/c5/partition/b?autoAck=true&consumerGroup=g")
                .transactionIds())
        .containsExactly("b");

    run("retention");
    assertThat(stored("c5")).isEqualTo(2);

    take("c5", "", 1);
    run("retention");
    assertThat(stored("c5")).isEqualTo(1);
  }

  @Test
  void ack_ofWhatRetentionRemoved_saysSo_andFreesTheLease() {
    retain("a1", new JsonObject().put("retentionSeconds", 60));
    push("a1", "p", "a");
    push("a1", "p", "b");
    List<JsonObject> held = pop("a1", "batch=1").messages();
    makeOlder("a1", "p", 1, 61);
    run("retention");

    JsonObject result = server.ack(held.get(0), "completed").array().getJsonObject(0);

    assertThat(result.getBoolean("success")).isFalse();
    assertThat(result.getString("error")).contains("not found");
    assertThat(pop("a1", "batch=5").transactionIds()).containsExactly("b");
  }

  @Test
  void ack_ofABatchThatRetentionHalved_countsForTheRest() {
    retain("a2", new JsonObject().put("retentionSeconds", 60));
    push("a2", "p", "a");
    push("a2", "p", "b");
    push("a2", "p", "c");
    List<JsonObject> held = pop("a2", "batch=2").messages();
    makeOlder("a2", "p", 1, 61);
    run("retention");

    JsonArray results = server.ackAll(held, "completed").array();

    assertThat(results.getJsonObject(0).getBoolean("success")).isFalse();
    assertThat(results.getJsonObject(1).getBoolean("success")).isTrue();
    assertThat(pop("a2", "batch=5").transactionIds()).containsExactly("c");
  }

  @Test
  void deduplication_forgetsWithTheMessage_andGoesOn() {
    retain("d1", new JsonObject().put("retentionSeconds", 60).put("dedupWindowSeconds", -1));
    push("d1", "p", "a");
    assertThat(push("d1", "p", "a").body()).contains("duplicate");
    makeOlder("d1", "p", 1, 61);
    run("retention");

    assertThat(push("d1", "p", "a").body()).contains("queued");
    assertThat(push("d1", "p", "a").body()).contains("duplicate");
    assertThat(pop("d1", "batch=5").transactionIds()).containsExactly("a");
  }

  @Test
  void partitionsThatRetentionEmptied_doNotHideOthers() {
    retain("g1", new JsonObject().put("retentionSeconds", 60));
    JsonObject[] items =
        IntStream.range(0, 50).mapToObj(i -> item("g1", "p" + i, "a")).toArray(JsonObject[]::new);
    server.push(items);
    pop("g1", "consumerGroup=g");
    push("g1", "last", "z");
    database.query(
        "update queen.segments s set created_at = s.created_at - interval '61 s' from"
            + " queen.partitions p where p.id = s.partition_id and p.name <> 'last' and "
            + ofQueue("g1"));
    run("retention");

    assertThat(pop("g1", "consumerGroup=g&wait=true&timeout=20000").transactionIds())
        .containsExactly("z");
    assertThat(pop("g1", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(server.get("/api/v1/resources/queues/g1").object().toString())
        .contains("\"total\":1");
  }

  @Test
  void unusedPartitions_areRemoved_othersStay() {
    push("u", "empty", "a");
    push("u", "full", "a");
    push("u", "young", "a");
    push("u", "dead", "a");
    push("u", "met", "a");
    retain("u", new JsonObject().put("retentionSeconds", 60));
    pop("u", "consumerGroup=g&partitions=10&batch=10&autoAck=true");
    database.query(
        "insert into queen.dead_letters select 0, p.id, 'g', 0, p.queue_id, gen_random_uuid(), 'a',"
            + " '1', false, null, null, null, 0, now(), now() from queen.partitions p where p.name"
            + " = 'dead' and "
            + ofQueue("u"));
    database.query(
        "update queen.segments s set created_at = s.created_at - interval '61 s' from"
            + " queen.partitions p where p.id = s.partition_id and p.name <> 'full' and "
            + ofQueue("u"));
    run("retention");
    database.query(
        "update queen.partitions p set created_at = created_at - interval '31 d',"
            + " last_append_at = last_append_at - interval '31 d' where p.name <> 'young' and "
            + ofQueue("u"));
    database.query(
        "update queen.cursors c set opened_at = c.opened_at - interval '31 d', last_consumed_at ="
            + " c.last_consumed_at - interval '31 d' from queen.partitions p"
            + " where p.id = c.partition_id and p.name <> 'met' and "
            + ofQueue("u"));

    run("partitions");

    assertThat(
            database.value(
                "select string_agg(name, ' ' order by name) from queen.partitions p where "
                    + ofQueue("u")))
        .isEqualTo("dead full met young");
    assertThat(
            server
                .get("/api/v1/analytics/queue-ops?queue=u")
                .object()
                .getJsonArray("series")
                .stream()
                .mapToInt(each -> ((JsonObject) each).getInteger("partitionsDeleted"))
                .sum())
        .as("empty, and the one that every configured queue has")
        .isEqualTo(2);
    // By an id that the broker still remembers.
    assertThat(push("u", "empty", "b").body()).contains("queued");
    assertThat(
            server
                .get("/api/v1/pop/queue/u/partition/empty?consumerGroup=g&batch=5")
                .transactionIds())
        .containsExactly("b");
  }

  /** The next partition of its name would have another id, and its totals would start at zero. */
  @Test
  void unusedPartition_staysAsLongAsAStreamHasStateForIt() {
    retain("st", new JsonObject().put("retentionSeconds", 60));
    push("st", "counted", "a");
    push("st", "flushed", "a");
    String query = register(new JsonObject().put("config_hash", "v1"));
    cycle(query, "counted", new JsonObject().put("type", "upsert").put("key", "sum"));
    cycle(query, "flushed", new JsonObject().put("type", "upsert").put("key", "sum"));
    cycle(query, "flushed", new JsonObject().put("type", "delete").put("key", "sum"));
    database.query(
        "update queen.segments s set created_at = s.created_at - interval '61 s' from"
            + " queen.partitions p where p.id = s.partition_id and "
            + ofQueue("st"));
    run("retention");
    database.query(
        "update queen.partitions p set created_at = created_at - interval '31 d',"
            + " last_append_at = last_append_at - interval '31 d' where "
            + ofQueue("st"));

    run("partitions");
    assertThat(partitions("st")).isEqualTo("counted");

    register(new JsonObject().put("config_hash", "v2").put("reset", true));
    run("partitions");
    assertThat(partitions("st")).isNull();
  }

  private static String register(JsonObject how) {
    return server
        .post("/streams/v1/queries", how.put("name", "totals").put("source_queue", "st"))
        .object()
        .getString("query_id");
  }

  private static void cycle(String query, String partition, JsonObject operation) {
    Answer answer =
        server.post(
            "/streams/v1/cycle",
            new JsonObject()
                .put("query_id", query)
                .put(
                    "partition_id",
                    database
                        .value(
                            "select p.id from queen.partitions p where p.name = '"
                                + partition
                                + "' and "
                                + ofQueue("st"))
                        .toString())
                .put("state_ops", new JsonArray().add(operation)));
    assertThat(answer.object().getBoolean("success")).as(answer.body()).isTrue();
  }

  private static @Nullable Object partitions(String queue) {
    return database.value(
        "select string_agg(name, ' ' order by name) from queen.partitions p where "
            + ofQueue(queue));
  }

  @Test
  void orphans_deadLettersAndHistory_areRemoved() {
    push("o", "p", "a");
    pop("o", "consumerGroup=g");
    database.query("delete from queen.queues where name = 'o'");
    push("o2", "p", "a", "b");
    server.ackAll(pop("o2", "consumerGroup=g&batch=2").messages(), "dlq");
    database.query(
        "update queen.dead_letters set failed_at = failed_at - interval '31 d'"
            + " where transaction_id = 'a' and "
            + "queue_id = (select id from queen.queues where name = 'o2')");
    run("orphans");

    assertThat(run("dead-letters").getLong("removed")).isEqualTo(1);

    assertThat(deadLetters("o2")).isEqualTo(1);
    assertThat(run("orphans").getLong("removed")).isZero();
    assertThat(
            database.value(
                "select count(*) from queen.segments s where not exists"
                    + " (select from queen.partitions p where p.id = s.partition_id)"))
        .isEqualTo(0L);
    database.query(
        "insert into queen.upkeep_runs values (gen_random_uuid(), 'orphans', 'x',"
            + " now() - interval '8 d', now() - interval '8 d', 0, null)");
    assertThat(run("history").getLong("removed")).isEqualTo(1);
  }

  private static void retain(String queue, JsonObject options) {
    server.configure(queue, options.put("retentionEnabled", true));
  }
}
