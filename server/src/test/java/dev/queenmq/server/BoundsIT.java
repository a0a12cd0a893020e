package dev.queenmq.server;

import static dev.queenmq.server.auth.TestTokens.SECRET;
import static dev.queenmq.server.auth.TestTokens.claims;
import static dev.queenmq.server.auth.TestTokens.limited;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.auth.AuthClient;
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
import java.util.stream.Collectors;
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
                "QUEEN_MAX_NEW_QUEUES_PER_TOKEN", "5",
                "QUEEN_MAX_NEW_GROUPS_PER_TOKEN", "3",
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
      await(connection.query("lock table queen.upkeep_removed in access exclusive mode").execute());
    }

    void awaitWaiting(int count) {
      Awaitility.await().until(() -> database.value(WAITING_PAGES).equals(count));
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

  @Test
  void authorization_waitsBehindNoPage_andPagesWaitOnlyUpToABound() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "consume-only", "att.*"));
    admin.post("/api/v1/push", "{\"items\":[{\"queue\":\"att.q\",\"transactionId\":\"t\"}]}");
    JsonObject got = own.get("/api/v1/pop/queue/att.q").object();
    List<CompletableFuture<Answer>> pages = new ArrayList<>();
    int most = ADMIN_CONNECTIONS + ADMIN_WAITING;
    int refused;
    HeldPages held = new HeldPages();
    try {
      IntStream.range(0, most + 50)
          .forEach(i -> pages.add(later(() -> admin.get(PAGE + "different" + i))));
      held.awaitWaiting(ADMIN_CONNECTIONS);
      Awaitility.await()
          .until(() -> pages.stream().filter(CompletableFuture::isDone).count() >= 50);

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
    } finally {
      held.close();
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

  /** The same bytes go to several connections, and stay whole. */
  @Test
  void sharedAnswers_areWholeForAllClients() {
    AuthClient reader = client(claims("r", "read-only"));
    List<CompletableFuture<Answer>> scrapes = new ArrayList<>();
    IntStream.range(0, 60)
        .forEach(i -> scrapes.add(later(() -> reader.get("/metrics/prometheus"))));
    assertThat(scrapes.stream().map(CompletableFuture::join))
        .allSatisfy(
            each -> {
              assertThat(each.status()).isEqualTo(200);
              assertThat(each.body()).startsWith("# HELP ").endsWith("\n");
              assertThat(each.http().headers().firstValue("content-type").orElse(""))
                  .startsWith("text/plain");
            });
  }

  /** Without an end of its token it would wait for longer than a test may take. */
  @Test
  void aPollThatWaits_endsWithItsToken() {
    JwtClaims ending = claims("short", "consume-only");
    ending.setExpirationTime(NumericDate.fromSeconds(Instant.now().getEpochSecond() + 10));
    AuthClient client = client(ending);
    CompletableFuture<Answer> poll =
        later(() -> client.get("/api/v1/pop/queue/att.none?wait=true&timeout=110000"));

    assertThat(poll.orTimeout(60, TimeUnit.SECONDS).join().status()).isEqualTo(204);
    assertThat(client.get("/api/v1/pop/queue/att.none").status()).isEqualTo(401);
  }

  @Test
  void aToken_createsQueuesOnlyUpToItsBound_andUsesThoseThatExist() {
    AuthClient flood = client(claims("flood", "read-write"));
    Answer first = flood.post("/api/v1/push", items("num.a", 8));
    assertThat(statuses(first))
        .containsExactly(
            "queued", "queued", "queued", "queued", "queued", "failed", "failed", "failed");
    assertThat(first.array().getJsonObject(7).getString("error")).contains("as many queues");
    assertThat(database.value("select count(*)::int from queen.queues where name like 'num.a%'"))
        .isEqualTo(5);

    assertThat(statuses(flood.post("/api/v1/push", items("num.a", 8))))
        .as("what exists is never refused")
        .containsExactly(
            "queued", "queued", "queued", "queued", "queued", "failed", "failed", "failed");
    Answer configured = flood.post("/api/v1/configure", "{\"queue\":\"num.c\"}");
    assertThat(configured.status()).isEqualTo(409);
    Answer transaction =
        flood.post(
            "/api/v1/transaction",
            "{\"operations\":[{\"type\":\"push\",\"queue\":\"num.t\",\"payload\":1}]}");
    assertThat(transaction.status()).isEqualTo(409);
    assertThat(
            statuses(client(claims("other", "produce-only")).post("/api/v1/push", items("o", 1))))
        .containsExactly("queued");
  }

  private static String items(String queue, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "{\"queue\":\"%s%d\",\"payload\":1}".formatted(queue, i))
        .collect(Collectors.joining(",", "{\"items\":[", "]}"));
  }

  private static List<String> statuses(Answer answer) {
    return answer.array().stream().map(each -> ((JsonObject) each).getString("status")).toList();
  }

  @Test
  void pollsOfNewGroups_leaveOnlySoMuchBehind() {
    AuthClient flood = client(claims("groups", "consume-only"));
    for (int i = 0; i < 6; i++) {
      Answer poll = flood.get("/api/v1/pop/queue/num.absent?consumerGroup=g" + i);
      assertThat(poll.status()).as("group " + i).isEqualTo(i < 3 ? 204 : 409);
    }
    assertThat(flood.get("/api/v1/pop/queue/num.absent?consumerGroup=g1").status()).isEqualTo(204);
    assertThat(flood.get("/api/v1/pop/queue/num.absent").status()).isEqualTo(204);
    assertThat(
            database.value(
                "select count(*)::int from queen.subscriptions where queue = 'num.absent'"))
        .isEqualTo(3);
  }

  /** A week after the first poll; a queue that exists keeps its groups. */
  @Test
  void subscriptionsToQueuesThatNeverCame_expire() {
    admin.post("/api/v1/push", items("exp.there", 1));
    for (String queue : List.of("exp.there0", "exp.old", "exp.young")) {
      assertThat(
              admin
                  .get(
                      "/api/v1/pop/queue/%s?consumerGroup=late&subscriptionMode=new"
                          .formatted(queue))
                  .status())
          .isEqualTo(204);
    }
    database.query(
        "update queen.subscriptions set created_at = created_at - interval '8 days'"
            + " where queue in ('exp.there0', 'exp.old')");
    Answer run = admin.post("/api/v1/system/upkeep/orphans/run?wait=30000", "");
    assertThat(run.status()).as(run.body()).isEqualTo(200);
    assertThat(
            database
                .query("select queue from queen.subscriptions where queue like 'exp.%' order by 1")
                .stream()
                .map(row -> row.getString(0)))
        .containsExactly("exp.there0", "exp.young");

    // A group that asked for new messages before the first push gets that push.
    admin.post("/api/v1/push", "{\"items\":[{\"queue\":\"exp.young\",\"payload\":7}]}");
    Answer got = admin.get("/api/v1/pop/queue/exp.young?consumerGroup=late&subscriptionMode=new");
    assertThat(got.status()).isEqualTo(200);
  }

  @Test
  void lists_comeInPages_andSayThatThereIsMore() {
    AuthClient maker = client(claims("maker", "read-write"));
    maker.post("/api/v1/push", items("page.", 3));
    maker.post("/api/v1/push", items("list.", 2));
    for (String list : List.of("queues", "namespaces", "tasks")) {
      String path = "/api/v1/resources/" + list;
      JsonObject all = admin.get(path).object();
      int size = all.getJsonArray(list).size();
      assertThat(all.containsKey("hasMore")).isFalse();
      assertThat(size).isGreaterThan(1);
      JsonObject first = admin.get(path + "?limit=1").object();
      assertThat(first.getJsonArray(list)).hasSize(1);
      assertThat(first.getBoolean("hasMore")).isTrue();
      JsonObject last = admin.get(path + "?limit=1&offset=" + (size - 1)).object();
      assertThat(last.getJsonArray(list).getValue(0))
          .isNotEqualTo(first.getJsonArray(list).getValue(0));
      assertThat(last.containsKey("hasMore")).isFalse();
    }
    for (String group : List.of("pg1", "pg2")) {
      maker.get("/api/v1/pop/queue/page.0?autoAck=true&consumerGroup=" + group);
    }
    Answer groups = admin.get("/api/v1/consumer-groups?limit=1");
    assertThat(groups.array()).hasSize(1);
    assertThat(groups.http().headers().firstValue("x-queen-more")).contains("true");
    assertThat(admin.get("/api/v1/consumer-groups").http().headers().firstValue("x-queen-more"))
        .isEmpty();
  }

  private static AuthClient client(JwtClaims claims) {
    return AuthClient.of(server.port(), claims);
  }
}
