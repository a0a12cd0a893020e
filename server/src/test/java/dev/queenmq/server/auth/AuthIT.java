package dev.queenmq.server.auth;

import static dev.queenmq.server.auth.TestTokens.SECRET;
import static dev.queenmq.server.auth.TestTokens.claims;
import static dev.queenmq.server.auth.TestTokens.limited;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.assertj.core.api.SoftAssertions;
import org.jose4j.jwt.JwtClaims;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A broker that asks for tokens: who may do what, on which queues, and in whose name. */
@ExtendWith(PostgresExtension.class)
class AuthIT {
  private static final String MESSAGE = "/api/v1/messages/{partitionId}/{transactionId}";
  private static final String GROUP = "/api/v1/consumer-groups/{group}";

  /**
   * What a route asks for, written down by hand: appendix 3 of the contract, and what came after.
   */
  private enum Level {
    NONE,
    READ,
    PRODUCE,
    CONSUME,
    EITHER,
    WRITE,
    ADMIN
  }

  private static final Map<String, Set<Level>> ROLES =
      Map.of(
          "admin", Set.of(Level.values()),
          "read-write",
              Set.of(
                  Level.NONE, Level.READ, Level.PRODUCE, Level.CONSUME, Level.EITHER, Level.WRITE),
          "read-only", Set.of(Level.NONE, Level.READ),
          "produce-only", Set.of(Level.NONE, Level.PRODUCE, Level.EITHER),
          "consume-only", Set.of(Level.NONE, Level.CONSUME, Level.EITHER),
          "unknown", Set.of(Level.NONE));

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
                "JWT_SKIP_PATHS", "/health,/api/v1/status/buffers,/api/v1/analytics/"));
    admin = client("admin", "admin");
  }

  @AfterAll
  static void stop() throws IOException {
    server.close();
  }

  private static Map<String, Level> levels() {
    Map<String, Level> levels = new LinkedHashMap<>();
    put(
        levels,
        Level.NONE,
        "GET /health",
        "GET /health/accepting",
        "GET /health/live",
        "GET /health/ready");
    put(levels, Level.NONE, "GET /metrics", "GET /metrics/prometheus", "GET /api/v1/openapi.json");
    put(levels, Level.PRODUCE, "POST /api/v1/push");
    put(levels, Level.CONSUME, "GET /api/v1/pop", "GET /api/v1/pop/queue/{queue}");
    put(levels, Level.CONSUME, "GET /api/v1/pop/queue/{queue}/partition/{partition}");
    put(levels, Level.CONSUME, "DELETE /api/v1/pop/queue/{queue}/poll/{pollId}");
    put(levels, Level.CONSUME, "POST /api/v1/ack", "POST /api/v1/ack/batch");
    put(levels, Level.CONSUME, "POST /api/v1/lease/{leaseId}/extend");
    put(levels, Level.EITHER, "POST /api/v1/transaction");
    put(levels, Level.READ, "GET /api/v1/leases");
    put(levels, Level.WRITE, "DELETE /api/v1/lease/{leaseId}");
    put(levels, Level.WRITE, "POST /api/v1/resources/queues/{queue}/pause");
    put(levels, Level.WRITE, "POST /api/v1/resources/queues/{queue}/resume");
    put(levels, Level.WRITE, "POST " + GROUP + "/queues/{queue}/pause");
    put(levels, Level.WRITE, "POST " + GROUP + "/queues/{queue}/resume");
    put(levels, Level.WRITE, "POST /api/v1/configure", "DELETE " + MESSAGE);
    put(levels, Level.WRITE, "POST " + MESSAGE + "/retry", "POST " + MESSAGE + "/dlq");
    put(levels, Level.WRITE, "DELETE /api/v1/dlq", "POST /api/v1/dlq/redrive");
    put(levels, Level.WRITE, "POST /api/v1/traces", "POST " + GROUP + "/subscription");
    put(levels, Level.WRITE, "POST " + GROUP + "/queues/{queue}/seek");
    put(levels, Level.WRITE, "POST " + GROUP + "/queues/{queue}/partitions/{partition}/seek");
    put(levels, Level.WRITE, "POST /streams/v1/queries", "POST /streams/v1/cycle");
    put(levels, Level.READ, "POST /streams/v1/state/get", "GET /api/v1/messages", "GET " + MESSAGE);
    put(levels, Level.READ, "GET /api/v1/resources/queues", "GET /api/v1/resources/queues/{queue}");
    put(levels, Level.READ, "GET /api/v1/resources/partitions", "GET /api/v1/resources/namespaces");
    put(levels, Level.READ, "GET /api/v1/resources/tasks", "GET /api/v1/resources/overview");
    put(levels, Level.READ, "GET /api/v1/consumer-groups", "GET /api/v1/consumer-groups/lagging");
    put(levels, Level.READ, "GET " + GROUP, "GET /api/v1/dlq", "GET /api/v1/traces/names");
    put(levels, Level.READ, "GET /api/v1/traces/by-name/{traceName}");
    put(levels, Level.READ, "GET /api/v1/traces/{partitionId}/{transactionId}");
    put(levels, Level.READ, "GET /api/v1/status", "GET /api/v1/status/queues");
    put(levels, Level.READ, "GET /api/v1/status/queues/{queue}", "GET /api/v1/status/analytics");
    put(levels, Level.READ, "GET /api/v1/status/queues/{queue}/messages");
    put(levels, Level.READ, "GET /api/v1/system/upkeep");
    put(levels, Level.READ, "GET /api/v1/dashboard/session", "GET /api/v1/dashboard/overview");
    put(levels, Level.READ, "GET /api/v1/dashboard/system", "GET /api/v1/dashboard/history");
    put(levels, Level.READ, "GET /api/v1/dashboard/queues", "GET /api/v1/dashboard/queues/{queue}");
    put(levels, Level.READ, "GET /api/v1/dashboard/queues/{queue}/lanes");
    put(levels, Level.READ, "GET /api/v1/dashboard/queues/{queue}/dead-letters");
    put(levels, Level.READ, "GET /api/v1/dashboard/groups", "GET /api/v1/dashboard/lagging");
    put(levels, Level.READ, "GET /api/v1/dashboard/errors", "GET /api/v1/dashboard/streams");
    put(levels, Level.READ, "GET /api/v1/dashboard/streams/{queryId}/lanes");
    put(levels, Level.ADMIN, "DELETE /api/v1/resources/queues/{queue}", "DELETE " + GROUP);
    put(levels, Level.ADMIN, "DELETE " + GROUP + "/queues/{queue}");
    put(levels, Level.ADMIN, "DELETE /api/v1/queues/{queue}/clear");
    put(levels, Level.ADMIN, "DELETE /api/v1/queues/{queue}/partitions/{partition}");
    put(levels, Level.ADMIN, "POST /api/v1/stats/refresh", "GET /api/v1/system/shared-state");
    put(levels, Level.ADMIN, "GET /internal/api/shared-state/stats", "POST /internal/api/notify");
    put(levels, Level.ADMIN, "GET /internal/api/inter-instance/stats");
    put(levels, Level.ADMIN, "POST /api/v1/system/upkeep/{job}/run");
    put(levels, Level.ADMIN, "GET /api/v1/system/encryption");
    put(levels, Level.ADMIN, "GET /api/v1/system/maintenance", "POST /api/v1/system/maintenance");
    put(levels, Level.ADMIN, "GET /api/v1/system/maintenance/pop");
    put(levels, Level.ADMIN, "POST /api/v1/system/maintenance/pop");
    // These are read-only; the settings of this broker let every caller in.
    put(levels, Level.NONE, "GET /api/v1/status/buffers", "GET /api/v1/analytics/system-metrics");
    put(levels, Level.NONE, "GET /api/v1/analytics/worker-metrics");
    put(levels, Level.NONE, "GET /api/v1/analytics/queue-ops", "GET /api/v1/analytics/queue-lag");
    put(levels, Level.NONE, "GET /api/v1/analytics/queue-parked-replicas");
    put(levels, Level.NONE, "GET /api/v1/analytics/retention");
    put(levels, Level.NONE, "GET /api/v1/analytics/postgres-stats");
    return levels;
  }

  private static void put(Map<String, Level> levels, Level level, String... routes) {
    for (String route : routes) {
      levels.put(route, level);
    }
  }

  private static Set<String> routes() {
    Set<String> routes = new TreeSet<>();
    JsonObject paths =
        AuthClient.stranger(server.port())
            .get("/api/v1/openapi.json")
            .object()
            .getJsonObject("paths");
    for (String path : paths.fieldNames()) {
      for (String method : paths.getJsonObject(path).fieldNames()) {
        routes.add(method.toUpperCase(Locale.ROOT) + " " + path);
      }
    }
    return routes;
  }

  @Test
  void everyRoute_isForItsRoles_andForNoOthers() {
    Map<String, Level> levels = levels();
    assertThat(routes()).isEqualTo(new TreeSet<>(levels.keySet()));
    Map<String, AuthClient> clients = new HashMap<>();
    ROLES.keySet().forEach(role -> clients.put(role, client("matrix", role)));

    SoftAssertions soft = new SoftAssertions();
    for (Map.Entry<String, Level> route : levels.entrySet()) {
      Answer strange = ask(AuthClient.stranger(server.port()), route.getKey());
      if (route.getValue() == Level.NONE) {
        soft.assertThat(strange.status()).as(route + " without a token").isNotIn(401, 403);
      } else {
        soft.assertThat(strange.status()).as(route + " without a token").isEqualTo(401);
        soft.assertThat(strange.body()).isEqualTo("{\"error\":\"Authentication required\"}");
        soft.assertThat(challenge(strange)).isEqualTo("Bearer realm=\"queen\"");
      }
      for (Map.Entry<String, AuthClient> client : clients.entrySet()) {
        Answer answer = ask(client.getValue(), route.getKey());
        String what = route + " as " + client.getKey() + ": " + answer.body();
        if (ROLES.getOrDefault(client.getKey(), Set.of()).contains(route.getValue())) {
          soft.assertThat(answer.status()).as(what).isNotIn(401, 403);
        } else {
          soft.assertThat(answer.status()).as(what).isEqualTo(403);
          soft.assertThat(answer.error()).isEqualTo("Insufficient permissions");
          soft.assertThat(challenge(answer))
              .isEqualTo("Bearer realm=\"queen\", error=\"insufficient_scope\"");
        }
      }
    }
    soft.assertAll();
  }

  /** With parameters of nothing that exists, and bodies that ask for nothing. */
  private static Answer ask(AuthClient client, String route) {
    String[] parts = route.split(" ", 2);
    String path =
        parts[1]
            .replace("{partitionId}", UUID.randomUUID().toString())
            .replace("{leaseId}", UUID.randomUUID().toString())
            .replaceAll("\\{[a-zA-Z]+}", "nothing");
    return client.ask(parts[0], path, parts[0].equals("POST") ? "{}" : "");
  }

  @Test
  void badTokens_areRefused_alsoWithHeadAndOnTheWayOfABody() {
    for (String token : List.of("x", "Bearer a.b.c", "Bearer " + "x".repeat(9000))) {
      Answer answer =
          AuthClient.with(server.port(), token)
              .post("/api/v1/push", push("q", "x".repeat(200_000)));
      assertThat(answer.status()).isEqualTo(401);
      assertThat(answer.error()).startsWith("Token decode error: ");
      assertThat(challenge(answer)).isEqualTo("Bearer realm=\"queen\", error=\"invalid_token\"");
    }
    assertThat(AuthClient.stranger(server.port()).ask("HEAD", "/api/v1/status", "").status())
        .isEqualTo(401);
    assertThat(AuthClient.stranger(server.port()).ask("OPTIONS", "/api/v1/push", "").status())
        .isEqualTo(204);
    assertThat(AuthClient.stranger(server.port()).get("/api/v1/nothing").status()).isEqualTo(404);
  }

  /** The name of the producer is the token's, whatever a body says. */
  @Test
  void producer_isTheTokensSubject_andNothingElse() {
    String forged = "\"producerSub\":\"mallory\",\"producer_sub\":\"mallory\"";
    AuthClient alice = client("alice", "read-write");
    String item = "{\"queue\":\"subs\",\"transactionId\":\"%s\"," + forged + "}";
    assertThat(
            alice
                .post("/api/v1/push", "{\"items\":[" + item.formatted("t1") + "]," + forged + "}")
                .status())
        .isEqualTo(201);
    JsonObject first = alice.get("/api/v1/pop/queue/subs?consumerGroup=g").object();
    JsonObject transaction =
        alice
            .post(
                "/api/v1/transaction",
                "{\"operations\":[{\"type\":\"push\",\"items\":["
                    + item.formatted("t2")
                    + "]},{\"type\":\"push\",\"queue\":\"subs\",\"transactionId\":\"t3\","
                    + forged
                    + "}]}")
            .object();
    assertThat(transaction.getBoolean("success")).isTrue();
    String query =
        alice
            .post(
                "/streams/v1/queries",
                "{\"name\":\"s\",\"source_queue\":\"subs\",\"sink_queue\":\"subs\",\"config_hash\":\"h\"}")
            .object()
            .getString("query_id");
    JsonObject cycle =
        alice
            .post(
                "/streams/v1/cycle",
                "{\"query_id\":\"%s\",\"partition_id\":\"%s\",\"push_items\":[%s]}"
                    .formatted(query, first.getString("partitionId"), item.formatted("t4")))
            .object();
    assertThat(cycle.getBoolean("success")).as(cycle.encode()).isTrue();
    client("bob", "produce-only").post("/api/v1/push", push("subs", "t5"));

    JsonArray popped =
        alice
            .get("/api/v1/pop/queue/subs?batch=10&consumerGroup=other")
            .object()
            .getJsonArray("messages");

    assertThat(popped.stream().map(each -> ((JsonObject) each).getString("producerSub")))
        .containsExactly("alice", "alice", "alice", "alice", "bob");
    String partition = first.getString("partitionId");
    assertThat(alice.get("/api/v1/messages/" + partition + "/t3").object().getString("producerSub"))
        .isEqualTo("alice");
    alice.post("/api/v1/messages/" + partition + "/t5/dlq", "");
    assertThat(
            alice
                .get("/api/v1/dlq?queue=subs")
                .object()
                .getJsonArray("messages")
                .getJsonObject(0)
                .getString("producerSub"))
        .isEqualTo("bob");
    assertThat(database.query("select 1 from queen.segments where 'mallory' = any(producer_subs)"))
        .isEmpty();
  }

  @Test
  void transactions_areForThoseWhoMayDoAllOfThem() {
    admin.post("/api/v1/push", push("exchange", "t1"));
    JsonObject got = admin.get("/api/v1/pop/queue/exchange").object();
    String push = "{\"type\":\"push\",\"queue\":\"exchange2\",\"payload\":1}";
    String ack =
        "{\"type\":\"ack\",\"transactionId\":\"t1\",\"partitionId\":\"%s\",\"leaseId\":\"%s\"}"
            .formatted(got.getString("partitionId"), got.getString("leaseId"));
    AuthClient producer = client("p", "produce-only");
    AuthClient consumer = client("c", "consume-only");

    assertThat(transaction(producer, push + "," + ack).status()).isEqualTo(403);
    assertThat(transaction(producer, ack).status()).isEqualTo(403);
    assertThat(transaction(consumer, push + "," + ack).status()).isEqualTo(403);
    assertThat(transaction(consumer, push).status()).isEqualTo(403);
    assertThat(admin.get("/api/v1/pop/queue/exchange2").status()).isEqualTo(204);
    assertThat(transaction(producer, push).object().getBoolean("success")).isTrue();
    assertThat(transaction(consumer, ack).object().getBoolean("success")).isTrue();
    AuthClient both = AuthClient.of(server.port(), claims("b", "produce-only", "consume-only"));
    admin.post("/api/v1/push", push("exchange", "t2"));
    JsonObject next = both.get("/api/v1/pop/queue/exchange").object();
    assertThat(
            transaction(
                    both,
                    push
                        + ",{\"type\":\"ack\",\"transactionId\":\"t2\",\"partitionId\":\"%s\",\"leaseId\":\"%s\"}"
                            .formatted(next.getString("partitionId"), next.getString("leaseId")))
                .object()
                .getBoolean("success"))
        .isTrue();
  }

  private static Answer transaction(AuthClient client, String operations) {
    return client.post("/api/v1/transaction", "{\"operations\":[" + operations + "]}");
  }

  private static String push(String queue, String transactionId) {
    return "{\"items\":[{\"queue\":\"%s\",\"transactionId\":\"%s\"}]}"
            .formatted(queue, transactionId.length() > 255 ? "t" : transactionId)
        + " ".repeat(transactionId.length() > 255 ? transactionId.length() : 0);
  }

  private static AuthClient client(String subject, String role) {
    return AuthClient.of(server.port(), claims(subject, role));
  }

  private static String challenge(Answer answer) {
    return answer.http().headers().firstValue("WWW-Authenticate").orElse("");
  }

  /** All routes, with a token that is good for one queue, about that queue and about another. */
  @Test
  void limitedTokens_areGoodForTheirQueues_andForNothingElse() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "admin", "mine", "mine.*"));
    admin.post("/api/v1/push", push("theirs", "t"));
    admin.post("/api/v1/push", push("mine", "t"));
    JsonObject theirs = admin.get("/api/v1/pop/queue/theirs").object();
    JsonObject mine = admin.get("/api/v1/pop/queue/mine").object();
    Set<String> seen = new TreeSet<>();
    SoftAssertions soft = new SoftAssertions();
    for (LimitedCases.Case each : LimitedCases.all()) {
      seen.add(each.route());
      Answer refused = each.ask(own, "theirs", theirs);
      soft.assertThat(refused.status())
          .as(each.route() + " of theirs: " + refused.body())
          .isEqualTo(403);
      soft.assertThat(refused.error()).startsWith("Insufficient permissions");
      if (!each.refusedAlways()) {
        Answer answer = each.ask(own, "mine", mine);
        soft.assertThat(answer.status())
            .as(each.route() + " of mine: " + answer.body())
            .isNotIn(401, 403, 500);
      }
    }
    Set<String> guarded = new TreeSet<>(routes());
    // It filters, and has a test of its own.
    guarded.remove("GET /api/v1/pop");
    // It tells a token what it is good for.
    guarded.remove("GET /api/v1/dashboard/session");
    levels()
        .forEach(
            (route, level) -> {
              if (level == Level.NONE) {
                guarded.remove(route);
              }
            });
    soft.assertThat(seen).isEqualTo(guarded);
    soft.assertAll();
    // Nothing of it happened.
    assertThat(admin.get("/api/v1/resources/queues/theirs").status()).isEqualTo(200);
    assertThat(
            admin
                .post(
                    "/api/v1/ack",
                    "{\"transactionId\":\"t\",\"partitionId\":\"%s\",\"leaseId\":\"%s\"}"
                        .formatted(theirs.getString("partitionId"), theirs.getString("leaseId")))
                .array()
                .getJsonObject(0)
                .getBoolean("success"))
        .isTrue();
  }

  @Test
  void limitedTokens_takeTheirPartOfMixedRequests_orNothing() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "read-write", "mix.mine*"));
    String mixed = "{\"items\":[{\"queue\":\"mix.mine1\"},{\"queue\":\"mix.theirs\"}]}";
    assertThat(own.post("/api/v1/push", mixed).error())
        .isEqualTo("Insufficient permissions for queue mix.theirs");
    assertThat(admin.post("/api/v1/push", mixed).status()).isEqualTo(201);

    JsonObject got =
        own.get("/api/v1/pop?namespace=mix&batch=10&partitions=10&autoAck=true").object();

    assertThat(got.getString("queue")).isEqualTo("mix.mine1");
    assertThat(own.get("/api/v1/pop?namespace=mix").status()).isEqualTo(204);
    assertThat(admin.get("/api/v1/pop?namespace=mix").object().getString("queue"))
        .isEqualTo("mix.theirs");
  }

  /** A lease on several partitions is found in another way than one on one. */
  @Test
  void limitedTokens_doNotExtendOthersLeases() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "consume-only", "lease.mine"));
    for (String queue : List.of("lease.mine", "lease.theirs")) {
      admin.post(
          "/api/v1/push",
          "{\"items\":[{\"queue\":\"%1$s\",\"partition\":\"a\"},{\"queue\":\"%1$s\",\"partition\":\"b\"}]}"
              .formatted(queue));
      for (int partitions : List.of(1, 2)) {
        JsonObject got =
            admin
                .get(
                    "/api/v1/pop/queue/%s?batch=9&partitions=%d&consumerGroup=g%d"
                        .formatted(queue, partitions, partitions))
                .object();
        String extend = "/api/v1/lease/" + got.getString("leaseId") + "/extend";
        assertThat(got.getInteger("partitionsClaimed")).isEqualTo(partitions);
        assertThat(own.post(extend, "{}").status())
            .isEqualTo(queue.equals("lease.mine") ? 200 : 403);
      }
    }
  }

  /** The name of another caller's query must not be a way to its state. */
  @Test
  void limitedTokens_doNotTakeOverOthersStreams() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "read-write", "st.mine"));
    String query =
        "{\"name\":\"%s\",\"source_queue\":\"%s\",\"config_hash\":\"%s\",\"reset\":true}";
    admin.post("/streams/v1/queries", query.formatted("busy", "st.theirs", "h"));

    assertThat(own.post("/streams/v1/queries", query.formatted("busy", "st.mine", "x")).status())
        .isEqualTo(403);
    assertThat(own.post("/streams/v1/queries", query.formatted("free", "st.mine", "x")).status())
        .isEqualTo(200);
    assertThat(database.value("select source_queue from queen.stream_queries where name = 'busy'"))
        .isEqualTo("st.theirs");
  }

  /** Consumers pop by label, the highest priority first. */
  @Test
  void limitedTokens_giveNoLabelsAndNoPriorityBeyondTheirClaims() {
    AuthClient mal = AuthClient.of(server.port(), limited("mal", "read-write", "mal.*"));
    for (String more :
        List.of(
            "\"namespace\":\"payments\"",
            "\"task\":\"charge\"",
            "\"options\":{\"priority\":2147483647}",
            "\"merge\":true,\"namespace\":\"payments\"",
            "\"merge\":true,\"options\":{\"priority\":1}")) {
      Answer refused = configure(mal, "mal.q", more);
      assertThat(refused.status()).as(more).isEqualTo(403);
      assertThat(refused.error()).startsWith("Insufficient permissions to change the ");
    }
    assertThat(admin.get("/api/v1/resources/queues/mal.q").status()).isEqualTo(404);
    assertThat(configure(mal, "mal.q", "\"namespace\":\"mal\",\"task\":\"q\"").status())
        .isEqualTo(200);
    assertThat(configure(mal, "mal.plain", "\"namespace\":\"\"").status()).isEqualTo(200);

    // What another caller gave it stays, also if everything is replaced.
    configure(admin, "mal.q", "\"namespace\":\"payments\",\"options\":{\"priority\":5}");
    JsonObject kept = configure(mal, "mal.q", "\"options\":{\"leaseTime\":60}").object();
    assertThat(kept.getString("namespace")).isEqualTo("payments");
    assertThat(kept.getJsonObject("options").getInteger("priority")).isEqualTo(5);
    assertThat(kept.getJsonObject("options").getInteger("leaseTime")).isEqualTo(60);
    String same = "\"namespace\":\"payments\",\"options\":{\"priority\":5}";
    assertThat(configure(mal, "mal.q", same).status()).isEqualTo(200);
    assertThat(configure(mal, "mal.q", "\"namespace\":\"\"").status()).isEqualTo(403);
    assertThat(configure(mal, "mal.q", "\"namespace\":\"mal\"").status()).isEqualTo(403);
  }

  @Test
  void limitedTokens_giveTheLabelsOfTheirClaims() {
    JwtClaims claims = limited("mal", "read-write", "lab.*");
    claims.setStringListClaim("namespaces", List.of("lab", "lab-*"));
    AuthClient lab = AuthClient.of(server.port(), claims);
    String own = "\"namespace\":\"lab-x\",\"options\":{\"priority\":9}";
    assertThat(configure(lab, "lab.r", own).object().getString("namespace")).isEqualTo("lab-x");
    assertThat(configure(lab, "lab.r", "\"namespace\":\"payments\"").status()).isEqualTo(403);
    assertThat(configure(lab, "lab.r", "\"task\":\"charge\"").status()).isEqualTo(403);
    configure(admin, "lab.r", "\"namespace\":\"payments\"");
    assertThat(configure(lab, "lab.r", "\"options\":{\"priority\":10}").status()).isEqualTo(403);
    assertThat(configure(lab, "lab.r", "\"namespace\":\"lab\"").status()).isEqualTo(403);
    claims.setClaim("namespaces", 7);
    assertThat(configure(AuthClient.of(server.port(), claims), "lab.r", "\"merge\":true").status())
        .isEqualTo(401);
  }

  private static Answer configure(AuthClient client, String queue, String more) {
    return client.post("/api/v1/configure", "{\"queue\":\"%s\",%s}".formatted(queue, more));
  }

  /** What a deleted queue left behind is not for those who could not see the queue. */
  @Test
  void whatIsGone_isDeniedToLimitedTokens() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "admin", "gone.mine"));
    admin.post("/api/v1/push", push("gone.theirs", "t"));
    JsonObject got = admin.get("/api/v1/pop/queue/gone.theirs").object();
    String partition = got.getString("partitionId");
    String query = register(admin, "gone", "gone.theirs");
    String state = "{\"query_id\":\"%s\",\"partition_id\":\"%s\"".formatted(query, partition);
    String cycle = ",\"state_ops\":[{\"type\":\"upsert\",\"key\":\"k\",\"value\":1}]}";
    assertThat(admin.post("/streams/v1/cycle", state + cycle).object().getBoolean("success"))
        .isTrue();
    admin.delete("/api/v1/resources/queues/gone.theirs");

    for (Answer answer :
        List.of(
            own.post("/streams/v1/state/get", state + "}"),
            own.post("/streams/v1/cycle", state + "}"),
            own.get("/api/v1/traces/" + partition + "/t"),
            own.get("/api/v1/messages/" + partition + "/t"),
            own.post(
                "/api/v1/ack",
                "{\"transactionId\":\"t\",\"partitionId\":\"%s\"}".formatted(partition)))) {
      assertThat(answer.status()).as(answer.body()).isEqualTo(403);
    }
    String lease = "/api/v1/lease/" + UUID.randomUUID();
    assertThat(own.post(lease + "/extend", "{}").status()).isEqualTo(404);
    assertThat(own.delete(lease).status()).isEqualTo(404);
  }

  private static String register(AuthClient client, String name, String queue) {
    return client
        .post(
            "/streams/v1/queries",
            "{\"name\":\"%s\",\"source_queue\":\"%s\",\"config_hash\":\"h\"}"
                .formatted(name, queue))
        .object()
        .getString("query_id");
  }

  @Test
  void limitedTokens_useTheStreamsAndTracesOfTheirQueues() {
    AuthClient own = AuthClient.of(server.port(), limited("own", "admin", "sx.mine"));
    Map<String, String> partitions = new HashMap<>();
    for (String queue : List.of("sx.mine", "sx.theirs")) {
      admin.post("/api/v1/push", push(queue, "t"));
      String partition = admin.get("/api/v1/pop/queue/" + queue).object().getString("partitionId");
      partitions.put(queue, partition);
      admin.post(
          "/api/v1/traces",
          "{\"partitionId\":\"%s\",\"transactionId\":\"t\",\"traceNames\":\"sx\",\"data\":{}}"
              .formatted(partition));
    }
    String mine = partitions.getOrDefault("sx.mine", "");
    String body = "{\"query_id\":\"%s\",\"partition_id\":\"" + mine + "\"%s}";
    String theirQuery = register(admin, "sx.s", "sx.theirs");
    String ownQuery = register(own, "sx.o", "sx.mine");
    String push = ",\"push_items\":[{\"queue\":\"sx.theirs\"}]";
    assertThat(own.post("/streams/v1/cycle", body.formatted(theirQuery, "")).status())
        .isEqualTo(403);
    assertThat(own.post("/streams/v1/state/get", body.formatted(theirQuery, "")).status())
        .isEqualTo(403);
    assertThat(own.post("/streams/v1/cycle", body.formatted(ownQuery, push)).status())
        .isEqualTo(403);
    assertThat(own.post("/streams/v1/cycle", body.formatted(ownQuery, "")).status())
        .isNotIn(403, 500);
    assertThat(own.post("/streams/v1/state/get", body.formatted(ownQuery, "")).status())
        .isEqualTo(200);

    String names = "/api/v1/traces/by-name/sx";
    assertThat(admin.get(names).object().getJsonArray("traces")).hasSize(2);
    JsonObject seen = own.get(names + "?queue=sx.mine").object();
    assertThat(seen.getJsonArray("traces")).hasSize(1);
    assertThat(seen.getInteger("total")).isEqualTo(1);
    assertThat(own.get(names + "?queue=sx.theirs").status()).isEqualTo(403);
    assertThat(own.get(names).status()).isEqualTo(403);
    assertThat(admin.get(names + "?offset=10001").status()).isEqualTo(400);
  }
}
