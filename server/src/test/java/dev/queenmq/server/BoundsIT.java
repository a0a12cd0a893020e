package dev.queenmq.server;

import static dev.queenmq.server.auth.TestTokens.SECRET;
import static dev.queenmq.server.auth.TestTokens.claims;
import static dev.queenmq.server.auth.TestTokens.limited;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.jwt.NumericDate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What one client can take of what all share: attention of the database, and objects. */
@ExtendWith(PostgresExtension.class)
class BoundsIT {
  /** Its table is used by this page alone, so that a lock on it holds up nothing else. */
  private static final String PAGE = "/api/v1/analytics/retention?from=2026-01-01T00:00:00Z&queue=";

  private static final String WAITING_PAGES =
      "select count(*)::int from pg_stat_activity where datname = current_database()"
          + " and wait_event_type = 'Lock' and query like '%retention_history_v1%'";

  /** As {@code BrokerStart} has them. */
  private static final int ADMIN_CONNECTIONS = 2;

  private static final int ADMIN_WAITING = 256;

  private static final ExecutorService THREADS = Executors.newCachedThreadPool();

  private static TestDatabase database;
  private static RunningServer server;
  private static AuthClient admin;

  @BeforeAll
  static void start(TestDatabase fresh) {
    database = fresh;
    server =
        RunningServer.on(
            fresh.endpoint(),
            Map.of(
                "JWT_ENABLED", "true",
                "JWT_SECRET", SECRET,
                "JWT_CLOCK_SKEW", "0",
                "QUEEN_METRICS_REQUIRE_TOKEN", "true"));
    admin = AuthClient.of(server.port(), claims("admin", "admin"));
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
    THREADS.shutdownNow();
  }

  /** Holds up the pages about retention until it is closed. */
  private static final class HeldPages implements AutoCloseable {
    private final PgConnection connection = database.connect();

    HeldPages() {
      await(connection.query("begin").execute());
      await(
          connection
              .query("lock table queen.upkeep_removed in access exclusive mode")
              .execute());
    }

    @Override
    public void close() {
      await(connection.query("rollback").execute());
      await(connection.close());
    }
  }

  private static CompletableFuture<Answer> later(Supplier<Answer> request) {
    return CompletableFuture.supplyAsync(request, THREADS);
  }

  private static void awaitWaitingPages(int count) {
    Awaitility.await().until(() -> database.value(WAITING_PAGES).equals(count));
  }

  @Test
  void authorization_waitsBehindNoPage_andPagesWaitOnlyUpToABound() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "consume-only", "att.*"));
    admin.post("/api/v1/push", "{\"items\":[{\"queue\":\"att.q\",\"transactionId\":\"t\"}]}");
    JsonObject got = own.get("/api/v1/pop/queue/att.q").object();
    List<CompletableFuture<Answer>> pages = new ArrayList<>();
    int most = ADMIN_CONNECTIONS + ADMIN_WAITING;
    int refused;
    try (HeldPages held = new HeldPages()) {
      IntStream.range(0, most + 50)
          .forEach(i -> pages.add(later(() -> admin.get(PAGE + "different" + i))));
      awaitWaitingPages(ADMIN_CONNECTIONS);
      Awaitility.await().until(() -> pages.stream().filter(CompletableFuture::isDone).count() >= 50);

      Answer ack =
          own.post(
              "/api/v1/ack",
              "{\"transactionId\":\"t\",\"partitionId\":\"%s\",\"leaseId\":\"%s\"}"
                  .formatted(got.getString("partitionId"), got.getString("leaseId")));

      assertThat(ack.status()).as(ack.body()).isEqualTo(200);
      List<Answer> early =
          pages.stream().filter(CompletableFuture::isDone).map(CompletableFuture::join).toList();
      assertThat(early)
          .allSatisfy(
              each -> {
                assertThat(each.status()).isEqualTo(503);
                assertThat(each.error()).contains("try again");
                assertThat(each.http().headers().firstValue("Retry-After")).isPresent();
              });
      refused = early.size();
    }
    assertThat(refused).isEqualTo(50);
    assertThat(pages.stream().map(CompletableFuture::join).filter(each -> each.status() == 200))
        .hasSize(most);
  }

  @Test
  void metrics_needATokenThatMayLookAtEverything_ifTheOperatorSaysSo() {
    for (String path : List.of("/metrics", "/metrics/prometheus")) {
      assertThat(AuthClient.stranger(server.port()).get(path).status()).isEqualTo(401);
      assertThat(client(claims("c", "consume-only")).get(path).status()).isEqualTo(403);
      assertThat(client(limited("l", "read-only", "att.*")).get(path).status()).isEqualTo(403);
      assertThat(client(claims("r", "read-only")).get(path).status()).isEqualTo(200);
    }
    assertThat(AuthClient.stranger(server.port()).get("/health").status()).isEqualTo(200);
  }

  /** Without an end of its token it would wait for longer than a test may take. */
  @Test
  void aPollThatWaits_endsWithItsToken() {
    JwtClaims ending = claims("short", "consume-only");
    ending.setExpirationTime(NumericDate.fromSeconds(Instant.now().getEpochSecond() + 3));
    AuthClient client = client(ending);
    CompletableFuture<Answer> poll =
        later(() -> client.get("/api/v1/pop/queue/att.none?wait=true&timeout=110000"));

    assertThat(poll.orTimeout(60, TimeUnit.SECONDS).join().status()).isEqualTo(204);
    assertThat(client.get("/api/v1/pop/queue/att.none").status()).isEqualTo(401);
  }

  private static AuthClient client(JwtClaims claims) {
    return AuthClient.of(server.port(), claims);
  }
}
