package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The two switches by which an operator keeps clients away from PostgreSQL. */
@ExtendWith(PostgresExtension.class)
class MaintenanceIT {
  private static final String MAINTENANCE = "/api/v1/system/maintenance";
  private static final String KEY = "5eed".repeat(16);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path folder;

  @Test
  void maintenance_keepsPushesInTheSpool_throughARestart_atAllBrokers(TestDatabase database)
      throws Exception {
    List<String> sent = new ArrayList<>();
    try (RunningServer other = server(database, "other")) {
      try (RunningServer server = server(database, "one")) {
        server.configure("secret", new JsonObject().put("encryptionEnabled", true));
        sent.add(push(server, "secret", sent.size(), "queued"));

        assertThat(server.post(MAINTENANCE, "{}").status()).isEqualTo(400);
        assertThat(server.post(MAINTENANCE, "{\"enabled\":1}").error())
            .isEqualTo("enabled (boolean) is required");
        Answer on = server.post(MAINTENANCE, "{\"enabled\":true}");
        assertThat(on.status()).isEqualTo(200);
        assertThat(on.object().getBoolean("maintenanceMode")).isTrue();
        assertThat(on.object().getBoolean("bufferHealthy")).isTrue();

        for (int i = 0; i < 10; i++) {
          sent.add(push(server, "secret", sent.size(), "buffered"));
        }
        assertThat(server.get("/api/v1/status/buffers").object())
            .isEqualTo(
                new JsonObject()
                    .put("dbHealthy", true)
                    .put("failed", 0)
                    .put("pending", 10)
                    .put("worker", 0));
        assertThat(server.get(MAINTENANCE).object().getInteger("bufferedMessages")).isEqualTo(10);
        assertThat(server.get("/metrics/prometheus").body())
            .contains("\nqueen_spool_pending 10\n", "\nqueen_maintenance_mode_enabled 1\n");
        // Pops and acks go on.
        List<JsonObject> first = server.pop("secret", "").messages();
        assertThat(first).hasSize(1);
        assertThat(server.ack(first.get(0), "completed").status()).isEqualTo(200);
        // The other broker gets no packet: it reads the switch by itself.
        Awaitility.await()
            .atMost(LIMIT)
            .until(() -> other.get(MAINTENANCE).object().getBoolean("maintenanceMode"));
      }
      assertThat(push(other, "elsewhere", 0, "buffered")).isEqualTo("m0");
      try (RunningServer again = server(database, "one")) {
        assertThat(again.get(MAINTENANCE).object().getBoolean("maintenanceMode")).isTrue();
        sent.add(push(again, "secret", sent.size(), "buffered"));
        assertThat(database.value("select max(next_offset) from queen.partitions")).isEqualTo(1L);

        assertThat(
                again
                    .post(MAINTENANCE, "{\"enabled\":false}")
                    .object()
                    .getBoolean("maintenanceMode"))
            .isFalse();
        List<String> found = new ArrayList<>(List.of("m0"));
        Awaitility.await()
            .atMost(LIMIT)
            .until(
                () -> {
                  found.addAll(again.pop("secret", "autoAck=true&batch=100").transactionIds());
                  return found.size() >= sent.size();
                });
        assertThat(found).isEqualTo(sent);
        // Of the other queue, which is not encrypted, the other broker may have stored a message.
        assertThat(
                database.value(
                    "select bool_and(s.encrypted) from queen.segments s"
                        + " join queen.partitions p on p.shard = s.shard and p.id = s.partition_id"
                        + " join queen.queues q on q.id = p.queue_id where q.name = 'secret'"))
            .isEqualTo(true);
        Awaitility.await()
            .atMost(LIMIT)
            .until(() -> !other.pop("elsewhere", "autoAck=true").messages().isEmpty());
        Awaitility.await()
            .atMost(LIMIT)
            .until(() -> again.get(MAINTENANCE).object().getInteger("bufferedMessages") == 0);
        push(again, "secret", sent.size(), "queued");
      }
    }
  }

  @Test
  void popMaintenance_letsPopsFindNothing_alsoThoseThatWait(TestDatabase database)
      throws Exception {
    try (RunningServer server = server(database, "one")) {
      push(server, "q", 0, "queued");
      assertThat(server.pop("q", "autoAck=true").transactionIds()).containsExactly("m0");
      CompletableFuture<Answer> waits = server.popLater("q", "wait=true&timeout=60000");
      CompletableFuture<Answer> ends =
          server.popLater("q", "wait=true&timeout=1500&consumerGroup=g");

      Answer on = server.post(MAINTENANCE + "/pop", "{\"enabled\":true}");
      assertThat(on.object().getBoolean("popMaintenanceMode")).isTrue();
      ends.join();
      push(server, "q", 1, "queued");
      assertThat(server.pop("q", "").status()).isEqualTo(204);
      assertThat(server.pop("q", "wait=true&timeout=300").status()).isEqualTo(204);
      assertThat(server.get("/api/v1/pop/queue/q/partition/p").status()).isEqualTo(204);
      assertThat(server.get("/api/v1/pop?namespace=n").status()).isEqualTo(204);
      assertThat(server.pop("q", "consumerGroup=later&subscriptionMode=new").status())
          .isEqualTo(204);
      assertThat(waits).isNotDone();

      server.post(MAINTENANCE + "/pop", "{\"enabled\":false}");
      assertThat(server.get(MAINTENANCE + "/pop").object().getBoolean("popMaintenanceMode"))
          .isFalse();
      assertThat(waits.join().transactionIds()).containsExactly("m1");
    }
  }

  @Test
  void brokerWithoutSpool_refusesPushes(TestDatabase database) throws Exception {
    try (RunningServer server = RunningServer.on(database.endpoint())) {
      server.post(MAINTENANCE, "{\"enabled\":true}");
      Answer refused = server.push(item("q", "p", "m"));
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.error()).isEqualTo("Maintenance mode is on");
      assertThat(server.get("/api/v1/status/buffers").object().getString("note")).isNotEmpty();

      server.post(MAINTENANCE, "{\"enabled\":false}");
      assertThat(server.push(item("q", "p", "m")).status()).isEqualTo(201);
    }
  }

  private static String push(RunningServer server, String queue, int number, String expected) {
    String id = "m" + number;
    Answer answer = server.push(item(queue, "p", id));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.array().getJsonObject(0).getString("status")).isEqualTo(expected);
    return id;
  }

  private RunningServer server(TestDatabase database, String name) {
    return RunningServer.on(
        database.endpoint(),
        Map.of(
            "QUEEN_SPOOL_DIR",
            folder.resolve(name).toString(),
            // A busy machine is no outage.
            "QUEEN_SPOOL_DEADLINE_MS",
            "60000",
            "QUEEN_ENCRYPTION_KEY",
            KEY));
  }
}
