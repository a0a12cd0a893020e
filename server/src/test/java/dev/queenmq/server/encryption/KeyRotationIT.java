package dev.queenmq.server.encryption;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.http.admin.Scrape;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A key is replaced as the page says, and retired. */
@ExtendWith(PostgresExtension.class)
class KeyRotationIT {
  private static final String OLD = "0123456789abcdef".repeat(4);
  private static final String NEW = "fedcba9876543210".repeat(4);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Test
  void oldKey_isNeededNoMore_onceEverythingIsSealedAgain(TestDatabase database) throws IOException {
    try (RunningServer server =
        RunningServer.on(database.endpoint(), Map.of("QUEEN_ENCRYPTION_KEY", OLD))) {
      server.push(item("vault", "p0", "plain"));
      server.configure("vault", new JsonObject().put("encryptionEnabled", true));
      for (int i = 0; i < 10; i++) {
        server.push(item("vault", "p" + i, "sealed-" + i));
      }
      Answer dead = server.get("/api/v1/pop/queue/vault/partition/p9?consumerGroup=g");
      server.post(
          "/api/v1/messages/" + dead.messages().get(0).getString("partitionId") + "/sealed-9/dlq",
          new JsonObject().put("consumerGroup", "g"));
    }
    Map<String, String> both =
        Map.of("QUEEN_ENCRYPTION_KEY", NEW, "QUEEN_ENCRYPTION_KEY_PREVIOUS", OLD);
    try (RunningServer server = RunningServer.on(database.endpoint(), both)) {
      JsonObject status =
          Awaitility.await()
              .atMost(LIMIT)
              .until(
                  () -> server.get("/api/v1/system/encryption").object(),
                  now -> now.getJsonObject("resealing").getBoolean("complete"));
      assertThat(status.getString("keyId")).isEqualTo(EncryptionKey.ofHex(NEW).id());
      assertThat(status.getJsonObject("queues"))
          .isEqualTo(new JsonObject().put("encrypted", 1).put("unfinished", 0));
      JsonObject pass = status.getJsonObject("resealing");
      assertThat(pass.getInteger("messages")).isEqualTo(11);
      assertThat(pass.getInteger("deadLetters")).isOne();
      assertThat(pass.getInteger("leftOver")).isZero();
      assertThat(pass.getDouble("progress")).isOne();
      assertThat(Scrape.of(server).value("queen_resealed_payloads_total")).isEqualTo(12);
    }
    try (RunningServer server =
        RunningServer.on(database.endpoint(), Map.of("QUEEN_ENCRYPTION_KEY", NEW))) {
      assertThat(server.pop("vault", "batch=100&partitions=100").transactionIds())
          .contains("plain")
          .containsAll(IntStream.range(0, 10).mapToObj(i -> "sealed-" + i).toList());
      assertThat(
              server
                  .post("/api/v1/dlq/redrive", new JsonObject().put("queue", "vault"))
                  .object()
                  .getInteger("redriven"))
          .isOne();
      assertThat(
              server
                  .get("/api/v1/pop/queue/vault/partition/p9?consumerGroup=g&batch=5")
                  .transactionIds())
          .containsExactly("sealed-9");
    }
  }
}
