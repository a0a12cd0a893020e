package dev.queenmq.server.auth;

import static dev.queenmq.server.auth.TestTokens.SECRET;
import static dev.queenmq.server.auth.TestTokens.claims;
import static dev.queenmq.server.auth.TestTokens.hs256;
import static dev.queenmq.server.auth.TestTokens.limited;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.EverythingLogged;
import dev.queenmq.server.RunningServer;
import dev.queenmq.server.ServerProcess;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Every administrative action leaves a line, and nothing that is secret does. */
@ExtendWith(PostgresExtension.class)
class AuditLogIT {
  @TempDir private Path folder;

  @Test
  void actions_leaveLines(TestDatabase database) throws IOException {
    Path file = folder.resolve("audit.log");
    try (RunningServer server =
        RunningServer.on(
            database.endpoint(),
            Map.of(
                "JWT_ENABLED",
                "true",
                "JWT_SECRET",
                SECRET,
                "QUEEN_AUDIT_FILE",
                file.toString()))) {
      AuthClient alice = AuthClient.of(server.port(), claims("alice", "admin"));
      alice.post(
          "/api/v1/push",
          "{\"items\":[{\"queue\":\"q\",\"transactionId\":\"t\",\"payload\":\"honey\"}]}");
      alice.get("/api/v1/pop/queue/q?autoAck=true");
      alice.get("/api/v1/pop/queue/q?autoAck=true&consumerGroup=g");
      alice.get("/api/v1/system/shared-state");
      assertThat(lines(file)).isEmpty();
      String partition = UUID.randomUUID().toString();
      String message = "/api/v1/messages/" + partition + "/t";

      alice.post("/api/v1/configure", "{\"queue\":\"q\",\"options\":{\"leaseTime\":7}}");
      expect(file, "POST /api/v1/configure 200", "queue", "q");
      alice.post("/api/v1/configure", "{\"queue\":");
      expect(file, "POST /api/v1/configure 400", "", "");
      alice.post("/api/v1/consumer-groups/g/queues/q/seek", "{\"toEnd\":true}");
      expect(file, "POST /api/v1/consumer-groups/:group/queues/:queue/seek 200", "to", "the end");
      alice.post(
          "/api/v1/consumer-groups/g/queues/q/partitions/Default/seek",
          "{\"timestamp\":\"2026-01-01\"}");
      expect(
          file,
          "POST /api/v1/consumer-groups/:group/queues/:queue/partitions/:partition/seek 200",
          "to",
          "2026-01-01T00:00:00.000Z");
      alice.post(
          "/api/v1/consumer-groups/g/subscription", "{\"subscriptionTimestamp\":\"2026-01-01\"}");
      expect(
          file,
          "POST /api/v1/consumer-groups/:group/subscription 200",
          "subscriptionTimestamp",
          "2026-01-01");
      alice.delete("/api/v1/consumer-groups/g/queues/q?deleteMetadata=false");
      expect(
          file,
          "DELETE /api/v1/consumer-groups/:group/queues/:queue 200",
          "deleteMetadata",
          "false");
      alice.delete("/api/v1/consumer-groups/g");
      expect(file, "DELETE /api/v1/consumer-groups/:group 200", "group", "g");
      alice.post(message + "/retry", "{\"consumerGroup\":\"g\"}");
      expect(
          file,
          "POST /api/v1/messages/:partitionId/:transactionId/retry 404",
          "consumerGroup",
          "g");
      alice.post(message + "/dlq", "{\"error\":\"honey\"}");
      expect(
          file,
          "POST /api/v1/messages/:partitionId/:transactionId/dlq 404",
          "partitionId",
          partition);
      alice.delete(message);
      expect(file, "DELETE /api/v1/messages/:partitionId/:transactionId 200", "transactionId", "t");
      alice.post("/api/v1/dlq/redrive", "{\"queue\":\"q\",\"consumerGroup\":\"g\"}");
      expect(file, "POST /api/v1/dlq/redrive 200", "queue", "q");
      alice.delete("/api/v1/dlq?queue=q");
      expect(file, "DELETE /api/v1/dlq 200", "queue", "q");
      alice.post(
          "/streams/v1/queries", "{\"name\":\"s\",\"source_queue\":\"q\",\"config_hash\":\"h\"}");
      expect(file, "POST /streams/v1/queries 200", "source_queue", "q");
      alice.post("/internal/api/notify", "{\"queue\":\"q\"}");
      expect(file, "POST /internal/api/notify 200", "queue", "q");
      alice.post("/api/v1/system/upkeep/nothing/run", "");
      expect(file, "POST /api/v1/system/upkeep/:job/run 404", "job", "nothing");
      alice.post("/api/v1/stats/refresh?wait=true", "");
      expect(file, "POST /api/v1/stats/refresh 200", "wait", "true");
      alice.delete("/api/v1/queues/q/partitions/nothing?%ff");
      expect(
          file, "DELETE /api/v1/queues/:queue/partitions/:partition 404", "partition", "nothing");
      alice.post("/api/v1/consumer-groups/g/queues/q/pause", "");
      expect(file, "POST /api/v1/consumer-groups/:group/queues/:queue/pause 404", "group", "g");
      alice.post("/api/v1/resources/queues/q/resume", "");
      expect(file, "POST /api/v1/resources/queues/:queue/resume 200", "queue", "q");
      alice.delete("/api/v1/lease/6a0e8ba2-0000-4000-8000-000000000000");
      expect(
          file,
          "DELETE /api/v1/lease/:leaseId 404",
          "leaseId",
          "6a0e8ba2-0000-4000-8000-000000000000");
      alice.delete("/api/v1/queues/q/clear");
      expect(file, "DELETE /api/v1/queues/:queue/clear 200", "queue", "q");
      alice.delete("/api/v1/resources/queues/a%0A%22b");
      expect(file, "DELETE /api/v1/resources/queues/:queue 200", "queue", "a\n\"b");

      refusals(server, file);
      assertThat(Files.readString(file)).doesNotContain("honey", SECRET, "eyJ");
    }
  }

