package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.http.admin.Scrape;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every option of a queue has the effect it names, over real HTTP. */
class OptionsIT extends OptionsFixture {
  @Test
  void deadLettersSwitchedOff_meansRetriesWithoutEnd() {
    for (String option : List.of("deadLetterQueue", "dlqAfterMaxRetries")) {
      String queue = "no-" + option;
      JsonObject settings = new JsonObject().put("retryLimit", 1).put(option, false);
      assertThat(options(server.configure(queue, settings)).getBoolean(option)).isFalse();
      server.push(item(queue, "p", "stubborn"), item(queue, "p", "next"));
      for (int failure = 0; failure < 5; failure++) {
        JsonObject message = server.pop(queue, "consumerGroup=g").messages().get(0);
        assertThat(message.getString("transactionId")).isEqualTo("stubborn");
        JsonObject result = server.ack(message, "failed").array().getJsonObject(0);
        assertThat(result.getBoolean("success")).isTrue();
        assertThat(result.getBoolean("dlq")).isFalse();
      }
      assertThat(deadLetters(queue)).isZero();

      // An ack with the status dlq still makes it a dead letter.
      JsonObject message = server.pop(queue, "consumerGroup=g").messages().get(0);
      assertThat(server.ack(message, "dlq").array().getJsonObject(0).getBoolean("dlq")).isTrue();
      assertThat(deadLetters(queue)).isEqualTo(1);
      assertThat(server.pop(queue, "consumerGroup=g").transactionIds()).containsExactly("next");
    }
  }

  @Test
  void deadLettersSwitchedOff_stillTakeWhatKillsItsConsumers() {
    server.configure("killer", new JsonObject().put("retryLimit", 1).put("deadLetterQueue", false));
    server.push(item("killer", "p", "poison"), item("killer", "p", "fine"));
    List<String> delivered = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      delivered.addAll(named("killer", "p", "consumerGroup=g").transactionIds());
      database.query(
          "update queen.cursors set lease_expires_at = clock_timestamp() where lease_id is not"
              + " null");
    }

