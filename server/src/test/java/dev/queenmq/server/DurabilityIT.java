package dev.queenmq.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.FaultyProxy.Fault;
import dev.queenmq.server.testing.RestartablePostgres;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A PostgreSQL that stops to be safe while brokers run: they go on, and say so. */
class DurabilityIT {

  @TempDir private Path folder;

  @Test
  void health_isDegraded_whileCommitsCanBeLost() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (RestartablePostgres postgres = RestartablePostgres.start(folder);
        RunningServer server =
            RunningServer.on(postgres.endpoint(), Map.of("QUEEN_ALLOW_UNSAFE_POSTGRES", "false"))) {
      TestDatabase database = new TestDatabase(vertx, postgres.endpoint());
      await().until(() -> server.get("/health").status() == 200);
      JsonObject before = server.get("/health").object();
      assertThat(before.getString("status")).isEqualTo("healthy");
      assertThat(before.getJsonObject("durability"))
          .isEqualTo(
              new JsonObject()
                  .put("safe", true)
                  .put("allowed", true)
                  .put("fsync", "on")
                  .put("synchronous_commit", "on")
                  .put("full_page_writes", "on"));

      set(database, "fsync", "off");
      await()
          .untilAsserted(
              () -> {
                Answer health = server.get("/health");
                assertThat(health.status()).isEqualTo(200);
                assertThat(health.object().getString("status")).isEqualTo("degraded");
                assertThat(health.object().getString("database")).isEqualTo("connected");
                assertThat(health.object().getJsonObject("durability"))
                    .contains(
                        Map.entry("safe", false),
                        Map.entry("allowed", false),
                        Map.entry("fsync", "off"));
              });
      assertThat(server.push(RunningServer.item("q", "p", "t")).status()).isEqualTo(201);

      set(database, "fsync", "on");
      await()
          .untilAsserted(
              () ->
                  assertThat(server.get("/health").object().getString("status"))
                      .isEqualTo("healthy"));
    } finally {
      vertx.close();
    }
  }

  @Test
  void postgresThatComesLater_isRefusedToo_andPushesStayInTheSpool() throws Exception {
    Vertx vertx = Vertx.vertx();
    try (RestartablePostgres postgres = RestartablePostgres.start(folder.resolve("postgres"));
        FaultyProxy line = new FaultyProxy(vertx, postgres.endpoint(), Fault.SILENT);
        RunningServer server =
            RunningServer.on(
                line.endpoint(),
                Map.of(
                    "QUEEN_ALLOW_UNSAFE_POSTGRES", "false",
                    "QUEEN_SPOOL_DIR", folder.resolve("spool").toString(),
                    "DB_CONNECTION_TIMEOUT", "300"))) {
      TestDatabase database = new TestDatabase(vertx, postgres.endpoint());
      String name = postgres.endpoint().database();
      database.query("alter database %s set synchronous_commit = off".formatted(name));
      line.set(Fault.NONE);
      await()
          .untilAsserted(
              () -> {
                Answer health = server.get("/health");
                assertThat(health.status()).isEqualTo(503);
                assertThat(health.object().getString("database_error"))
                    .isEqualTo("PostgreSQL could lose commits");
              });
      assertThat(server.push(RunningServer.item("q", "p", "t")).body())
          .contains("\"status\":\"buffered\"");

      database.query("alter database %s reset synchronous_commit".formatted(name));
      await()
          .untilAsserted(
              () ->
                  assertThat(server.pop("q", "autoAck=true").transactionIds())
                      .containsExactly("t"));
      await().until(() -> server.get("/health").status() == 200);
    } finally {
      vertx.close();
    }
  }

  private static void set(TestDatabase database, String name, String value) {
    database.query("alter system set %s = %s".formatted(name, value));
    database.query("select pg_reload_conf()");
  }
}
