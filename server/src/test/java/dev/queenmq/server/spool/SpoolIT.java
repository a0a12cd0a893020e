package dev.queenmq.server.spool;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.RestartablePostgres;
import dev.queenmq.server.testing.RestartablePostgres.Shutdown;
import io.vertx.core.json.JsonObject;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is pushed while PostgreSQL is away is kept on disk, and is there when it is back. */
class SpoolIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private static Path data;
  private static RestartablePostgres postgres;

  @TempDir private Path folder;

  @BeforeAll
  static void startPostgres() {
    postgres = RestartablePostgres.start(data);
  }

  @AfterAll
  static void stopPostgres() {
    postgres.close();
  }

  @Test
  void stoppedPostgres_pushesAreBuffered_andReplayedInOrder() throws Exception {
    try (RunningServer server = RunningServer.on(postgres.endpoint(), settings(4_000))) {
      List<String> sent = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        sent.add(push(server, "orders", sent.size(), "queued"));
      }
      postgres.stop(Shutdown.FAST);
      for (int i = 0; i < 20; i++) {
        sent.add(push(server, "orders", sent.size(), "buffered"));
      }
      Answer other = server.push(item("orders", "b", "b0"), item("orders", "p", "m" + sent.size()));
      sent.add("m" + sent.size());
      assertThat(other.status()).isEqualTo(201);
      assertThat(other.array().getJsonObject(1))
          .isEqualTo(
              new JsonObject()
                  .put("index", 1)
                  .put("status", "buffered")
                  .put("queue", "orders")
                  .put("partition", "p")
                  .put("transactionId", "m23")
                  .put("transaction_id", "m23"));
      assertThat(server.push(item("orders", "p", "bad\u0000id")).status()).isEqualTo(400);

      postgres.startAgain();
      // One producer goes on without a break: none of its messages may pass those before.
      pushUntilQueued(server, "orders", sent);

      assertThat(found(server, "orders", sent.size())).isEqualTo(sent);
      assertThat(server.get("/api/v1/pop/queue/orders/partition/b").transactionIds())
          .containsExactly("b0");
    }
  }

  @Test
  void postgresAwayAtStart_pushesAreTaken_andAllIsServedOnceItIsThere() throws Exception {
    postgres.stop(Shutdown.FAST);
    List<String> sent = new ArrayList<>();
    RunningServer server = RunningServer.on(postgres.endpoint(), settings(2_000));
    try {
      sent.add(push(server, "early", sent.size(), "buffered"));
      Answer health = server.get("/health");
      assertThat(health.status()).isEqualTo(503);
      assertThat(health.object().getString("database")).isEqualTo("disconnected");
      assertThat(server.get("/health/live").status()).isEqualTo(200);
      assertThat(server.pop("early", "").status()).isEqualTo(204);
      assertThat(server.pop("early", "wait=true&timeout=200").status()).isEqualTo(204);
      assertThat(server.get("/api/v1/pop?namespace=n").status()).isEqualTo(204);
      Answer queues = server.get("/api/v1/resources/queues");
      assertThat(queues.status()).isEqualTo(503);
      assertThat(queues.error()).contains("PostgreSQL");
      assertThat(server.post("/api/v1/ack", "{}").status()).isEqualTo(503);
    } finally {
      server.close();
    }
    // What was taken survives a restart that does not see PostgreSQL either.
    try (RunningServer again = RunningServer.on(postgres.endpoint(), settings(2_000))) {
      sent.add(push(again, "early", sent.size(), "buffered"));
      CompletableFuture<Answer> waits = again.popLater("early", "wait=true&timeout=60000");

      postgres.startAgain();
      // It gets nothing rather soon, so that its consumer comes again.
      waits.join();
      Awaitility.await().atMost(LIMIT).until(() -> again.get("/health").status() == 200);
      pushUntilQueued(again, "early", sent);
      assertThat(found(again, "early", sent.size())).isEqualTo(sent);
      assertThat(again.get("/api/v1/resources/queues").status()).isEqualTo(200);
    }
  }

  @Test
  void frozenPostgres_requestsAreAnsweredInTime_andNothingIsStoredTwice() throws Exception {
    try (RunningServer server = RunningServer.on(postgres.endpoint(), settings(5_000))) {
      // Nothing would recognise a message that comes twice.
      server.configure("twice", new JsonObject().put("dedupWindowSeconds", 0));
      List<String> once = new ArrayList<>();
      List<String> twice = new ArrayList<>();
      once.add(push(server, "once", once.size(), "queued"));
      twice.add(push(server, "twice", twice.size(), "queued"));
      server.push(item("leased", "p", "l"));
      JsonObject leased = server.pop("leased", "").messages().get(0);

      postgres.freeze();
      try {
        // The first ones are on their way to PostgreSQL, which will get them when it thaws.
        once.add(push(server, "once", once.size(), "buffered"));
        twice.add(push(server, "twice", twice.size(), "buffered"));
        CompletableFuture<Answer> atOnce = server.popLater("once", "consumerGroup=h");
        CompletableFuture<Answer> later =
            server.popLater("other", "consumerGroup=h&wait=true&timeout=500");
        CompletableFuture<Answer> labelled =
            server.getLater("/api/v1/pop?namespace=n&wait=true&timeout=500");
        for (int i = 0; i < 5; i++) {
          once.add(push(server, "once", once.size(), "buffered"));
          twice.add(push(server, "twice", twice.size(), "buffered"));
        }
        assertThat(server.ack(leased, "completed").status()).isEqualTo(503);
        assertThat(atOnce.join().status()).isEqualTo(204);
        assertThat(later.join().status()).isEqualTo(204);
        assertThat(labelled.join().status()).isEqualTo(204);
        assertThat(server.get("/health").status()).isEqualTo(503);
      } finally {
        postgres.thaw();
      }
      pushUntilQueued(server, "once", once);
      pushUntilQueued(server, "twice", twice);

      assertThat(found(server, "once", once.size())).isEqualTo(once);
      assertThat(found(server, "twice", twice.size())).isEqualTo(twice);
      assertThat(server.pop("once", "consumerGroup=g").status()).isEqualTo(204);
      assertThat(server.pop("twice", "consumerGroup=g").status()).isEqualTo(204);
    }
  }

  private static String push(RunningServer server, String queue, int number, String expected) {
    String id = "m" + number;
    Answer answer = server.push(item(queue, "p", id));
    assertThat(answer.status()).as(answer.body()).isEqualTo(201);
    assertThat(answer.array().getJsonObject(0).getString("status")).isEqualTo(expected);
    return id;
  }

  private static void pushUntilQueued(RunningServer server, String queue, List<String> sent) {
    Awaitility.await()
        .atMost(LIMIT)
        .pollInterval(Duration.ofMillis(5))
        .until(
            () -> {
              Answer answer = server.push(item(queue, "p", "m" + sent.size()));
              assertThat(answer.status()).as(answer.body()).isEqualTo(201);
              sent.add("m" + sent.size());
              return answer.array().getJsonObject(0).getString("status").equals("queued");
            });
  }

  /** What a group gets, in the order in which it does. */
  private static List<String> found(RunningServer server, String queue, int count) {
    List<String> found = new ArrayList<>();
    Awaitility.await()
        .atMost(LIMIT)
        .until(
            () -> {
              found.addAll(
                  server
                      .get(
                          "/api/v1/pop/queue/%s/partition/p?autoAck=true&batch=1000&consumerGroup=g"
                              .formatted(queue))
                      .transactionIds());
              return found.size() >= count;
            });
    return found;
  }

  private Map<String, String> settings(int deadlineMillis) {
    return Map.of(
        "QUEEN_SPOOL_DIR",
        folder.resolve("spool").toString(),
        "QUEEN_SPOOL_DEADLINE_MS",
        Integer.toString(deadlineMillis));
  }
}
