package dev.queenmq.server.upkeep;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What eviction promises, sentence by sentence, over real HTTP. */
class EvictionIT extends UpkeepFixture {
  @Test
  void eviction_takesFromTheSlowGroupOnly() {
    server.configure("e1", new JsonObject().put("maxWaitTimeSeconds", 60));
    push("e1", "p", "a", "b");
    push("e1", "p", "c");
    take("e1", "slow", 1);
    take("e1", "done", 3);
    makeOlder("e1", "p", 2, 61);

    run("eviction");

    assertThat(stored("e1")).isEqualTo(3);
    assertThat(pop("e1", "consumerGroup=slow&batch=10").transactionIds()).containsExactly("c");
    // A group that comes only now has missed nothing: what is stored is to be had.
    assertThat(pop("e1", "consumerGroup=fresh&batch=10").transactionIds())
        .containsExactly("a", "b", "c");
    assertThat(removed("e1")).isEqualTo("0/0/1");
    assertThat(deadLetters("e1")).isZero();
    assertThat(group("slow", "e1").getInteger("totalConsumed")).isEqualTo(1);
  }

  @Test
  void eviction_respectsALiveLease_butNotWhatIsBehindIt() {
    server.configure("e2", new JsonObject().put("maxWaitTimeSeconds", 60));
    push("e2", "p", "a", "b", "c", "d");
    push("e2", "p", "e");
    List<JsonObject> held = pop("e2", "consumerGroup=g&batch=2").messages();
    makeOlder("e2", "p", 4, 61);

    run("eviction");
    assertThat(removed("e2")).isEqualTo("0/0/2");

    Answer acked = server.ackAll(held, "completed");
    assertThat(acked.array().stream().map(JsonObject.class::cast))
        .allMatch(each -> each.getBoolean("success"));
    assertThat(pop("e2", "consumerGroup=g&batch=10").transactionIds()).containsExactly("e");
  }

  @Test
  void eviction_takesWhatAnExpiredLeaseCovered() {
    server.configure("e3", new JsonObject().put("maxWaitTimeSeconds", 60));
    push("e3", "p", "a", "b");
    push("e3", "p", "c");
    List<JsonObject> held = pop("e3", "consumerGroup=g&batch=2").messages();
    makeOlder("e3", "p", 2, 61);
    expireLeases("e3");

    run("eviction");
    assertThat(removed("e3")).isEqualTo("0/0/2");

    assertThat(server.ack(held.get(0), "completed").body()).contains("Invalid or expired lease");
    // By name: the broker was not told that we have moved the lease's end.
    assertThat(
            server
                .get("/api/v1/pop/queue/e3/partition/p?consumerGroup=g&batch=10")
                .transactionIds())
        .containsExactly("c");
  }

  @Test
  void eviction_copiesToTheDeadLetters_ifTheQueueSaysSo_inBoundedSteps() throws IOException {
    server.configure(
        "e4", new JsonObject().put("maxWaitTimeSeconds", 60).put("deadLetterQueue", true));
    String[] ids = IntStream.range(0, 3_000).mapToObj(i -> "t" + i).toArray(String[]::new);
    push("e4", "p", ids);
    List<JsonObject> failing = pop("e4", "consumerGroup=g&batch=1").messages();
    server.ack(failing.get(0), "failed");
    take("e4", "other", 3_000);
    makeOlder("e4", "p", 3_000, 61);

    run("eviction");
    assertThat(removed("e4")).isEqualTo("0/0/3000");

    assertThat(
            database.query(
                "select consumer_group, error_message, count(*), sum(retry_count)::int, "
                    + "count(distinct transaction_id), min(payload) from queen.dead_letters"
                    + " where queue_id = (select id from queen.queues where name = 'e4')"
                    + " group by 1, 2"))
        .singleElement()
        .satisfies(
            row -> {
              assertThat(row.getString(0)).isEqualTo("g");
              assertThat(row.getString(1)).isEqualTo("Evicted (maxWaitTimeSeconds)");
              assertThat(row.getLong(2)).isEqualTo(3_000);
              assertThat(row.getInteger(3)).isEqualTo(1);
              assertThat(row.getLong(4)).isEqualTo(3_000);
              assertThat(row.getString(5)).isEqualTo("{\"of\":\"t0\"}");
            });
    assertThat(pop("e4", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(database.value("select max(events) from queen.upkeep_removed where queue = 'e4'"))
        .isNotEqualTo(1);
  }

  @Test
  void eviction_ofAGroupThatHasOnlySubscribed() {
    server.configure("e5", new JsonObject().put("maxWaitTimeSeconds", 60));
    server.pop("e5", "consumerGroup=g");
    push("e5", "p", "a");
    makeOlder("e5", "p", 1, 61);
    push("e5", "p", "b");

    run("eviction");
    assertThat(removed("e5")).isEqualTo("0/0/1");

    assertThat(pop("e5", "consumerGroup=g&batch=5").transactionIds()).containsExactly("b");
  }

  @Test
  void eviction_removesUnreadMessages_asWholeSegments() {
    server.configure("e6", new JsonObject().put("maxWaitTimeSeconds", 60));
    push("e6", "p", "a", "b");
    push("e6", "p", "c");
    makeOlder("e6", "p", 2, 61);

    run("eviction");
    assertThat(removed("e6")).isEqualTo("0/0/2");

    assertThat(stored("e6")).isEqualTo(1);
  }

  private static void expireLeases(String queue) {
    database.query(
        "update queen.cursors c set lease_expires_at = clock_timestamp() - interval '1 s'"
            + " from queen.partitions p where lease_id is not null and p.id = c.partition_id and "
            + ofQueue(queue));
  }

  private static JsonObject group(String group, String queue) {
    return server
        .get("/api/v1/consumer-groups/" + group)
        .object()
        .getJsonObject(queue)
        .getJsonArray("partitions")
        .stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("partition").equals("p"))
        .findFirst()
        .orElseThrow();
  }
}
