package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.DatagramSocket;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What the contract says about clearing queues and deleting partitions, over real HTTP. */
class ClearingIT extends MessagesFixture {
  @Test
  void clear_removesWhatIsThere_andKeepsWhatComes() {
    server.push(item(q, "p", "1"), item(q, "p", "2"), item(q, "r", "3"));
    List<JsonObject> held = server.pop(q, "batch=9&consumerGroup=g").messages();
    server.ack(held.get(0), "dlq");

    JsonObject one = server.delete("/api/v1/queues/" + q + "/clear?partition=r").object();
    JsonObject all = server.delete("/api/v1/queues/" + q + "/clear").object();

    assertThat(one)
        .isEqualTo(
            new JsonObject(
                "{\"cleared\":true,\"queue\":\""
                    + q
                    + "\",\"partition\":\"r\",\"deletedMessages\":1}"));
    assertThat(all.getInteger("deletedMessages")).isEqualTo(2);
    assertThat(all.containsKey("partition")).isTrue();
    assertThat(all.getValue("partition")).isNull();
    assertThat(
            server.delete("/api/v1/queues/" + q + "/clear").object().getInteger("deletedMessages"))
        .isZero();
    assertThat(list("queue=" + q)).isEmpty();
    assertThat(letters("queue=" + q)).hasSize(1);
    assertThat(
            database.value(
                "select count(*) from queen.segments where partition_id in ("
                    + partitionsOfQueue("id")
                    + ")"))
        .isEqualTo(0L);
    assertThat(lag("g", q)).isZero();
    assertThat(server.push(item(q, "p", "1")).array().getJsonObject(0).getString("status"))
        .isEqualTo("queued");
    assertThat(server.pop(q, "batch=9&consumerGroup=g&wait=true&timeout=60000").transactionIds())
        .containsExactly("1");
    assertThat(server.pop(q, "batch=9&consumerGroup=new").transactionIds()).containsExactly("1");
    assertThat(server.delete("/api/v1/queues/none/clear").error()).isEqualTo("Queue not found");
    assertThat(server.delete("/api/v1/queues/" + q + "/clear?partition=none").error())
        .isEqualTo("Partition not found");
  }

  @Test
  void partition_isDeletedWithAllThatIsInIt_andMadeAnewByAPush() {
    server.push(item(q, "a b", "1"), item(q, "a b", "2"), item(q, "r", "3"));
    String id = partitionId(q, "a b");
    server.ack(popAll(q, "a b", "").get(0), "dlq");
    Answer deleted = server.delete("/api/v1/queues/" + q + "/partitions/a%20b");

    assertThat(deleted.object())
        .isEqualTo(
            new JsonObject()
                .put("deleted", true)
                .put("queue", q)
                .put("partition", "a b")
                .put("partitionId", id));
    assertThat(server.delete("/api/v1/queues/" + q + "/partitions/a%20b").status()).isEqualTo(404);
    assertThat(letters("queue=" + q)).isEmpty();
    assertThat(list("queue=" + q))
        .extracting(m -> m.getString("transactionId"))
        .containsExactly("3");
    server.push(item(q, "a b", "1"));
    assertThat(partitionId(q, "a b")).isNotEqualTo(id);
    assertThat(popAll(q, "a b", "batch=9"))
        .extracting(m -> m.getString("transactionId"))
        .containsExactly("1");
  }

  @Test
  void clear_whileOthersPush_neverKeepsHalfOfARequest() {
    int requests = 40;
    CompletableFuture<Void> pushing =
        CompletableFuture.runAsync(
            () -> {
              for (int i = 0; i < requests; i++) {
                int turn = i;
                server.push(
                    IntStream.range(0, 20)
                        .mapToObj(k -> item(q, "p", turn + "-" + k))
                        .toArray(JsonObject[]::new));
              }
            });
    long cleared = 0;
    while (!pushing.isDone()) {
      Answer answer = server.delete("/api/v1/queues/" + q + "/clear");
      cleared += answer.status() == 404 ? 0 : answer.object().getLong("deletedMessages");
    }
    pushing.join();

    List<String> left = server.pop(q, "batch=10000&autoAck=true").transactionIds();

    assertThat(cleared + left.size()).isEqualTo(requests * 20L);
    assertThat(left.size() % 20).isZero();
  }

  /** With a back-off of hours: only a packet of another broker can have woken it. */
  @Test
  void brokersInTouch_learnWhatIsDoneToMessagesAndPartitions(TestDatabase fresh) throws Exception {
    int[] ports = {freeUdpPort(), freeUdpPort()};
    try (RunningServer one = clustered(fresh, ports, 0);
        RunningServer two = clustered(fresh, ports, 1)) {
      one.push(item("q", "p", "a"));
      two.ack(two.pop("q", "consumerGroup=g").messages().get(0), "dlq");
      String id =
          one.get("/api/v1/resources/partitions?queue=q")
              .object()
              .getJsonArray("partitions")
              .getJsonObject(0)
              .getString("id");
      CompletableFuture<Answer> redriven =
          two.popLater("q", "consumerGroup=g&wait=true&timeout=50000");
      awaitPoll(two);

      one.post(path(id, "a") + "/retry", "");

      assertThat(redriven.get(60, TimeUnit.SECONDS).transactionIds()).containsExactly("a");
      two.get("/api/v1/pop/queue/q/partition/p?consumerGroup=h");
      assertThat(rememberedPartitions(two)).isEqualTo(1);
      CompletableFuture<Answer> again =
          two.popLater("q", "consumerGroup=h&wait=true&timeout=50000");
      awaitPoll(two);

      assertThat(one.delete("/api/v1/queues/q/partitions/p").status()).isEqualTo(200);

      Awaitility.await().until(() -> rememberedPartitions(two) == 0);
      one.push(item("q", "p", "b"));
      assertThat(again.get(60, TimeUnit.SECONDS).transactionIds()).containsExactly("b");
      assertThat(two.push(item("q", "p", "c")).array().getJsonObject(0).getString("status"))
          .isEqualTo("queued");
    }
  }

  private static void awaitPoll(RunningServer server) {
    Awaitility.await()
        .until(() -> server.get("/metrics/prometheus").body().contains("queen_waiting_polls 1"));
  }

  private static int rememberedPartitions(RunningServer server) {
    return server
        .get("/api/v1/system/shared-state")
        .object()
        .getJsonObject("partition_id_cache")
        .getInteger("size");
  }

  private static RunningServer clustered(TestDatabase database, int[] ports, int number) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "QUEEN_UDP_PEERS",
            "127.0.0.1:" + ports[0] + ",127.0.0.1:" + ports[1],
            "QUEEN_UDP_NOTIFY_PORT",
            String.valueOf(ports[number]),
            "QUEEN_SYNC_SECRET",
            "5ca1ab1e".repeat(8),
            "POP_WAIT_INITIAL_INTERVAL_MS",
            "30000",
            "POP_WAIT_MAX_INTERVAL_MS",
            "30000"));
  }

  private static int freeUdpPort() throws IOException {
    try (DatagramSocket socket = new DatagramSocket(0)) {
      return socket.getLocalPort();
    }
  }
}
