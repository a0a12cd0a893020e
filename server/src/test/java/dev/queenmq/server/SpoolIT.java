package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.RestartablePostgres;
import dev.queenmq.server.testing.RestartablePostgres.Shutdown;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is pushed while PostgreSQL is away is kept on disk, and is there when it is back. */
class SpoolIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir private Path folder;

  @Test
  void stoppedPostgres_pushesAreBuffered_andReplayedInOrder() throws Exception {
    try (RestartablePostgres postgres = RestartablePostgres.start(folder.resolve("data"));
        RunningServer server = RunningServer.on(postgres.endpoint(), settings())) {
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        sent.add(push(server, "a", sent.size(), "queued"));
      }
      postgres.stop(Shutdown.FAST);
      for (int i = 0; i < 20; i++) {
        sent.add(push(server, "a", sent.size(), "buffered"));
      }
      Answer other = server.push(item("orders", "b", "b0"), item("orders", "a", "m" + sent.size()));
      sent.add("m" + sent.size());
      assertThat(other.status()).isEqualTo(201);
      assertThat(other.array().getJsonObject(1))
          .isEqualTo(
              new JsonObject()
                  .put("index", 1)
                  .put("status", "buffered")
                  .put("queue", "orders")
                  .put("partition", "a")
                  .put("transactionId", "m23")
                  .put("transaction_id", "m23"));

      postgres.startAgain();
      // One producer goes on without a break: none of its messages may pass those before.
      String status = "buffered";
      while (!status.equals("queued")) {
        Answer answer = server.push(item("orders", "a", "m" + sent.size()));
        assertThat(answer.status()).isEqualTo(201);
        sent.add("m" + sent.size());
        status = answer.array().getJsonObject(0).getString("status");
      }

      List<String> found = new ArrayList<>();
      Awaitility.await()
          .atMost(LIMIT)
          .until(
              () -> {
                found.addAll(
                    server
                        .get(
                            "/api/v1/pop/queue/orders/partition/a?autoAck=true&batch=1000&consumerGroup=g")
                        .transactionIds());
                return found.size() >= sent.size();
              });
      assertThat(found).isEqualTo(sent);
      assertThat(server.get("/api/v1/pop/queue/orders/partition/b").transactionIds())
          .containsExactly("b0");
    }
  }

  private static String push(RunningServer server, String partition, int number, String expected) {
    String id = "m" + number;
    Answer answer = server.push(item("orders", partition, id));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.array().getJsonObject(0).getString("status")).isEqualTo(expected);
    return id;
  }

  private Map<String, String> settings() {
    return Map.of("QUEEN_SPOOL_DIR", folder.resolve("spool").toString());
  }
}
