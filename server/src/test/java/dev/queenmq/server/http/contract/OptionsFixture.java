package dev.queenmq.server.http.contract;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server for tests of the options of queues. Each test has queues of its own. */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class OptionsFixture {
  static final String POPS = "queen_sidecar_calls_total{op=\"pop\"}";
  TestDatabase database;
  RunningServer server;

  @BeforeAll
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  void configure(String queue, String namespace, String task, JsonObject options) {
    server.post(
        "/api/v1/configure",
        new JsonObject()
            .put("queue", queue)
            .put("namespace", namespace)
            .put("task", task)
            .put("options", options));
  }

  Answer named(String queue, String partition, String query) {
    return server.get("/api/v1/pop/queue/" + queue + "/partition/" + partition + "?" + query);
  }

  static List<String> statuses(Answer pushed) {
    return pushed.array().stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }

  static JsonObject options(Answer configured) {
    return configured.object().getJsonObject("options");
  }

  /** Time passes for the messages of a queue. */
  void makeOlder(String queue, int seconds) {
    database.query(
        """
        update queen.segments s set created_at = s.created_at - interval '%2$d seconds'
        from queen.partitions p join queen.queues q on q.id = p.queue_id
        where p.id = s.partition_id and q.name = '%1$s';
        update queen.partitions p set last_append_at = p.last_append_at - interval '%2$d seconds'
        from queen.queues q where q.id = p.queue_id and q.name = '%1$s';
        """
            .formatted(queue, seconds));
  }

  static final String CURSORS =
      " from queen.cursors c join queen.partitions p on p.id = c.partition_id"
          + " join queen.queues q on q.id = p.queue_id where q.name = '%s'";

  long deadLetters(String queue) {
    return (Long)
        database.value(
            "select count(*) from queen.dead_letters d join queen.queues q on q.id = d.queue_id"
                + " where q.name = '%s'".formatted(queue));
  }
}
