package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Figures that operators see, after traffic that is known to the message. */
@ExtendWith(PostgresExtension.class)
class FiguresIT {
  private TestDatabase database;
  private RunningServer server;

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /**
   * Ten messages, six and four by partition. In the first, one group has two done and one in work,
   * and another has all done.
   */
  private void traffic() {
    server.post("/api/v1/configure", "{\"queue\":\"q\",\"namespace\":\"n\",\"task\":\"t\"}");
    server.push(
        IntStream.range(0, 10)
            .mapToObj(i -> item("q", i < 6 ? "one" : "two", "t" + i))
            .toArray(JsonObject[]::new));
    List<JsonObject> some = pop("one", 3, "g");
    server.ackAll(some.subList(0, 2), "completed");
    server.ackAll(pop("one", 10, "h"), "completed");
  }

  private List<JsonObject> pop(String partition, int batch, String group) {
    Answer answer =
        server.get(
            "/api/v1/pop/queue/q/partition/%s?batch=%d&consumerGroup=%s"
                .formatted(partition, batch, group));
    return answer.messages();
  }

  private JsonObject resource(String path) {
    return server.get("/api/v1/resources/" + path).object();
  }

  private static JsonObject only(JsonObject answer, String list) {
    JsonArray array = answer.getJsonArray(list);
    assertThat(array).hasSize(1);
    return array.getJsonObject(0);
  }

  @Test
  void pending_isTheSameOnEveryPage() {
    traffic();

    JsonObject listed = only(resource("queues"), "queues").getJsonObject("messages");
    JsonObject totals = resource("queues/q").getJsonObject("totals");
    JsonObject overview = resource("overview").getJsonObject("messages");
    JsonObject namespace = only(resource("namespaces"), "namespaces").getJsonObject("messages");
    JsonObject task = only(resource("tasks"), "tasks").getJsonObject("messages");
    long ofPartitions =
        resource("partitions?queue=q").getJsonArray("partitions").stream()
            .mapToLong(each -> ((JsonObject) each).getJsonObject("stats").getLong("pending"))
            .sum();

    // Of the group that is worst off: four of the first partition, and all of the second.
    assertThat(totals.getLong("pending")).isEqualTo(8);
    assertThat(totals.getLong("processing")).isEqualTo(1);
    assertThat(totals.getLong("total")).isEqualTo(10);
    assertThat(overview.getLong("pending")).isEqualTo(8);
    assertThat(overview.getLong("processing")).isEqualTo(1);
    assertThat(namespace.getLong("pending")).isEqualTo(8);
    assertThat(task.getLong("pending")).isEqualTo(8);
    assertThat(ofPartitions).isEqualTo(8);
    // Only the list of queues leaves leased messages out of the pending ones.
    assertThat(listed.getLong("pending")).isEqualTo(7);
    assertThat(listed.getLong("processing")).isEqualTo(1);
    assertThat(listed.getLong("total")).isEqualTo(10);
  }

  @Test
  void items_areMessages_alsoThoseOfPops() {
    traffic();
    server.pop("none", "");

    Scrape scrape = Scrape.of(server);
    assertThat(scrape.value("queen_sidecar_op_items{op=\"push\"}")).isEqualTo(10);
    assertThat(scrape.value("queen_sidecar_op_items{op=\"pop\"}")).isEqualTo(9);
    assertThat(scrape.value("queen_sidecar_op_items{op=\"ack\"}")).isEqualTo(8);
    assertThat(server.get("/metrics").object().getJsonObject("messages").getLong("total"))
        .isEqualTo(19);
  }

  @Test
  void activeConnections_areAllThatWork_whateverTheyWorkOn() {
    server.push(item("q", "p", "t"));
    PgConnection lock = database.connect();
    await(lock.query("begin; lock table queen.queues in access exclusive mode").execute());
    CompletableFuture<Answer> blocked = server.postLater("/api/v1/configure", "{\"queue\":\"q\"}");

    awaitActive(1);
    Scrape scrape = Scrape.of(server);
    assertThat(scrape.value("queen_db_pool_idle") + scrape.value("queen_db_pool_active"))
        .isEqualTo(scrape.value("queen_db_pool_size"));
    await(lock.close());

    assertThat(blocked.join().status()).isEqualTo(200);
    awaitActive(0);
  }

  private void awaitActive(int connections) {
    Awaitility.await().until(() -> Scrape.of(server).value("queen_db_pool_active") == connections);
  }
}
