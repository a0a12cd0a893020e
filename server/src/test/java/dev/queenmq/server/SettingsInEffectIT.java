package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.http.admin.Scrape;
import dev.queenmq.server.sidecar.polling.OwnedQueues;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The settings that bound what a broker gathers and holds do so, and what exceeds them is told. */
@ExtendWith(PostgresExtension.class)
class SettingsInEffectIT {
  private TestDatabase database;

  @SuppressWarnings("NullAway.Init") // every test starts its own
  private RunningServer server;

  @BeforeEach
  void remember(TestDatabase fresh) {
    database = fresh;
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** A broker with one worker, unless the settings say otherwise, that knows a queue. */
  private void start(Map<String, String> settings) {
    Map<String, String> environment = new HashMap<>(Map.of("NUM_WORKERS", "1"));
    environment.putAll(settings);
    server = RunningServer.on(database.endpoint(), environment);
    assertThat(server.push(item("q", "p", "warm")).status()).isEqualTo(201);
  }

  private double metric(String sample) {
    return Scrape.of(server).value(sample);
  }

  private double calls() {
    return metric("queen_sidecar_calls_total{op=\"push\"}");
  }

  private void awaitMetric(String sample, int value) {
    Awaitility.await().until(() -> metric(sample) == value);
  }

  private void awaitPending(int requests) {
    awaitMetric("queen_sidecar_pending{op=\"push\"}", requests);
  }

  /** Stops all pushes to the queue until it is closed. */
  private PgConnection lock(String queue) {
    PgConnection connection = database.connect();
    await(
        connection
            .query(
                "begin; select from queen.partitions p join queen.queues q on q.id = p.queue_id"
                    + " where q.name = '"
                    + queue
                    + "' for update of p")
            .execute());
    return connection;
  }

  /** One that is sent and does not end, and others that wait behind it. */
  private List<CompletableFuture<Answer>> pushesBehindOne(int others, int payload) {
    double before = calls();
    List<CompletableFuture<Answer>> answers = pushes(0, 1, payload);
    Awaitility.await().until(() -> calls() == before + 1);
    answers.addAll(pushes(1, 1 + others, payload));
    awaitPending(others);
    return answers;
  }

  private List<CompletableFuture<Answer>> pushes(int from, int to, int payload) {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = from; i < to; i++) {
      answers.add(
          server.postLater(
              "/api/v1/push",
              new JsonObject()
                  .put(
                      "items",
                      new JsonArray()
                          .add(item("q", "p", "t" + i).put("payload", "x".repeat(payload))))
                  .encode()));
    }
    return answers;
  }

