package dev.queenmq.server;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.FaultyProxy;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients see when PostgreSQL commits a call, and its reply never reaches the broker. */
@ExtendWith(PostgresExtension.class)
class LostRepliesIT {
  private TestDatabase database;
  private FaultyProxy line;
  private RunningServer server;

  LostRepliesIT() {}

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    line = new FaultyProxy(fresh.vertx(), fresh.endpoint(), FaultyProxy.Fault.NONE);
    server = RunningServer.on(line.endpoint());
  }

  @AfterEach
  void stop() throws Exception {
    server.close();
    line.close();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3600})
  void push_isStoredOnce_andAnsweredQueued(int window) {
    server.configure("q", new JsonObject().put("dedupWindowSeconds", window));
    server.push(item("q", "p", "before"));

    line.loseReplies();
    CompletableFuture<Answer> pushed =
        server.postLater(
            "/api/v1/push",
            new JsonObject().put("items", new JsonArray().add(item("q", "p", "a"))).encode());
    Awaitility.await().until(() -> stored().contains("a"));
    line.cut();

    JsonObject answer = pushed.join().array().getJsonObject(0);
    assertThat(answer.getString("status")).isEqualTo("queued");
    assertThat(answer.getString("message_id"))
        .isEqualTo(
            database
                .value("select message_id from queen.messages where transaction_id = 'a'")
                .toString());
    server.push(item("q", "p", "after"));
    assertThat(stored()).containsExactly("before", "a", "after");
  }

  private List<String> stored() {
    return database
        .query(
            "select transaction_id from queen.messages where queue = 'q' order by message_offset")
        .stream()
        .map(row -> row.getString(0))
        .toList();
  }
}
