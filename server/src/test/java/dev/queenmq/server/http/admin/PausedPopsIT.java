package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Pops that an operator pauses, with two brokers on one database that do not speak to each other.
 */
@ExtendWith(PostgresExtension.class)
class PausedPopsIT {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String QUEUE = "/api/v1/resources/queues/q";
  private static final String GROUP = "/api/v1/consumer-groups/g/queues/q";

  private TestDatabase database;
  private RunningServer one;
  private RunningServer two;

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    one = RunningServer.on(fresh.endpoint());
    two = RunningServer.on(fresh.endpoint());
  }

  @AfterEach
  void stop() throws IOException {
    one.close();
    two.close();
  }

  @Test
  void pausedQueue_givesNothingAtAnyBroker_untilItIsResumed() throws IOException {
    one.push(item("q", "a", "1"), item("q", "b", "2"), item("q", "c", "3"));
    List<JsonObject> held = two.pop("q", "consumerGroup=g").messages();
    CompletableFuture<Answer> before =
        two.popLater("q", "wait=true&timeout=60000&consumerGroup=n&subscriptionMode=new");
    Answer pause = one.post(QUEUE + "/pause", "");
    assertThat(pause.status()).as(pause.body()).isEqualTo(200);
    assertThat(pause.object().getBoolean("paused")).isTrue();
    assertThat(pause.object().getBoolean("changed")).isTrue();
    String since = pause.object().getString("since");
    Answer again = one.post(QUEUE + "/pause", "");
    assertThat(again.object().getBoolean("changed")).isFalse();
    assertThat(again.object().getString("since")).isEqualTo(since);

    for (RunningServer server : List.of(one, two)) {
      for (String pop :
          List.of(
              "/api/v1/pop/queue/q?consumerGroup=g",
              "/api/v1/pop/queue/q?batch=10&partitions=10",
              "/api/v1/pop/queue/q?autoAck=true&consumerGroup=auto",
              "/api/v1/pop/queue/q?wait=true&timeout=200",
              "/api/v1/pop/queue/q?wait=true&timeout=200&batch=10&partitions=10&consumerGroup=g",
              "/api/v1/pop/queue/q/partition/b?consumerGroup=g",
              "/api/v1/pop/queue/q/partition/b?consumerGroup=g&wait=true&timeout=200")) {
        Answer nothing = server.get(pop);
        assertThat(nothing.status()).as(pop).isEqualTo(204);
        assertThat(nothing.http().headers().firstValue("X-Queen-Paused")).as(pop).hasValue("true");
      }
    }
    // A lease stays what it was, and pushes go on.
    assertThat(
            two.post("/api/v1/lease/" + held.get(0).getString("leaseId") + "/extend", "{}")
                .status())
        .isEqualTo(200);
    assertThat(two.ack(held.get(0), "completed").body()).contains("\"success\":true");
    assertThat(one.push(item("q", "d", "4")).status()).isEqualTo(201);
    assertThat(before).isNotDone();
    // A broker that starts later knows it, and so does one whose queue is configured again.
    one.configure("q", new JsonObject().put("leaseTime", 60));
    try (RunningServer three = RunningServer.on(database.endpoint())) {
      assertThat(three.pop("q", "batch=10&consumerGroup=g").status()).isEqualTo(204);
      assertThat(three.get(QUEUE).object().getBoolean("paused")).isTrue();
    }

    CompletableFuture<Answer> here = one.popLater("q", "wait=true&timeout=60000&consumerGroup=g");
    CompletableFuture<Answer> there = two.popLater("q", "wait=true&timeout=60000&consumerGroup=g");
    CompletableFuture<Answer> named =
        two.getLater("/api/v1/pop/queue/q/partition/b?wait=true&timeout=60000&consumerGroup=h");
    Answer resume = one.post(QUEUE + "/resume", "");
    assertThat(resume.object().getBoolean("paused")).isFalse();
    assertThat(resume.object().getBoolean("changed")).isTrue();
    assertThat(resume.object().getString("since")).isNull();
    assertThat(one.post(QUEUE + "/resume", "").object().getBoolean("changed")).isFalse();
    Awaitility.await()
        .atMost(LIMIT)
        .until(() -> here.isDone() && there.isDone() && named.isDone() && before.isDone());
    assertThat(here.join().messages()).hasSize(1);
    assertThat(there.join().messages()).hasSize(1);
    assertThat(named.join().transactionIds()).containsExactly("2");
    assertThat(before.join().transactionIds()).containsExactly("4");
    assertThat(two.pop("q", "consumerGroup=nobody").http().headers().firstValue("X-Queen-Paused"))
        .isEmpty();
  }

  @Test
  void pausedGroup_leavesOthersAlone_andIsShown() {
    one.push(item("q", "a", "1"), item("q", "b", "2"));
    one.pop("q", "consumerGroup=other");
    one.pop("q", "consumerGroup=g&autoAck=true");
    assertThat(one.post(GROUP + "/pause", "").object().getString("consumerGroup")).isEqualTo("g");

    assertThat(two.pop("q", "consumerGroup=g").status()).isEqualTo(204);
    assertThat(two.pop("q", "consumerGroup=other").messages()).hasSize(1);
    for (String page : List.of(QUEUE, "/api/v1/status/queues/q")) {
      JsonObject shown = two.get(page).object();
      assertThat(shown.getBoolean("paused")).as(page).isFalse();
      JsonObject group = shown.getJsonArray("pausedGroups").getJsonObject(0);
      assertThat(group.getString("consumerGroup")).isEqualTo("g");
      assertThat(group.getString("since")).isNotEmpty();
    }
    for (String page : List.of("/api/v1/resources/queues", "/api/v1/status/queues")) {
      JsonObject shown = two.get(page).object().getJsonArray("queues").getJsonObject(0);
      assertThat(shown.getBoolean("paused")).as(page).isFalse();
      assertThat(shown.getJsonArray("pausedGroups")).hasSize(1);
    }
    assertThat(paused("g")).isTrue();
    assertThat(paused("other")).isFalse();

    // Both hold: the queue's end leaves the group's.
    one.post(QUEUE + "/pause", "");
    assertThat(paused("other")).isTrue();
    assertThat(two.get(QUEUE).object().getBoolean("paused")).isTrue();
    one.post(QUEUE + "/resume", "");
    assertThat(two.pop("q", "consumerGroup=g").status()).isEqualTo(204);
    one.post(GROUP + "/resume", "");
    assertThat(two.pop("q", "consumerGroup=g").messages()).hasSize(1);
    assertThat(database.query("select 1 from queen.queues where pauses is not null")).isEmpty();

    // A group that the queue does not know is a typo, not a consumer that will come.
    for (String change : List.of("/pause", "/resume")) {
      Answer typo = one.post("/api/v1/consumer-groups/typo/queues/q" + change, "");
      assertThat(typo.status()).as(change).isEqualTo(404);
      assertThat(typo.error()).isEqualTo("Consumer group not found");
    }
    assertThat(database.query("select 1 from queen.queues where pauses is not null")).isEmpty();
    // A pause of a group that was deleted since can be ended.
    one.post(GROUP + "/pause", "");
    assertThat(one.delete("/api/v1/consumer-groups/g").status()).isEqualTo(200);
    assertThat(one.post(GROUP + "/resume", "").object().getBoolean("changed")).isTrue();
    assertThat(one.post(GROUP + "/resume", "").status()).isEqualTo(404);

    assertThat(one.post("/api/v1/resources/queues/nothing/pause", "").status()).isEqualTo(404);
    assertThat(one.post("/api/v1/consumer-groups/g/queues/nothing/resume", "").error())
        .isEqualTo("Queue not found");
    assertThat(one.post("/api/v1/resources/queues/" + "x".repeat(256) + "/pause", "").status())
        .isEqualTo(400);
  }

  @Test
  void popsByLabel_skipPausedQueues() {
    for (String queue : List.of("q", "r")) {
      one.post(
          "/api/v1/configure",
          new JsonObject()
              .put("queue", queue)
              .put("namespace", "n")
              .put("options", new JsonObject().put("priority", queue.equals("q") ? 9 : 1)));
    }
    one.push(item("q", "p", "first"), item("r", "p", "second"));
    one.post(QUEUE + "/pause", "");
    String pop = "/api/v1/pop?namespace=n&consumerGroup=g&autoAck=true&wait=true&timeout=60000";
    assertThat(two.get(pop).transactionIds()).containsExactly("second");
    CompletableFuture<Answer> waits = two.getLater(pop);
    one.post(QUEUE + "/resume", "");
    Awaitility.await().atMost(LIMIT).until(waits::isDone);
    assertThat(waits.join().transactionIds()).containsExactly("first");
  }

  private boolean paused(String group) {
    return two.get("/api/v1/consumer-groups").array().stream()
        .map(JsonObject.class::cast)
        .filter(each -> each.getString("name").equals(group))
        .findFirst()
        .orElseThrow()
        .getBoolean("paused");
  }
}
