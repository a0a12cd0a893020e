package dev.queenmq.server.http.streams;

import static dev.queenmq.server.http.streams.StreamClient.CYCLE;
import static dev.queenmq.server.http.streams.StreamClient.QUERIES;
import static dev.queenmq.server.http.streams.StreamClient.STATE;
import static dev.queenmq.server.http.streams.StreamClient.put;
import static dev.queenmq.server.http.streams.StreamClient.register;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/** How queries of streams are registered, and what their routes refuse, over real HTTP. */
class StreamQueriesIT extends StreamsFixture {
  @Test
  void register_freshSameMismatchReset() {
    Answer fresh = register(server, "matrix", "h1", false);
    assertThat(fresh.status()).isEqualTo(200);
    String id = fresh.object().getString("query_id");
    assertThat(UUID.fromString(id).version()).isEqualTo(4);
    assertThat(fresh.object()).isEqualTo(registered(id, "h1", true, false));

    assertThat(register(server, "matrix", "h1", false).object())
        .isEqualTo(registered(id, "h1", false, false));
    // Not a wish to lose what is there: the configuration is the same.
    assertThat(register(server, "matrix", "h1", true).object())
        .isEqualTo(registered(id, "h1", false, false));

    Answer mismatch = register(server, "matrix", "h2", false);
    assertThat(mismatch.status()).isEqualTo(409);
    assertThat(mismatch.error()).startsWith("config_hash mismatch: ");
    assertThat(mismatch.object().getBoolean("success")).isFalse();
    assertThat(mismatch.object().getString("query_id")).isEqualTo(id);
    assertThat(mismatch.object().getString("name")).isEqualTo("matrix");
    assertThat(register(other, "matrix", "h1", false).status()).isEqualTo(200);

    assertThat(register(server, "matrix", "h2", true).object())
        .isEqualTo(registered(id, "h2", false, true));
    assertThat(register(server, "matrix", "h1", false).status()).isEqualTo(409);
  }

  private static JsonObject registered(String id, String hash, boolean fresh, boolean reset) {
    return new JsonObject()
        .put("success", true)
        .put("query_id", id)
        .put("name", "matrix")
        .put("config_hash", hash)
        .put("fresh", fresh)
        .put("reset", reset);
  }

  @Test
  void register_atOnceByMany_isFreshForOne_andUpdatesSourceAndSink() {
    List<CompletableFuture<Answer>> answers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      answers.add(
          (i % 2 == 0 ? server : other)
              .postLater(
                  QUERIES, "{\"name\":\"race\",\"source_queue\":\"a\",\"config_hash\":\"h\"}"));
    }
    List<JsonObject> all = answers.stream().map(each -> each.join().object()).toList();
    assertThat(all).filteredOn(each -> each.getBoolean("fresh")).hasSize(1);
    assertThat(all)
        .extracting(each -> each.getString("query_id"))
        .containsOnly(all.get(0).getString("query_id"));

