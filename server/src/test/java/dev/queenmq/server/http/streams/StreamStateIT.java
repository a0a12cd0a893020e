package dev.queenmq.server.http.streams;

import static dev.queenmq.server.http.streams.StreamClient.CYCLE;
import static dev.queenmq.server.http.streams.StreamClient.put;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What a stream keeps, how it is read, and when it goes, over real HTTP. */
class StreamStateIT extends StreamsFixture {
  @Test
  void state_isFilteredByAllThatIsGiven_sortedAndPaged() {
    StreamClient stream = StreamClient.of(server, "filters");
    String partition = partitionOf("filters", "p");
    stream.send(
        stateOnly(
            stream,
            partition,
            put("a_1", new JsonObject().put("windowEnd", 100)),
            put("a_2", new JsonObject().put("windowEnd", 100.5)),
            put("ax3", new JsonObject().put("windowEnd", 50)),
            put("a%4", new JsonObject().put("windowEnd", "50")),
            put("tumb:60\u001f7\u001f\ud83d\ude00", new JsonObject().put("x", 1)),
            put("b", "text")));

    assertThat(stream.state(partition).keySet())
        .containsExactly("a%4", "a_1", "a_2", "ax3", "b", "tumb:60\u001f7\u001f\ud83d\ude00");
    assertThat(stream.state(partition, filter("key_prefix", "a_"))).containsOnlyKeys("a_1", "a_2");
    assertThat(stream.state(partition, filter("key_prefix", "a%"))).containsOnlyKeys("a%4");
    assertThat(stream.state(partition, filter("key_prefix", "tumb:60\u001f"))).hasSize(1);
    assertThat(stream.state(partition, filter("ripe_at_or_before", 100)))
        .containsOnlyKeys("a_1", "ax3");
    JsonArray keys = new JsonArray().add("ax3").add("a_2").add("b").add("none");
    assertThat(stream.state(partition, filter("keys", keys))).containsOnlyKeys("ax3", "a_2", "b");
    assertThat(
            stream.state(
                partition,
                filter("keys", keys).put("key_prefix", "a").put("ripe_at_or_before", 100.5)))
        .containsOnlyKeys("ax3", "a_2");
    assertThat(stream.state(NOBODY)).isEmpty();
    assertThat(stream.state(partition, filter("key_prefix", "").put("keys", new JsonArray())))
        .hasSize(6);

    Answer page = stream.ask(partition, filter("limit", 2));
    assertThat(page.object().getJsonArray("rows"))
        .extracting(each -> ((JsonObject) each).getString("key"))
        .containsExactly("a%4", "a_1");
    assertThat(page.object().getString("next")).isEqualTo("a_1");
    JsonObject rest = stream.ask(partition, filter("limit", 10).put("after", "a_1")).object();
    assertThat(rest.getJsonArray("rows")).hasSize(4);
    assertThat(rest.containsKey("next")).isFalse();
    assertThat(rest.getJsonArray("rows").getJsonObject(0).getString("updated_at"))
        .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?\\+00:00");
  }

  @Test
  void state_comesBackByteForByte() {
    StreamClient stream = StreamClient.of(server, "bytes");
    String partition = partitionOf("bytes", "p");
    String value =
        "{\"b\": 1.0,\"a\":12345678901234567890, \"b\":\"\\u0000\\ud800\",\"windowEnd\":7 }";
    server.post(
        CYCLE,
        "{\"query_id\":\"%s\",\"partition_id\":\"%s\",\"state_ops\":["
                .formatted(stream.queryId(), partition)
            + "{\"type\":\"upsert\",\"value\": "
            + value
            + " ,\"key\":\"k\"},{\"type\":\"upsert\",\"key\":\"none\"}]}");
    assertThat(stream.ask(partition, filter("ripe_at_or_before", 7)).body())
        .contains("\"key\":\"k\",\"value\":" + value + ",");
    assertThat(stream.ask(partition, filter("keys", new JsonArray().add("none"))).body())
        .contains("\"key\":\"none\",\"value\":{},");
  }

  @Test
  void moreStateThanAnAnswerMayHave_isRefusedUnlessPaged() throws IOException {
    try (RunningServer small =
        RunningServer.on(database.endpoint(), Map.of("QUEEN_MAX_ITEMS_PER_REQUEST", "3"))) {
      StreamClient stream = StreamClient.of(small, "large");
      String partition = partitionOf("large", "p");
      stream.send(stateOnly(stream, partition, put("a", 1), put("b", 1), put("c", 1)));
      assertThat(stream.state(partition)).hasSize(3);
      stream.send(stateOnly(stream, partition, put("d", 1)));

      Answer refused = stream.ask(partition, new JsonObject());
      assertThat(refused.status()).isEqualTo(400);
      assertThat(refused.error()).contains("ask with limit and after");
      assertThat(stream.ask(partition, filter("limit", 3)).object().getString("next"))
          .isEqualTo("c");
      assertThat(
              stream
                  .send(
                      stateOnly(
                          stream, partition, put("a", 1), put("b", 1), put("c", 1), put("d", 1)))
                  .error())
          .isEqualTo("state_ops has more than the limit of 3 elements");
    }
  }

  @Test
  void deletedQueue_takesItsStateAlong() {
    StreamClient stream = StreamClient.of(server, "doomed");
    String partition = partitionOf("doomed", "p");
    String orphan = partitionOf("doomed2", "p");
    for (String each : List.of(partition, orphan)) {
      stream.send(stateOnly(stream, each, put("k", 1)).put("idempotency_key", "x"));
    }

    assertThat(left(orphan)).isEqualTo(3);

    server.delete("/api/v1/resources/queues/doomed");
    database.query("delete from queen.queues where name = 'doomed2'");

    Awaitility.await().until(() -> left(partition) == 0);
    assertThat(stream.send(stateOnly(stream, partition, put("k", 1))).error())
        .isEqualTo("Partition not found");
    assertThat(stream.state(partition)).isEmpty();
    // The other was not announced: upkeep finds it.
    server.post("/api/v1/system/upkeep/orphans/run?wait=30000", "");
    assertThat(left(orphan)).isZero();
    assertThat(stream.state(orphan)).isEmpty();
  }

  private static long left(String partition) {
    return (Long)
        database.value(
            """
            select (select count(*) from queen.stream_state where partition_id = '%1$s')
                 + (select count(*) from queen.stream_cycles where partition_id = '%1$s')
                 + (select count(*) from queen.stream_lanes where partition_id = '%1$s')
            """
                .formatted(partition));
  }

  private static JsonObject filter(String name, Object value) {
    return new JsonObject().put(name, value);
  }
}
