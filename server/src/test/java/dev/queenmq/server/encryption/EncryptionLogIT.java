package dev.queenmq.server.encryption;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.EverythingLogged;
import dev.queenmq.server.RunningServer;
import dev.queenmq.server.ServerProcess;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What a server with keys says of itself. */
@ExtendWith(PostgresExtension.class)
class EncryptionLogIT {
  private static final String KEY = "0123456789abcdef".repeat(4);
  private static final String SECRET = "the-bee-dances-at-noon";

  @TempDir private Path folder;

  @Test
  void payloadsAndKeys_areInNoLogLine_whateverHappens(TestDatabase database) throws Exception {
    Path logback = EverythingLogged.in(folder);
    try (ServerProcess process =
            ServerProcess.start(
                folder,
                Map.of(
                    "PG_HOST", database.endpoint().host(),
                    "PG_PORT", Integer.toString(database.endpoint().port()),
                    "PG_DB", database.endpoint().database(),
                    "PG_USER", database.endpoint().user(),
                    "PG_PASSWORD", database.endpoint().password().value(),
                    "LOG_LEVEL", "trace",
                    "QUEEN_ENCRYPTION_KEY", KEY,
                    "JAVA_TOOL_OPTIONS", "-Dlogback.configurationFile=" + logback));
        RunningServer server = RunningServer.at(process.port())) {
      server.configure("vault", new JsonObject().put("encryptionEnabled", true));
      for (String queue : new String[] {"vault", "open"}) {
        assertThat(server.push(secret(queue, "t1"), secret(queue, "t1")).status()).isEqualTo(201);
        assertThat(server.pop(queue, "").body()).contains(SECRET);
        assertThat(server.pop(queue, "autoAck=true&consumerGroup=g").body()).contains(SECRET);
        assertThat(server.post("/api/v1/push", "{\"items\":[{\"queue\":\"" + SECRET).status())
            .isEqualTo(400);
        // An error that repeats the row.
        database.query(
            "alter table queen.segments add constraint no check (message_count > 1) not valid");
        assertThat(server.push(secret(queue, "t2")).status()).isGreaterThanOrEqualTo(500);
        assertThat(
                server
                    .post(
                        "/api/v1/transaction",
                        "{\"operations\":[%s]}"
                            .formatted(secret(queue, "t3").put("type", "push").encode()))
                    .status())
            .isGreaterThanOrEqualTo(500);
        database.query("alter table queen.segments drop constraint no");
      }
      database.query(
          "update queen.segments set payloads = array['{\"" + SECRET + "\":1}'] where encrypted");
      assertThat(server.pop("vault", "consumerGroup=h").status()).isEqualTo(204);

      assertThat(process.output())
          .contains("DEBUG", "messages cannot be delivered", "push failed")
          .doesNotContain(SECRET, KEY);
    }
  }

  @Test
  void keyThatIsNone_stopsTheStart() throws Exception {
    try (ServerProcess process =
        ServerProcess.start(folder, Map.of("QUEEN_ENCRYPTION_KEY", "c0ffee"))) {
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(process.output())
          .contains(
              "queen: cannot start: ",
              "QUEEN_ENCRYPTION_KEY has 6 characters, but a key has 64 hexadecimal characters")
          .doesNotContain("c0ffee");
    }
  }

  private static JsonObject secret(String queue, String transactionId) {
    return item(queue, "p", transactionId).put("payload", new JsonObject().put("is", SECRET));
  }
}