  private void refusals(RunningServer server, Path file) throws IOException {
    AuthClient reader = AuthClient.of(server.port(), claims("alice", "read-only"));
    reader.delete("/api/v1/resources/queues/q");
    expect(file, "DELETE /api/v1/resources/queues/:queue 403", "queue", "q");
    reader.post("/api/v1/push", "{}");
    expect(file, "POST /api/v1/push 403", "", "");
    AuthClient.of(server.port(), limited("alice", "admin", "mine"))
        .post("/api/v1/push", "{\"items\":[{\"queue\":\"theirs\"}]}");
    expect(file, "POST /api/v1/push 403", "", "");
    int before = lines(file).size();
    String token = hs256(claims("alice", "admin"));
    AuthClient.with(server.port(), "Bearer " + token.substring(0, token.length() - 4) + "AAAA")
        .delete("/api/v1/resources/queues/q?access_token=honey");
    await().until(() -> lines(file).size() > before);
    JsonObject stranger = lines(file).get(before);
    assertThat(stranger.getString("who")).isEqualTo("anonymous");
    assertThat(stranger.getInteger("status")).isEqualTo(401);
  }

  private int seen;

  private void expect(Path file, String what, String name, String value) throws IOException {
    seen++;
    // Lines are written behind the answers.
    await().until(() -> lines(file).size() >= seen);
    List<JsonObject> lines = lines(file);
    assertThat(lines).as(what).hasSize(seen);
    JsonObject line = lines.get(seen - 1);
    assertThat(
            line.getString("method")
                + " "
                + line.getString("route")
                + " "
                + line.getInteger("status"))
        .isEqualTo(what);
    assertThat(line.getString("who")).isEqualTo("alice");
    assertThat(line.getString("client")).isEqualTo("127.0.0.1");
    if (!name.isEmpty()) {
      assertThat(line.getJsonObject("parameters").getString(name)).as(what).isEqualTo(value);
    }
  }

  private static List<JsonObject> lines(Path file) throws IOException {
    return Files.readAllLines(file).stream().map(JsonObject::new).toList();
  }

  @Test
  void tokensAndSecrets_areInNoLogLine_andActionsAre(TestDatabase database) throws Exception {
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
                "JWT_ENABLED", "true",
                "JWT_SECRET", SECRET,
                "JAVA_TOOL_OPTIONS", "-Dlogback.configurationFile=" + logback))) {
      String good = hs256(claims("alice", "admin"));
      String bad = good.substring(0, good.length() - 4) + "AAAA";
      AuthClient alice = AuthClient.with(process.port(), "Bearer " + good);
      alice.post("/api/v1/configure", "{\"queue\":\"q\"}");
      alice.post("/api/v1/push", "{\"items\":[{\"queue\":\"q\"}]}");
      for (String header :
          List.of(bad, "Bearer " + bad, "Basic " + good, "Bearer " + good + good)) {
        assertThat(AuthClient.with(process.port(), header).get("/api/v1/status").status())
            .isEqualTo(401);
      }
      assertThat(alice.get("/health").body() + alice.get("/metrics/prometheus").body())
          .doesNotContain(SECRET, good);

      process.waitFor("\"status\":401");
      String signature = good.substring(good.lastIndexOf('.') + 1, good.length() - 4);
      assertThat(process.output())
          .contains("INFO queen.audit {", "\"route\":\"/api/v1/configure\"", "\"status\":401")
          .doesNotContain(SECRET, good, signature);
    }
  }

  @Test
  void missingSecret_stopsTheStart() throws Exception {
    try (ServerProcess process = ServerProcess.start(folder, Map.of("JWT_ENABLED", "true"))) {
      assertThat(process.exitCode()).isEqualTo(2);
      assertThat(process.output())
          .contains(
              "queen: cannot start: ",
              "JWT_ENABLED is true and JWT_ALGORITHM is HS256, but JWT_SECRET is missing");
    }
  }
}
