package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.item;
import static dev.queenmq.server.testing.Await.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgConnection;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Transactions that clients send more than once under the same key. */
@ExtendWith(PostgresExtension.class)
class IdempotencyKeysIT {
  private final HttpClient http = HttpClient.newHttpClient();
  private TestDatabase database;
  private RunningServer server;

  IdempotencyKeysIT() {}

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint());
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void sameKeyAndContent_isAnsweredAlike_alsoByAnotherBroker() throws IOException {
    server.push(item("in", "p", "a"));
    JsonObject message = server.pop("in", "batch=1").messages().get(0);
    String body =
        new JsonObject()
            .put(
                "operations",
                new JsonArray()
                    // Without an id of its own: the server makes one, and must repeat it.
                    .add(new JsonObject().put("type", "push").put("queue", "out"))
                    .add(RunningServer.ackItem(message, "completed").put("type", "ack"))
                    .add(item("out", "other", "b").put("type", "push")))
            .encode();

    HttpResponse<String> first = send(server, "k-1", body).join();
    HttpResponse<String> second = send(server, "k-1", body).join();
    HttpResponse<String> third;
    try (RunningServer other = RunningServer.on(database.endpoint())) {
      third = send(other, "k-1", body).join();
    }

    assertThat(first.statusCode()).isEqualTo(200);
    assertThat(new JsonObject(first.body()).getBoolean("success")).isTrue();
    assertThat(second.statusCode()).isEqualTo(200);
    assertThat(second.body()).isEqualTo(first.body());
    assertThat(third.body()).isEqualTo(first.body());
    assertThat(count("out")).isEqualTo(2);
  }

  @Test
  void keyOfTheBody_isTheSameAsThatOfTheHeader() {
    JsonObject body = pushing("a").put("idempotencyKey", "k");

    Answer first = server.post("/api/v1/transaction", body);
    HttpResponse<String> second = send(server, "k", body.encode()).join();
    HttpResponse<String> contradiction = send(server, "other", body.encode()).join();

    assertThat(second.body()).isEqualTo(first.body());
    assertThat(contradiction.statusCode()).isEqualTo(400);
    assertThat(new JsonObject(contradiction.body()).getString("error"))
        .isEqualTo("Idempotency-Key and idempotencyKey are not the same");
    assertThat(count("out")).isEqualTo(1);
  }

  @Test
  void sameKeyWithOtherContent_isRefused_andNothingHappens() {
    send(server, "k", pushing("a").encode()).join();

    HttpResponse<String> other = send(server, "k", pushing("b").encode()).join();

    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(new JsonObject(other.body()).getBoolean("success")).isFalse();
    assertThat(new JsonObject(other.body()).getString("error"))
        .isEqualTo(
            "Idempotency-Key was used for another transaction; use a new key for other content");
    assertThat(count("out")).isEqualTo(1);
  }

  @Test
  void keyOfATransactionThatWasRolledBack_isFree() {
    server.push(item("out", "p", "a"));

    HttpResponse<String> duplicate = send(server, "k", pushing("a").encode()).join();
    HttpResponse<String> other = send(server, "k", pushing("b").encode()).join();

    assertThat(new JsonObject(duplicate.body()).getString("error")).contains("duplicate key");
    assertThat(new JsonObject(other.body()).getBoolean("success")).isTrue();
  }

  @Test
  void sameKeyAtTheSameTime_happensOnce_andBothAreAnsweredAlike() {
    server.configure("out", new JsonObject().put("dedupWindowSeconds", 0));
    server.push(item("out", "p", "before"));
    PgConnection holder = database.connect();
    run(holder, "begin");
    run(holder, "select from queen.partitions for update");
    String body = pushing("a").encode();

    List<CompletableFuture<HttpResponse<String>>> both =
        List.of(send(server, "k", body), send(server, "k", body));
    Awaitility.await()
        .until(
            () ->
                database.value(
                    "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"
                        + " and datname = current_database()"),
            Long.valueOf(2)::equals);
    run(holder, "commit");

    assertThat(both.get(0).join().body()).isEqualTo(both.get(1).join().body());
    assertThat(new JsonObject(both.get(0).join().body()).getBoolean("success")).isTrue();
    assertThat(count("out")).isEqualTo(2);
    await(holder.close());
  }

  @Test
  void keyThatIsKeptNoLonger_isFree() {
    String body = pushing("a").encode();
    send(server, "k", body).join();
    database.query("update queen.transactions set expires_at = clock_timestamp()");

    HttpResponse<String> again = send(server, "k", body).join();

    assertThat(new JsonObject(again.body()).getString("error")).contains("duplicate key");
  }

  @Test
  void badKeys_areRefused() {
    String body = pushing("a").encode();

    assertThat(error(send(server, "k".repeat(256), body)))
        .isEqualTo("Idempotency-Key is longer than 255 characters");
    assertThat(error(send(server, " ", body))).isEqualTo("Idempotency-Key must not be empty");
    assertThat(server.post("/api/v1/transaction", pushing("a").put("idempotencyKey", 7)).error())
        .isEqualTo("idempotencyKey must be a string");
    assertThat(
            server.post("/api/v1/transaction", pushing("a").put("idempotencyKey", "a\nb")).error())
        .isEqualTo("idempotencyKey contains a control character");
    assertThat(count("out")).isZero();
  }

  private static String error(CompletableFuture<HttpResponse<String>> answer) {
    assertThat(answer.join().statusCode()).isEqualTo(400);
    return new JsonObject(answer.join().body()).getString("error");
  }

  private static JsonObject pushing(String transactionId) {
    return new JsonObject()
        .put(
            "operations", new JsonArray().add(item("out", "p", transactionId).put("type", "push")));
  }

  private CompletableFuture<HttpResponse<String>> send(
      RunningServer broker, String key, String body) {
    return http.sendAsync(
        HttpRequest.newBuilder(
                URI.create("http://127.0.0.1:" + broker.port() + "/api/v1/transaction"))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", key)
            .POST(BodyPublishers.ofString(body))
            .build(),
        BodyHandlers.ofString());
  }

  private long count(String queue) {
    return (long)
        database.value("select count(*) from queen.messages where queue = '" + queue + "'");
  }

  private static void run(PgConnection connection, String sql) {
    await(connection.query(sql).execute());
  }
}
