package dev.queenmq.server.http.contract;

import static dev.queenmq.server.RunningServer.encoded;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * What configure answers is what is in force: sent back, it changes nothing, whatever the options.
 */
@ExtendWith(PostgresExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfigureAnswerIT {
  private static final int ROUNDS = 60;
  private static final List<String> SWITCHES =
      List.of("deadLetterQueue", "dlqAfterMaxRetries", "retentionEnabled", "encryptionEnabled");
  private static final List<String> NUMBERS =
      List.of(
          "leaseTime",
          "retryLimit",
          "retryDelay",
          "maxSize",
          "ttl",
          "priority",
          "delayedProcessing",
          "windowBuffer",
          "retentionSeconds",
          "completedRetentionSeconds",
          "maxWaitTimeSeconds",
          "dedupWindowSeconds");

  private TestDatabase database;
  private RunningServer server;

  @BeforeAll
  void start(TestDatabase fresh) {
    database = fresh;
    server = RunningServer.on(fresh.endpoint(), Map.of("QUEEN_ENCRYPTION_KEY", "ab".repeat(32)));
  }

  @AfterAll
  void stop() throws IOException {
    server.close();
  }

  /** Each option absent, null, off, or any number that it takes. */
  private static JsonObject options(Random random) {
    JsonObject options = new JsonObject();
    for (String name : SWITCHES) {
      switch (random.nextInt(4)) {
        case 0 -> options.putNull(name);
        case 1 -> options.put(name, true);
        case 2 -> options.put(name, false);
        default -> {}
      }
    }
    for (String name : NUMBERS) {
      switch (random.nextInt(4)) {
        case 0 -> options.putNull(name);
        case 1 -> options.put(name, 0);
        case 2 -> options.put(name, 1 + random.nextInt(2_592_000));
        default -> {}
      }
    }
    return options;
  }

  private static JsonObject request(String queue, Random random) {
    JsonObject request =
        new JsonObject()
            .put("queue", queue)
            .put("merge", random.nextBoolean())
            .put("options", options(random));
    for (String label : List.of("namespace", "task")) {
      switch (random.nextInt(4)) {
        case 0 -> request.putNull(label);
        case 1 -> request.put(label, "");
        case 2 -> request.put(label, "l" + random.nextInt(3));
        default -> {}
      }
    }
    return request;
  }

  /** All that is stored about a queue, but for the number of its last change. */
  private String row(String queue) {
    return (String)
        database.value(
            "select (to_jsonb(q) - 'version')::text from queen.queues q where q.name = '%s'"
                .formatted(queue));
  }

  @Test
  void answer_sentBack_changesNothing() {
    long seed = Long.getLong("queen.test.seed", System.nanoTime());
    System.out.println("ConfigureAnswerIT: -Dqueen.test.seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < ROUNDS; round++) {
      String queue = "part.of." + random.nextInt(8);
      if (random.nextInt(4) == 0) {
        server.push(item(queue, "p", "t" + round));
      }
      JsonObject request = request(queue, random);
      Answer first = server.post("/api/v1/configure", request);
      assertThat(first.status()).as("%s: %s", request, first.body()).isEqualTo(200);
      JsonObject answer = first.object();
      String stored = row(queue);
      assertThat(shown(queue)).as("%s", request).isEqualTo(answer.getJsonObject("options"));

      for (JsonObject back :
          List.of(
              answer,
              answer.copy().put("merge", true),
              new JsonObject().put("queue", queue).put("options", answer.getValue("options")))) {
        JsonObject again = server.post("/api/v1/configure", back).object();
        assertThat(again).as("%s, then %s", request, back).isEqualTo(answer);
        assertThat(row(queue)).as("%s, then %s", request, back).isEqualTo(stored);
      }
    }
  }

  private JsonObject shown(String queue) {
    return server
        .get("/api/v1/resources/queues/" + encoded(queue))
        .object()
        .getJsonObject("options");
  }

  /** It was not configured: the answer shows what a push gave it, and can be sent as it is. */
  @Test
  void optionsOfAPushedQueue_sentBack_changeNothing() {
    server.push(item("fresh.one", "p", "t"));
    String stored = row("fresh.one");

    server.configure("fresh.one", shown("fresh.one"));

    assertThat(row("fresh.one")).isEqualTo(stored);
  }

  /** The case that was found: a queue with dead letters became one that tries again for ever. */
  @Test
  void answer_sentBack_keepsRetriesAndDeadLetters() {
    JsonObject answer = server.configure("kept", new JsonObject().put("retryLimit", 0)).object();
    server.post("/api/v1/configure", answer);
    server.push(item("kept", "p", "t"), item("kept", "p", "u"));

    Answer acked = server.ack(server.pop("kept", "").messages().get(0), "failed");

    assertThat(acked.array().getJsonObject(0).getBoolean("dlq")).isTrue();
    assertThat(server.pop("kept", "").transactionIds()).containsExactly("u");
  }

  @Test
  void leaseTimeOfZero_isShownAsTheLeaseThatItGives() {
    JsonObject options =
        OptionsFixture.options(server.configure("zero", new JsonObject().put("leaseTime", 0)));
    server.push(item("zero", "p", "t"));
    server.pop("zero", "");

    assertThat(options.getInteger("leaseTime")).isEqualTo(60);
    assertThat(
            database.value(
                ("select bool_and(c.lease_expires_at - c.leased_at between '59 s' and '61 s')"
                        + OptionsFixture.CURSORS)
                    .formatted("zero")))
        .isEqualTo(true);
  }
}