    assertThat(delivered).containsExactly("poison", "poison", "fine");
    assertThat(deadLetters("killer")).isEqualTo(1);
  }

  @Test
  void deadLetters_thatAreNotSet_areUsed_andShownAsNotSet() {
    for (JsonObject said :
        List.of(new JsonObject(), new JsonObject().put("deadLetterQueue", true))) {
      String queue = "dlq-" + said.size();
      JsonObject shown = options(server.configure(queue, said.copy().put("retryLimit", 0)));
      assertThat(shown.getBoolean("deadLetterQueue")).isEqualTo(said.size() == 1 ? true : null);
      assertThat(shown.getBoolean("dlqAfterMaxRetries")).isTrue();
      server.push(item(queue, "p", "t"));
      server.ack(server.pop(queue, "").messages().get(0), "failed");
      assertThat(deadLetters(queue)).isEqualTo(1);
    }
  }

  @Test
  void priority_ordersTheQueuesOfAPop() {
    for (String queue : List.of("low", "mid", "high")) {
      configure(queue, "prio", "", new JsonObject().put("priority", "low mid high".indexOf(queue)));
    }
    server.push(item("low", "p", "low"), item("high", "p", "high"), item("mid", "p", "mid"));
    server.push(item("high", "q", "high2"));

    List<String> order = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      order.addAll(label("namespace=prio").transactionIds());
    }
    assertThat(order)
        .containsExactlyInAnyOrder("high", "high2", "mid", "low")
        .endsWith("mid", "low");
    assertThat(order.get(0)).startsWith("high");
    assertThat(label("namespace=prio").status()).isEqualTo(204);

    // The other way round, at once.
    configure("low", "prio", "", new JsonObject().put("priority", 99));
    server.push(item("high", "r", "high3"), item("low", "r", "low3"));
    assertThat(label("namespace=prio").transactionIds()).containsExactly("low3");
    assertThat(label("namespace=prio").transactionIds()).containsExactly("high3");
  }

  @Test
  void priority_alsoOfAWaitingPop_whenSeveralQueuesAreReady() {
    for (int i = 0; i < 6; i++) {
      configure("urgent" + i, "wait", "", new JsonObject().put("priority", i));
    }
    int first = 0;
    for (int round = 0; round < 8; round++) {
      String id = "r" + round;
      CompletableFuture<Answer> waiting =
          labelLater("namespace=wait&wait=true&timeout=60000&autoAck=true");
      // This one goes the same way, behind it.
      assertThat(label("namespace=wait").status()).isEqualTo(204);
      // All at one moment, the least important first.
      JsonArray items = new JsonArray();
      IntStream.range(0, 6).forEach(i -> items.add(item("urgent" + i, "p", id)));
      server.post(
          "/api/v1/transaction",
          new JsonObject()
              .put(
                  "operations",
                  new JsonArray().add(new JsonObject().put("type", "push").put("items", items))));

      List<String> expected = new ArrayList<>(List.of("urgent5", "urgent4", "urgent3"));
      expected.addAll(List.of("urgent2", "urgent1", "urgent0"));
      String woken = waiting.join().object().getString("queue");
      first += woken.equals("urgent5") ? 1 : 0;
      expected.remove(woken);
      List<String> rest = new ArrayList<>();
      for (int i = 1; i < 6; i++) {
        rest.add(
            label("namespace=wait&wait=true&timeout=60000&autoAck=true")
                .object()
                .getString("queue"));
      }
      assertThat(rest).isEqualTo(expected);
    }
    // Unless it was just going through the queues, and had found the first one empty.
    assertThat(first).isGreaterThanOrEqualTo(4);
  }

  @Test
  void leaseTime_zeroMeansAMinute() {
    server.configure("lease", new JsonObject().put("leaseTime", 0));
    server.configure("lease7", new JsonObject().put("leaseTime", 700));
    server.push(item("lease", "p", "1"), item("lease7", "p", "1"));
    server.pop("lease", "");
    server.pop("lease7", "");

    assertThat(leaseSeconds("lease")).isBetween(1L, 60L);
    assertThat(leaseSeconds("lease7")).isBetween(61L, 700L);
  }

  @Test
  void retryDelay_holdsTheFailedMessageBack_andNothingElse() {
    server.configure("delay", new JsonObject().put("retryDelay", 1500));
    server.push(item("delay", "a", "1"), item("delay", "b", "2"));
    JsonObject first = named("delay", "a", "").messages().get(0);
    double before = Scrape.of(server).value(POPS);
    long failedAt = System.nanoTime();
    server.ack(first, "failed");

    assertThat(named("delay", "b", "autoAck=true").transactionIds()).containsExactly("2");
    Answer again = server.pop("delay", "wait=true&timeout=60000");
    assertThat(Duration.ofNanos(System.nanoTime() - failedAt))
        .isGreaterThan(Duration.ofMillis(1500));
    assertThat(again.transactionIds()).containsExactly("1");
    assertThat(Scrape.of(server).value(POPS) - before).isLessThan(20);
  }

  @Test
  void retryDelay_thatIsNotSet_isShownAsOff_andOff() {
    assertThat(options(server.configure("prompt", new JsonObject())).getInteger("retryDelay"))
        .isZero();
    server.push(item("prompt", "p", "1"));
    server.ack(server.pop("prompt", "").messages().get(0), "failed");

    assertThat(named("prompt", "p", "").transactionIds()).containsExactly("1");
  }

  @Test
  void dedupWindowSeconds_isZeroSomeOrAll() {
    server.configure("dedup0", new JsonObject().put("dedupWindowSeconds", 0));
    server.configure("dedup60", new JsonObject().put("dedupWindowSeconds", 60));
    server.configure("dedup-all", new JsonObject().put("dedupWindowSeconds", -1));
    for (String queue : List.of("dedup0", "dedup60", "dedup-all")) {
      server.push(item(queue, "p", "1"));
    }
    assertThat(statuses(server.push(item("dedup0", "p", "1")))).containsExactly("queued");
    assertThat(statuses(server.push(item("dedup60", "p", "1")))).containsExactly("duplicate");
    assertThat(statuses(server.push(item("dedup-all", "p", "1")))).containsExactly("duplicate");

    makeOlder("dedup60", 61);
    makeOlder("dedup-all", 100_000_000);
    assertThat(statuses(server.push(item("dedup60", "p", "1")))).containsExactly("queued");
    assertThat(statuses(server.push(item("dedup-all", "p", "1")))).containsExactly("duplicate");
  }

  @Test
  void merge_changesOnlyWhatIsGiven_plainConfigureReplacesAll() {
    JsonObject given =
        new JsonObject()
            .put("leaseTime", 1)
            .put("retryLimit", 2)
            .put("retryDelay", 3)
            .put("maxSize", 4)
            .put("ttl", 5)
            .put("deadLetterQueue", true)
            .put("dlqAfterMaxRetries", true)
            .put("priority", -6)
            .put("delayedProcessing", 7)
            .put("windowBuffer", 8)
            .put("retentionSeconds", 9)
            .put("completedRetentionSeconds", 10)
            .put("retentionEnabled", true)
            .put("encryptionEnabled", false)
            .put("maxWaitTimeSeconds", 11)
            .put("dedupWindowSeconds", 12);
    configure("merged", "n", "t", given);

    for (String option : given.fieldNames()) {
      JsonObject one = merge("merged", new JsonObject().put(option, given.getValue(option)));
      assertThat(one.getJsonObject("options")).as(option).isEqualTo(given);
      assertThat(one.getString("namespace")).isEqualTo("n");
      assertThat(one.getString("task")).isEqualTo("t");
    }
    JsonObject task =
        server
            .post("/api/v1/configure", "{\"queue\":\"merged\",\"merge\":true,\"task\":\"u\"}")
            .object();
    assertThat(task.getString("namespace")).isEqualTo("n");
    assertThat(task.getString("task")).isEqualTo("u");
    assertThat(task.getJsonObject("options")).isEqualTo(given);

    JsonObject plain = server.configure("merged", new JsonObject().put("leaseTime", 99)).object();
    JsonObject fresh =
        server.configure("never-seen", new JsonObject().put("leaseTime", 99)).object();
    assertThat(plain.getJsonObject("options")).isEqualTo(fresh.getJsonObject("options"));
    assertThat(plain.getString("namespace")).isEqualTo("n");
    assertThat(plain.getString("task")).isEqualTo("u");
    assertThat(fresh.getString("namespace")).isEmpty();
    JsonObject cleared =
        server
            .post("/api/v1/configure", "{\"queue\":\"merged\",\"namespace\":\"\",\"task\":null}")
            .object();
    assertThat(cleared.getString("namespace")).isEmpty();
    assertThat(cleared.getString("task")).isEqualTo("u");
  }

  @Test
  void wrongValues_areRefusedByName_andChangeNothing() {
    JsonObject before = server.configure("wrong", new JsonObject().put("leaseTime", 77)).object();
    JsonObject options = before.getJsonObject("options");
    for (String option : options.fieldNames()) {
      boolean flag = !(options.getValue(option) instanceof Integer);
      for (String value :
          flag
              ? List.of("1", "\"yes\"", "[]")
              : List.of("\"x\"", "1.5", "true", "{}", "99999999999", "-2")) {
        if (option.equals("priority") && value.equals("-2")) {
          continue;
        }
        Answer refused =
            server.post(
                "/api/v1/configure",
                "{\"queue\":\"wrong\",\"namespace\":\"n\",\"options\":{\"leaseTime\":1,\"%s\":%s}}"
                    .formatted(option, value));
        assertThat(refused.status()).as(option + " " + value).isEqualTo(400);
        assertThat(refused.error()).contains(option);
      }
    }
    assertThat(merge("wrong", new JsonObject())).isEqualTo(before);
  }

  @Test
  void changedOptions_countAtOnce_atEveryBroker() throws IOException {
    try (RunningServer other = RunningServer.on(database.endpoint())) {
      server.configure("two", new JsonObject());
      other.push(item("two", "p", "1"), item("two", "p", "2"), item("two", "q", "3"));

      server.configure("two", new JsonObject().put("maxSize", 3));
      assertThat(statuses(other.push(item("two", "p", "4")))).containsExactly("failed");
      server.configure("two", new JsonObject().put("maxSize", 4));
      assertThat(statuses(other.push(item("two", "p", "4"), item("two", "p", "5"))))
          .containsExactly("queued", "failed");
      server.configure("two", new JsonObject().put("dedupWindowSeconds", 0));
      assertThat(statuses(other.push(item("two", "p", "1")))).containsExactly("queued");
      server.configure("two", new JsonObject().put("delayedProcessing", 300));
      assertThat(popNamed(other, "two", "p").status()).isEqualTo(204);
      server.configure("two", new JsonObject().put("retryLimit", 0).put("leaseTime", 1000));
      JsonObject first = popNamed(other, "two", "p").messages().get(0);
      assertThat(leaseSeconds("two")).isBetween(701L, 1000L);
      assertThat(other.ack(first, "failed").array().getJsonObject(0).getBoolean("dlq")).isTrue();
      server.configure("two", new JsonObject().put("ttl", 60));
      makeOlder("two", 61);
      assertThat(popNamed(other, "two", "p").status()).isEqualTo(204);
      assertThat(popNamed(other, "two", "q").status()).isEqualTo(204);
    }
  }

  private JsonObject merge(String queue, JsonObject options) {
    return server
        .post(
            "/api/v1/configure",
            new JsonObject().put("queue", queue).put("merge", true).put("options", options))
        .object();
  }

  private static Answer popNamed(RunningServer at, String queue, String partition) {
    return at.get("/api/v1/pop/queue/" + queue + "/partition/" + partition);
  }

  private Answer label(String query) {
    return server.get("/api/v1/pop?" + query);
  }

  private CompletableFuture<Answer> labelLater(String query) {
    return CompletableFuture.supplyAsync(() -> label(query));
  }

  private long leaseSeconds(String queue) {
    return (Long)
        database.value(
            ("select max(extract(epoch from c.lease_expires_at - clock_timestamp()))::bigint"
                    + CURSORS)
                .formatted(queue));
  }
}
