package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.auth.AuthClient;
import dev.queenmq.server.auth.TestTokens;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What consumers and operators see of leases, with two brokers on one database. */
@ExtendWith(PostgresExtension.class)
class LeaseHoldersIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String MOMENT = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z";

  private TestDatabase database;
  private RunningServer one;
  private RunningServer two;

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    one = RunningServer.on(fresh.endpoint(), Map.of("WORKER_ID", "one"));
    two = RunningServer.on(fresh.endpoint(), Map.of("WORKER_ID", "two"));
  }

  @AfterEach
  void stop() throws IOException {
    one.close();
    two.close();
  }

  @Test
  void attempt_countsDeliveries_afterFailure_retry_expiryAndAnOperatorsEnd() {
    one.configure("q", new JsonObject().put("retryLimit", 10));
    one.push(item("q", "p", "1"), item("q", "p", "2"), item("q", "p", "3"));
    assertThat(one.pop("q", "batch=3&consumerGroup=other&autoAck=true").messages())
        .allSatisfy(
            message -> {
              assertThat(message.getInteger("attempt")).isEqualTo(1);
              assertThat(message.getString("leaseExpiresAt")).isNull();
            });

    List<JsonObject> first = one.pop("q", "batch=2").messages();
    assertThat(first).extracting(LeaseHoldersIT::attempt).containsExactly("1:1", "2:1");
    assertThat(first.get(0).getString("leaseExpiresAt")).matches(MOMENT);
    assertThat(
            Duration.between(now(), Instant.parse(first.get(0).getString("leaseExpiresAt")))
                .toSeconds())
        .isBetween(200L, 301L);
    one.ack(first.get(0), "failed");
    // The message that never came before comes for the first time.
    List<JsonObject> failed = two.pop("q", "batch=3").messages();
    assertThat(failed).extracting(LeaseHoldersIT::attempt).containsExactly("1:2", "2:2", "3:1");

    // Some are done, one is to come again: the rest comes with it.
    two.ack(failed.get(0), "completed");
    two.ack(failed.get(1), "retry");
    List<JsonObject> retried = one.pop("q", "batch=3").messages();
    assertThat(retried).extracting(LeaseHoldersIT::attempt).containsExactly("2:3", "3:2");

    // By its name, because the broker still believes in the lease.
    database.query("update queen.cursors set lease_expires_at = clock_timestamp()");
    List<JsonObject> expired = one.get("/api/v1/pop/queue/q/partition/p?batch=3").messages();
    assertThat(expired).extracting(LeaseHoldersIT::attempt).containsExactly("2:4");
    assertThat(one.delete(lease(expired.get(0))).status()).isEqualTo(200);
    List<JsonObject> ended = one.pop("q", "batch=3").messages();
    assertThat(ended).extracting(LeaseHoldersIT::attempt).containsExactly("2:5");
    one.ack(ended.get(0), "completed");
    List<JsonObject> last = one.pop("q", "batch=3").messages();
    assertThat(last).extracting(LeaseHoldersIT::attempt).containsExactly("3:3");
    one.ack(last.get(0), "completed");
    one.push(item("q", "p", "4"));
    assertThat(one.pop("q", "autoAck=true").messages())
        .extracting(LeaseHoldersIT::attempt)
        .containsExactly("4:1");
    assertThat(database.query("select 1 from queen.cursors where redeliveries is not null"))
        .isEmpty();
  }

  @Test
  void leases_areListedWithTheirHolder_byEveryBroker() {
    one.push(item("q", "a", "1"), item("q", "a", "2"), item("q", "b", "3"), item("r", "p", "4"));
    List<JsonObject> several = one.pop("q", "batch=10&partitions=2&consumerGroup=g").messages();
    List<JsonObject> waited = two.pop("r", "wait=true&timeout=20000").messages();
    one.pop("q", "consumerGroup=auto&autoAck=true");
    JsonObject ofA =
        several.stream()
            .filter(each -> each.getString("partition").equals("a"))
            .findFirst()
            .orElseThrow();
    one.ack(ofA, "completed");

    List<JsonObject> seen = leases(two, "");
    assertThat(leases(one, "")).isEqualTo(seen);
    assertThat(seen)
        .extracting(each -> each.getString("queue") + "/" + each.getString("partition"))
        .containsExactly("q/a", "q/b", "r/p");
    JsonObject a = seen.get(0);
    assertThat(a.getString("leaseId")).isEqualTo(ofA.getString("leaseId"));
    assertThat(a.getString("partitionId")).isEqualTo(ofA.getString("partitionId"));
    assertThat(a.getString("consumerGroup")).isEqualTo("g");
    assertThat(a.getInteger("messages")).isEqualTo(2);
    assertThat(a.getInteger("done")).isEqualTo(1);
    assertThat(a.getString("address")).isEqualTo("127.0.0.1");
    assertThat(a.getString("subject")).isNull();
    assertThat(a.getString("broker")).startsWith("one@");
    assertThat(a.getString("since")).matches(MOMENT).isLessThan(a.getString("until"));
    assertThat(a.getString("until")).isEqualTo(ofA.getString("leaseExpiresAt"));
    JsonObject r = seen.get(2);
    assertThat(r.getString("broker")).startsWith("two@");
    assertThat(r.getString("leaseId")).isEqualTo(waited.get(0).getString("leaseId"));
    assertThat(r.getString("consumerGroup")).isEqualTo("__QUEUE_MODE__");

    assertThat(leases(one, "queue=q&consumerGroup=g&limit=1&offset=1"))
        .containsExactly(seen.get(1));
    assertThat(leases(one, "queue=nothing")).isEmpty();
    assertThat(leases(one, "consumerGroup=nothing")).isEmpty();
    one.ackAll(several, "completed");
    two.ack(waited.get(0), "completed");
    assertThat(leases(one, "")).isEmpty();
  }

  @Test
  void holder_isTheTokensSubject_whateverCharactersItHas(TestDatabase fresh) throws IOException {
    try (RunningServer server =
        RunningServer.on(
            fresh.endpoint(), Map.of("JWT_ENABLED", "true", "JWT_SECRET", TestTokens.SECRET))) {
      AuthClient alice = AuthClient.of(server.port(), TestTokens.claims("\u00e9lise \"", "admin"));
      alice.post("/api/v1/push", "{\"items\":[{\"queue\":\"t\",\"payload\":1}]}");
      assertThat(alice.get("/api/v1/pop/queue/t").status()).isEqualTo(200);

      JsonObject lease =
          alice.get("/api/v1/leases?queue=t").object().getJsonArray("leases").getJsonObject(0);
      assertThat(lease.getString("subject")).isEqualTo("\u00e9lise \"");
      assertThat(lease.getString("address")).isEqualTo("127.0.0.1");
      alice.post("/api/v1/resources/queues/t/pause", "");
      assertThat(alice.get("/api/v1/resources/queues/t").object().getString("pausedBy"))
          .isEqualTo("\u00e9lise \"");
    }
  }

  @Test
  void endOfALease_givesItsMessagesToOthersAtOnce_alsoThoseWhoWaitElsewhere() {
    one.push(item("q", "a", "1"), item("q", "b", "2"));
    List<JsonObject> held = one.pop("q", "batch=10&partitions=2&consumerGroup=g").messages();
    assertThat(held).hasSize(2);
    CompletableFuture<Answer> here =
        one.getLater("/api/v1/pop/queue/q/partition/a?wait=true&timeout=60000&consumerGroup=g");
    CompletableFuture<Answer> there =
        two.getLater("/api/v1/pop/queue/q/partition/b?wait=true&timeout=60000&consumerGroup=g");
    assertThat(one.pop("q", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(here).isNotDone();
    assertThat(there).isNotDone();

    Answer ended = one.delete(lease(held.get(0)));
    assertThat(ended.status()).as(ended.body()).isEqualTo(200);
    assertThat(ended.object().getInteger("partitions")).isEqualTo(2);
    Awaitility.await().atMost(LIMIT).until(() -> here.isDone() && there.isDone());
    assertThat(here.join().transactionIds()).containsExactly("1");
    assertThat(there.join().transactionIds()).containsExactly("2");

    // The old lease changes nothing and says so.
    Answer late = one.ack(held.get(0), "completed");
    assertThat(late.body()).contains("\"success\":false", "lease");
    assertThat(one.post(lease(held.get(0)) + "/extend", "{}").status()).isIn(404, 409);
    Answer again = one.delete(lease(held.get(0)));
    assertThat(again.status()).isEqualTo(404);
    assertThat(again.error()).isEqualTo("Lease not found");
    assertThat(one.ack(here.join().messages().get(0), "completed").body())
        .contains("\"success\":true");
    assertThat(one.delete("/api/v1/lease/" + UUID.randomUUID()).status()).isEqualTo(404);
    Answer malformed = one.delete("/api/v1/lease/nothing");
    assertThat(malformed.status()).isEqualTo(400);
    assertThat(malformed.error()).isEqualTo("leaseId must be a UUID");
  }

  private static String attempt(JsonObject message) {
    return message.getString("transactionId") + ":" + message.getInteger("attempt");
  }

  private static String lease(JsonObject message) {
    return "/api/v1/lease/" + message.getString("leaseId");
  }

  private static List<JsonObject> leases(RunningServer server, String query) {
    return server.get("/api/v1/leases?" + query).object().getJsonArray("leases").stream()
        .map(JsonObject.class::cast)
        .toList();
  }

  private Instant now() {
    return ((OffsetDateTime) database.value("select clock_timestamp()")).toInstant();
  }
}
