package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A server for tests of the conformance checklist of the HTTP contract (the number of its row
 * stands in each name), and a queue for each of them. Black box: real HTTP, a real database.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ContractFixture {
  /** Of the cursors, those of a queue. */
  public static final String OF_QUEUE =
      " where (shard, partition_id) in (select p.shard, p.id from queen.partitions p"
          + " join queen.queues q on q.id = p.queue_id where q.name = '%s')";

  TestDatabase database;
  RunningServer server;
  String q;
  private int queues;

  @BeforeAll
  public void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
  }

  @BeforeEach
  public void nextQueue() {
    q = "q" + queues++;
  }

  @AfterAll
  public void stop() throws IOException {
    server.close();
  }

  /** Ends the leases of a queue, as if their time had passed. */
  public void endLeases(String queue) {
    database.query(
        "update queen.cursors set lease_expires_at = clock_timestamp() - interval '1 second'"
            + OF_QUEUE.formatted(queue)
            + " and lease_id is not null");
  }

  public static void assertFields(JsonObject object, String... names) {
    assertThat(object.fieldNames()).containsExactlyInAnyOrder(names);
  }

  public Answer transaction(JsonObject... operations) {
    return server.post(
        "/api/v1/transaction",
        new JsonObject().put("operations", new JsonArray(List.of(operations))));
  }

  public static JsonObject push(String queue, String transactionId) {
    return new JsonObject()
        .put("type", "push")
        .put("items", new JsonArray().add(item(queue, "p", transactionId)));
  }
}
