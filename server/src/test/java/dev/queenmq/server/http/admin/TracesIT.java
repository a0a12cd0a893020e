package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.encoded;
import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What consumers note about messages, over HTTP. */
class TracesIT extends TracesFixture {
  @Test
  void pages_endWhereTheirBytesEnd_andSayWhereTheNextOneBegins() {
    int[] sizes = {600_000, 600_000, 3_000_000, 10, 600_000};
    String partition = push("t");
    for (int i = 0; i < sizes.length; i++) {
      server.push(item(queue, "p", "" + i).put("payload", "x".repeat(sizes[i])));
      record(partition, "" + i, "1", "\"" + name + "\"");
      record(partition, "t", "\"" + "x".repeat(250_000) + "\"", null);
    }
    assertThat(pages("/by-name/" + name)).containsExactly(1, 1, 1, 2);
    assertThat(pages("/" + partition + "/t")).containsExactly(4, 1);
  }

  private static List<Integer> pages(String path) {
    List<Integer> counts = new ArrayList<>();
    @Nullable Integer offset = 0;
    while (offset != null) {
      Answer page = server.get(TRACES + path + "?limit=1000&offset=" + offset);
      assertThat(page.object().getLong("total")).isEqualTo(5);
      counts.add(traces(page).size());
      offset = page.object().getJsonObject("pagination").getInteger("nextOffset");
    }
    return counts;
  }

  @Test
  void traces_areFoundByMessage_oldestFirst() {
    String partition = push("t 1/2");
    record(partition, "t 1/2", "{\"step\": 1.0}", null);
    record(
        new JsonObject()
            .put("partitionId", partition)
            .put("transactionId", "t 1/2")
            .put("data", "second")
            .put("consumerGroup", "mailer")
            .put("eventType", "error")
            .put("traceNames", new JsonArray(List.of("b", "a", "b"))));

    Answer answer = server.get(TRACES + "/" + partition + "/" + encoded("t 1/2"));

    assertThat(answer.status()).isEqualTo(200);
    List<JsonObject> traces = traces(answer);
    assertThat(traces).hasSize(2);
    assertThat(traces.get(0).fieldNames())
        .containsExactly(
            "id", "event_type", "data", "consumer_group", "worker_id", "created_at", "trace_names");
    assertThat(traces.get(0).getString("event_type")).isEqualTo("info");
    assertThat(traces.get(0).getString("consumer_group")).isEqualTo("__QUEUE_MODE__");
    assertThat(traces.get(0).getString("worker_id")).isEqualTo("bee-7");
    assertThat(traces.get(0).getJsonArray("trace_names")).isEmpty();
    assertThat(answer.body()).contains("\"data\":{\"step\": 1.0},");
    assertThat(traces.get(1).getString("data")).isEqualTo("second");
    assertThat(traces.get(1).getString("event_type")).isEqualTo("error");
    assertThat(traces.get(1).getString("consumer_group")).isEqualTo("mailer");
    assertThat(traces.get(1).getJsonArray("trace_names")).containsExactly("b", "a");
    assertThat(answer.object().getLong("total")).isEqualTo(2);

    Answer none = server.get(TRACES + "/" + partition + "/other");
    assertThat(none.status()).isEqualTo(200);
    assertThat(traces(none)).isEmpty();
  }

  @Test
  void names_mayBeATextOrAListOrNull() {
    String partition = push("t");
    String odd = name + " / \u00fc & ?";
    record(partition, "t", "1", "\"" + odd + "\"");
    record(partition, "t", "2", new JsonArray().add(odd).add(name).add("").encode());
    record(partition, "t", "3", "null");
    record(partition, "t", "4", "[]");

    Answer answer = server.get(TRACES + "/by-name/" + encoded(odd));

    List<JsonObject> traces = traces(answer);
    assertThat(traces).extracting(trace -> trace.getInteger("data")).containsExactly(1, 2);
    assertThat(traces.get(0).fieldNames())
        .containsExactlyInAnyOrder(
            "id",
            "transaction_id",
            "partition_id",
            "event_type",
            "data",
            "consumer_group",
            "worker_id",
            "created_at",
            "queue_name",
            "partition_name",
            "message_payload",
            "trace_names");
    assertThat(traces.get(0).getString("transaction_id")).isEqualTo("t");
    assertThat(traces.get(0).getString("partition_id")).isEqualTo(partition);
    assertThat(traces.get(0).getString("queue_name")).isEqualTo(queue);
    assertThat(traces.get(0).getString("partition_name")).isEqualTo("p");
    assertThat(traces.get(0).getJsonObject("message_payload").getString("of")).isEqualTo("t");
    assertThat(answer.object().getLong("total")).isEqualTo(2);
    assertThat(traces(server.get(TRACES + "/by-name/" + name))).hasSize(1);
    assertThat(traces(server.get(TRACES + "/by-name/nobody"))).isEmpty();
  }