    server.post(
        QUERIES,
        "{\"name\":\"race\",\"source_queue\":\"b\",\"sink_queue\":\"c\",\"config_hash\":\"h\"}");
    assertThat(
            database.value(
                "select source_queue || sink_queue from queen.stream_queries where name = 'race'"))
        .isEqualTo("bc");
  }

  @Test
  void reset_wipesTheStateOfTheQueryAlone() {
    StreamClient one = StreamClient.of(server, "wiped");
    StreamClient two = StreamClient.of(server, "kept");
    String partition = partitionOf("wiped", "p");
    one.send(stateOnly(one, partition, put("k", 1)).put("idempotency_key", "once"));
    two.send(stateOnly(two, partition, put("k", 2)));

    register(server, "wiped", "another", true);

    assertThat(one.state(partition)).isEmpty();
    assertThat(two.state(partition)).isEqualTo(Map.of("k", 2));
    // What was answered before the reset speaks of a state that is gone.
    one.send(stateOnly(one, partition, put("k", 3)).put("idempotency_key", "once"));
    assertThat(one.state(partition)).isEqualTo(Map.of("k", 3));
  }

  @Test
  void badRequests_areRefusedWithTheirText() {
    String ids = "\"query_id\":\"" + NOBODY + "\",\"partition_id\":\"" + NOBODY + "\"";
    record Refusal(String path, String body, String text) {}
    List<Refusal> refusals =
        List.of(
            new Refusal(QUERIES, "", "Empty request body"),
            new Refusal(QUERIES, "[]", "request body must be a JSON object"),
            new Refusal(QUERIES, "{}", "name is required"),
            new Refusal(QUERIES, "{\"name\":7}", "name is required"),
            new Refusal(QUERIES, "{\"name\":\"n\"}", "source_queue is required"),
            new Refusal(
                QUERIES, "{\"name\":\"n\",\"source_queue\":\"q\"}", "config_hash is required"),
            new Refusal(
                QUERIES,
                "{\"name\":\"n\",\"source_queue\":\"q\",\"config_hash\":\"h\",\"sink_queue\":7}",
                "sink_queue must be a string"),
            new Refusal(
                QUERIES,
                "{\"name\":\"n\",\"source_queue\":\"q\",\"config_hash\":\"h\",\"reset\":1}",
                "reset must be true or false"),
            new Refusal(
                QUERIES,
                "{\"name\":\"\\u0000\",\"source_queue\":\"q\",\"config_hash\":\"h\"}",
                "name contains the character NUL"),
            new Refusal(CYCLE, "7", "request body must be a JSON object"),
            new Refusal(CYCLE, "{}", "query_id is required"),
            new Refusal(CYCLE, "{\"query_id\":\"x\"}", "query_id must be a UUID"),
            new Refusal(CYCLE, "{\"query_id\":\"" + NOBODY + "\"}", "partition_id is required"),
            new Refusal(
                CYCLE,
                "{\"query_id\":\"" + NOBODY + "\",\"partition_id\":\"x\"}",
                "partition_id must be a UUID"),
            new Refusal(CYCLE, "{" + ids + ",\"state_ops\":{}}", "state_ops must be an array"),
            new Refusal(CYCLE, "{" + ids + ",\"push_items\":7}", "push_items must be an array"),
            new Refusal(CYCLE, "{" + ids + ",\"push_items\":[7]}", "Queue must be a string"),
            new Refusal(
                CYCLE, "{" + ids + ",\"state_ops\":[7]}", "Each of state_ops must be an object"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"state_ops\":[{\"type\":\"upsert\"}]}",
                "Each of state_ops must have a key"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"state_ops\":[{\"type\":\"upsert\",\"key\":\"\"}]}",
                "key must not be empty"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"state_ops\":[{\"type\":\"upsert\",\"key\":\"a\\u0000\"}]}",
                "key contains the character NUL"),
            new Refusal(CYCLE, "{" + ids + ",\"ack\":7}", "ack must be an object"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"ack\":{\"transactionId\":\"t\",\"count\":-1}}",
                "ack.count must be a whole number between 0 and 2147483647"),
            new Refusal(
                CYCLE, "{" + ids + ",\"release_lease\":1}", "release_lease must be true or false"),
            new Refusal(
                CYCLE,
                "{" + ids + ",\"idempotency_key\":\"" + "k".repeat(256) + "\"}",
                "idempotency_key is longer than 255 characters"),
            new Refusal(
                CYCLE, "{" + ids + ",\"consumer_group\":7}", "consumer_group must be a string"),
            new Refusal(STATE, "[]", "request body must be a JSON object"),
            new Refusal(STATE, "{}", "query_id is required"),
            new Refusal(STATE, "{\"query_id\":\"" + NOBODY + "\"}", "partition_id is required"),
            new Refusal(STATE, "{" + ids + ",\"keys\":\"k\"}", "keys must be an array"),
            new Refusal(STATE, "{" + ids + ",\"keys\":[7]}", "Each of keys must be a string"),
            new Refusal(
                STATE, "{" + ids + ",\"keys\":[\"\\u0000\"]}", "key contains the character NUL"),
            new Refusal(STATE, "{" + ids + ",\"key_prefix\":7}", "key_prefix must be a string"),
            new Refusal(
                STATE,
                "{" + ids + ",\"ripe_at_or_before\":\"7\"}",
                "ripe_at_or_before must be a number"),
            new Refusal(
                STATE,
                "{" + ids + ",\"limit\":0}",
                "limit must be a whole number between 1 and 10000"));
    SoftAssertions.assertSoftly(
        all ->
            refusals.forEach(
                refusal -> {
                  Answer answer = server.post(refusal.path(), refusal.body());
                  all.assertThat(answer.status()).as(refusal.body()).isEqualTo(400);
                  all.assertThat(answer.error()).as(refusal.body()).isEqualTo(refusal.text());
                }));
    assertThat(server.get(CYCLE).status()).isEqualTo(405);
    assertThat(server.post(CYCLE, "{" + ids + "}").error()).isEqualTo("Query not found");
    String unknown = StreamClient.of(server, "unknown").queryId();
    assertThat(server.post(CYCLE, ("{" + ids + "}").replaceFirst(NOBODY, unknown)).error())
        .isEqualTo("Partition not found");
    assertThat(
            server
                .post(
                    CYCLE,
                    ("{" + ids + ",\"ack\":{\"transactionId\":\"t\"}}")
                        .replaceFirst(NOBODY, unknown))
                .error())
        .isEqualTo("Message not found");
  }
}
