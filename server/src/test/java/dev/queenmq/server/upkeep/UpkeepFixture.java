package dev.queenmq.server.upkeep;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;

/** A server whose upkeep runs when a test says so, and messages that become older. */
@ExtendWith(PostgresExtension.class)
@ResourceLock("dev.queenmq.server.upkeep.UpkeepFixture")
abstract class UpkeepFixture {
  private static final String DAY = "86400000";

  static TestDatabase database;
  static RunningServer server;

  @BeforeAll
  static void start(TestDatabase fresh) {
    database = fresh;
    server =
        RunningServer.on(
            fresh.endpoint(),
            Map.of(
                "RETENTION_INTERVAL", DAY,
                "EVICTION_INTERVAL", DAY,
                "QUEEN_CLEANUP_INTERVAL_MS", DAY));
    // What a broker would do by itself soon after its start is done, and not due again.
    for (UpkeepJob job : UpkeepJob.values()) {
      run(job.label());
    }
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  static JsonObject run(String job) {
    Answer answer = server.post("/api/v1/system/upkeep/" + job + "/run?wait=60000", "");
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.object();
  }

  /** In one request, so in one segment as long as they are few. */
  static Answer push(String queue, String partition, String... ids) {
    JsonObject[] items = new JsonObject[ids.length];
    for (int i = 0; i < ids.length; i++) {
      items[i] = item(queue, partition, ids[i]);
    }
    return server.push(items);
  }

  static Answer pop(String queue, String query) {
    return server.pop(queue, query);
  }

  static void take(String queue, String group, int count) {
    int left = count;
    while (left > 0) {
      List<JsonObject> taken =
          pop(queue, "consumerGroup=" + group + "&autoAck=true&batch=" + left).messages();
      assertThat(taken).isNotEmpty();
      left -= taken.size();
    }
  }

  /** The first messages of a partition, up to this number. */
  static void makeOlder(String queue, String partition, int below, int seconds) {
    database.query(
        "update queen.segments s set created_at = s.created_at - interval '%d s' from queen.partitions p"
                .formatted(seconds)
            + " where p.id = s.partition_id and s.base_offset < %d and p.name = '%s' and "
                .formatted(below, partition)
            + ofQueue(queue));
  }

  static String ofQueue(String queue) {
    return "p.queue_id = (select id from queen.queues where name = '" + queue + "')";
  }

  static long stored(String queue) {
    return (long)
        database.value(
            "select coalesce(sum(s.message_count), 0) from queen.segments s"
                + " join queen.partitions p on p.id = s.partition_id where "
                + ofQueue(queue));
  }

  static long deadLetters(String queue) {
    return (long)
        database.value("select count(*) from queen.dead_letters p where " + ofQueue(queue));
  }

  /** What the history says, by the three rules. */
  static String removed(String queue) {
    JsonObject totals =
        server.get("/api/v1/analytics/retention?queue=" + queue).object().getJsonObject("totals");
    return totals.getLong("retentionMsgs")
        + "/"
        + totals.getLong("completedRetentionMsgs")
        + "/"
        + totals.getLong("evictionMsgs");
  }
}