  @Test
  void pages_areRealPages() {
    String partition = push("t0", "t1", "t2");
    for (int i = 0; i < 7; i++) {
      record(
          partition, "t" + i % 3, Integer.toString(i), "[\"" + name + "\",\"" + name + i + "\"]");
    }

    Answer middle = server.get(TRACES + "/by-name/" + name + "?limit=3&offset=2");
    assertThat(traces(middle)).extracting(t -> t.getInteger("data")).containsExactly(2, 3, 4);
    assertThat(middle.object().getLong("total")).isEqualTo(7);
    assertThat(middle.object().getJsonObject("pagination").encode())
        .isEqualTo("{\"limit\":3,\"offset\":2}");
    Answer beyond = server.get(TRACES + "/by-name/" + name + "?offset=9");
    assertThat(traces(beyond)).isEmpty();
    assertThat(beyond.object().getLong("total")).isEqualTo(7);
    Answer ofMessage = server.get(TRACES + "/" + partition + "/t0?limit=1&offset=1");
    assertThat(traces(ofMessage)).extracting(t -> t.getInteger("data")).containsExactly(3);
    assertThat(ofMessage.object().getLong("total")).isEqualTo(3);

    Answer names = server.get(TRACES + "/names?limit=2");
    JsonObject first = names.object().getJsonArray("trace_names").getJsonObject(0);
    assertThat(first.getString("trace_name")).isEqualTo(name + "6");
    assertThat(first.fieldNames())
        .containsExactly("trace_name", "trace_count", "message_count", "last_seen");
    JsonObject second =
        server
            .get(TRACES + "/names?limit=2&offset=1")
            .object()
            .getJsonArray("trace_names")
            .getJsonObject(0);
    assertThat(second.getString("trace_name")).isEqualTo(name);
    assertThat(second.getInteger("trace_count")).isEqualTo(7);
    assertThat(second.getInteger("message_count")).isEqualTo(3);
    assertThat(names.object().getLong("total")).isGreaterThanOrEqualTo(8);
    assertThat(names.object().getJsonObject("pagination").encode())
        .isEqualTo("{\"limit\":2,\"offset\":0}");
  }

  @Test
  void refusals_sayWhatIsWrong() {
    String partition = push("t");
    String ids = "\"transactionId\":\"t\",\"partitionId\":\"" + partition + "\"";
    assertRefused("", 400, "Empty request body");
    assertRefused("[]", 400, "transactionId and partitionId are required");
    assertRefused("{\"data\":1}", 400, "transactionId and partitionId are required");
    assertRefused(
        "{\"data\":1,\"transactionId\":7,\"partitionId\":\"" + partition + "\"}",
        400,
        "transactionId and partitionId are required");
    assertRefused("{" + ids + "}", 400, "data is required");
    assertRefused(
        "{\"transactionId\":\"t\",\"partitionId\":\"x\",\"data\":1}",
        400,
        "partitionId must be a UUID");
    assertRefused("{" + ids + ",\"data\":1,\"eventType\":7}", 400, "eventType must be a string");
    assertRefused(
        "{" + ids + ",\"data\":1,\"consumerGroup\":[]}", 400, "consumerGroup must be a string");
    for (String names : List.of("7", "{}", "[7]", "[null]", "true")) {
      assertRefused(
          "{" + ids + ",\"data\":1,\"traceNames\":" + names + "}",
          400,
          "traceNames must be a string or an array of strings");
    }
    assertRefused(
        "{" + ids + ",\"data\":1,\"traceNames\":\"" + "n".repeat(256) + "\"}",
        400,
        "traceNames is longer than 255 characters");
    assertRefused(
        "{"
            + ids
            + ",\"data\":1,\"traceNames\":"
            + new JsonArray(IntStream.range(0, 33).mapToObj(i -> "n" + i).toList()).encode()
            + "}",
        400,
        "traceNames has more than the limit of 32 elements");
    assertRefused(
        "{" + ids + ",\"data\":\"" + "x".repeat(256 * 1024) + "\"}",
        400,
        "data is larger than the limit of 262144 bytes");
    assertRefused(
        "{\"transactionId\":\"u\",\"partitionId\":\"" + partition + "\",\"data\":1}",
        404,
        "Message not found");
    assertRefused(
        "{\"transactionId\":\"t\",\"partitionId\":\"" + UUID.randomUUID() + "\",\"data\":1}",
        404,
        "Message not found");
    assertThat(server.get(TRACES + "/nowhere/t").status()).isEqualTo(400);
    // Null is as good as absent, and as a value of its own.
    Answer nulls =
        server.post(
            TRACES,
            "{"
                + ids
                + ",\"data\":null,\"consumerGroup\":null,\"eventType\":null,\"traceNames\":null}");
    assertThat(nulls.status()).isEqualTo(201);
  }