  private static void assertRefused(Answer answer, String text) {
    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.error()).isEqualTo(text);
    assertThat(answer.http().headers().firstValue("Retry-After")).contains("1");
  }

  private static void assertStored(List<CompletableFuture<Answer>> answers) {
    assertThat(answers).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(201));
  }

  @Test
  void microBatchWait_letsRequestsWaitForCompany() {
    start(Map.of("MICRO_BATCH_WAIT_MS", "1000"));
    // Two that reach the broker within that time: as a rule the first two do.
    Awaitility.await()
        .until(
            () -> {
              double before = calls();
              long asked = System.nanoTime();
              assertStored(pushes(0, 2, 1));
              assertThat(Duration.ofNanos(System.nanoTime() - asked))
                  .isGreaterThanOrEqualTo(Duration.ofSeconds(1));
              return calls() - before == 1;
            });
  }

  @Test
  void maxItems_boundsACall() {
    start(Map.of("MAX_ITEMS_PER_TX", "2"));
    double before = calls();
    PgConnection lock = lock("q");
    List<CompletableFuture<Answer>> answers = pushesBehindOne(5, 1);

    await(lock.close());

    // The one that waited for the lock, and the others two by two.
    assertStored(answers);
    assertThat(calls() - before).isEqualTo(4);
  }

  @Test
  void maxBytes_boundsACall() {
    start(Map.of("QUEEN_MAX_BYTES_PER_TX", "1024"));
    double before = calls();
    PgConnection lock = lock("q");
    List<CompletableFuture<Answer>> answers = pushesBehindOne(5, 300);

    await(lock.close());

    assertStored(answers);
    assertThat(calls() - before).isEqualTo(4);
  }

  @Test
  void maxPendingItems_refusesWhatIsBeyond() {
    start(Map.of("QUEEN_MAX_PENDING_ITEMS", "4"));
    PgConnection lock = lock("q");
    List<CompletableFuture<Answer>> answers = pushesBehindOne(3, 1);

    assertRefused(server.push(item("q", "p", "more")), "Too many requests are pending; try again");

    await(lock.close());
    assertStored(answers);
    assertThat(server.push(item("q", "p", "more")).status()).isEqualTo(201);
  }

  @Test
  void maxWaiting_refusesPollsThatWouldWait() {
    start(Map.of("MAX_WAITING", "1"));
    CompletableFuture<Answer> first = server.popLater("later", "wait=true&timeout=20000");
    awaitMetric("queen_waiting_polls", 1);

    assertRefused(server.pop("later", "wait=true&timeout=20000"), "Too many polls are waiting");
    assertThat(server.pop("later", "").status()).isEqualTo(204);

    server.push(item("later", "p", "t"));
    assertThat(first.join().transactionIds()).containsExactly("t");
  }

  @Test
  void maxWaitingPerAddress_refusesPollsThatWouldWait() {
    start(Map.of("QUEEN_MAX_WAITING_PER_ADDRESS", "1", "QUEEN_TRUSTED_PROXIES", "127.0.0.1"));
    CompletableFuture<Answer> first = server.popLater("later", "wait=true&timeout=20000");
    awaitMetric("queen_waiting_polls", 1);

    Answer second = server.pop("later", "wait=true&timeout=20000");

    assertThat(second.status()).isEqualTo(429);
    assertThat(second.error()).isEqualTo("Too many polls of your address are waiting");
    assertThat(server.pop("later", "").status()).isEqualTo(204);
    server.push(item("later", "p", "t"));
    assertThat(first.join().transactionIds()).containsExactly("t");
    assertThat(server.pop("later", "wait=true&timeout=1").status()).isEqualTo(204);
  }

  @Test
  void protection_isInEffect() {
    start(Map.of("QUEEN_CORS_ORIGINS", "none", "QUEEN_MAX_REQUESTS_PER_SECOND_PER_TOKEN", "1"));

    Answer health = server.get("/health");

    assertThat(health.status()).isEqualTo(200);
    assertThat(health.http().headers().firstValue("access-control-allow-origin")).isEmpty();
    Awaitility.await().until(() -> server.get("/metrics").status() == 429);
  }

  @Test
  void pushToTwoOwners_isAnsweredByItem_whenOneOfThemFails() {
    start(Map.of("NUM_WORKERS", "2", "DB_LOCK_TIMEOUT", "200"));
    String stuck = OwnedQueues.of(0, 2);
    String free = OwnedQueues.of(1, 2);
    server.push(item(stuck, "p", "before"));
    PgConnection lock = lock(stuck);

    Answer answer =
        server.push(item(stuck, "p", "s1"), item(free, "p", "f1"), item(stuck, "p", "s2"));
    Answer alone = server.push(item(stuck, "p", "s3"));
    await(lock.close());

    assertThat(answer.status()).isEqualTo(201);
    JsonObject failed = answer.array().getJsonObject(0);
    assertThat(failed.getString("status")).isEqualTo("failed");
    assertThat(failed.getString("transaction_id")).isEqualTo("s1");
    assertThat(answer.array().getJsonObject(1).getString("status")).isEqualTo("queued");
    assertThat(answer.array().getJsonObject(2).getString("status")).isEqualTo("failed");
    assertRefused(alone, failed.getString("error"));
    assertThat(server.pop(free, "batch=10").transactionIds()).containsExactly("f1");
    assertThat(server.pop(stuck, "batch=10").transactionIds()).containsExactly("before");
  }
}