  @Test
  void ofAName_theOldestAreLookedAt_andAPageSaysThatThereAreMore() {
    String partition = push("t");
    record(partition, "t", "1", "\"" + name + "\"");
    // 19,999 more of the same.
    database.query(
        "with t as (insert into queen.traces select t.shard, t.partition_id, t.message_offset,"
            + " gen_random_uuid(), t.transaction_id, t.consumer_group, t.event_type, t.worker_id,"
            + " t.data, t.names, t.created_at from queen.traces t, generate_series(2, 20000) where"
            + " t.names = array['%1$s'] returning *) insert into queen.trace_names (shard, name,"
                .formatted(name)
            + " created_at, trace_id, partition_id, message_offset) select t.shard, '%1$s',"
                .formatted(name)
            + " t.created_at, t.id, t.partition_id, t.message_offset from t");
    database.query(
        "update queen.trace_name_counts set traces = 20000 where name = '%s'".formatted(name));
    String path = TRACES + "/by-name/" + name + "?limit=2&offset=9999";
    JsonObject whole = server.get(path).object();
    assertThat(whole.getJsonArray("traces")).hasSize(2);
    assertThat(whole.containsKey("truncated")).isFalse();

    record(partition, "t", "2", "\"" + name + "\"");

    JsonObject cut = server.get(path).object();
    assertThat(cut.getJsonArray("traces")).hasSize(2);
    assertThat(cut.getLong("total")).isEqualTo(20_001);
    assertThat(cut.getBoolean("truncated")).isTrue();
    assertThat(server.get(path + "&queue=" + queue).object().getLong("total")).isEqualTo(20_000);
  }

  @Test
  void payloads_ofEncryptedQueues_areShownOpen() {
    server.configure(queue, new JsonObject().put("encryptionEnabled", true));
    String partition = push("t");
    record(partition, "t", "1", "\"" + name + "\"");

    JsonObject trace = traces(server.get(TRACES + "/by-name/" + name)).get(0);
    assertThat(trace.getJsonObject("message_payload").getString("of")).isEqualTo("t");

    database.query(
        "update queen.segments set payloads = array['{}'] where partition_id = '%s'"
            .formatted(partition));
    JsonObject broken = traces(server.get(TRACES + "/by-name/" + name)).get(0);
    assertThat(broken.getValue("message_payload")).isNull();
    assertThat(broken.getString("message_payload_error"))
        .isEqualTo("The stored payload is malformed");
  }

  @Test
  void messages_areFoundFarFromTheEnd_whileAGroupIsThere() {
    String partition = push("first");
    for (int i = 0; i < 3; i++) {
      int from = i * 5_000;
      server.push(
          IntStream.range(from, from + 5_000)
              .mapToObj(n -> item(queue, "p", "t" + n))
              .toArray(JsonObject[]::new));
    }
    assertThat(trace(partition, "t9").status()).isEqualTo(404);

    server.pop(queue, "consumerGroup=g&batch=1");

    assertThat(trace(partition, "first").status()).isEqualTo(201);
    assertThat(trace(partition, "t9").status()).isEqualTo(201);
    assertThat(trace(partition, "t14999").status()).isEqualTo(201);
  }

  private static void assertRefused(String body, int status, String error) {
    Answer answer = server.post(TRACES, body);
    assertThat(answer.error()).isEqualTo(error);
    assertThat(answer.status()).isEqualTo(status);
  }
}
