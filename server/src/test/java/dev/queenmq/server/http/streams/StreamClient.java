package dev.queenmq.server.http.streams;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.RunningServer.Answer;
import io.vertx.core.json.Json;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** What a stream processor says to a broker, over real HTTP. */
public final class StreamClient {
  public static final String QUERIES = "/streams/v1/queries";
  public static final String CYCLE = "/streams/v1/cycle";
  public static final String STATE = "/streams/v1/state/get";

  private final RunningServer server;
  private final String name;
  private final String queryId;

  private StreamClient(RunningServer server, String name, String queryId) {
    this.server = server;
    this.name = name;
    this.queryId = queryId;
  }

  /** Registers a query; its source is the queue of the same name. */
  public static StreamClient of(RunningServer server, String name) {
    Answer answer = register(server, name, "hash", false);
    return new StreamClient(server, name, answer.object().getString("query_id"));
  }

  public static Answer register(RunningServer server, String name, String hash, boolean reset) {
    return server.post(
        QUERIES,
        new JsonObject()
            .put("name", name)
            .put("source_queue", name)
            .put("config_hash", hash)
            .put("reset", reset));
  }

  /** The same query at another broker. */
  public StreamClient at(RunningServer other) {
    return new StreamClient(other, name, queryId);
  }

  public String queryId() {
    return queryId;
  }

  public String group() {
    return "streams." + name;
  }

  public List<JsonObject> pop(int batch) {
    return served(server.pop(name, "consumerGroup=" + group() + "&batch=" + batch)).messages();
  }

  /** As the SDK does. */
  public List<JsonObject> poll() {
    return server
        .pop(name, "consumerGroup=" + group() + "&batch=200&partitions=4&wait=true&timeout=1000")
        .messages();
  }

  /** A cycle that does nothing yet. */
  public JsonObject cycle(String partitionId) {
    return new JsonObject()
        .put("query_id", queryId)
        .put("partition_id", partitionId)
        .put("consumer_group", group())
        .put("state_ops", new JsonArray())
        .put("push_items", new JsonArray())
        .putNull("ack");
  }

  /** A cycle that has consumed these, and does nothing else yet. */
  public JsonObject cycle(List<JsonObject> consumed) {
    JsonObject last = consumed.get(consumed.size() - 1);
    return cycle(last.getString("partitionId"))
        .put(
            "ack",
            new JsonObject()
                .put("transactionId", last.getString("transactionId"))
                .put("leaseId", last.getString("leaseId"))
                .put("count", consumed.size()));
  }

  public static JsonObject put(String key, Object value) {
    return new JsonObject().put("type", "upsert").put("key", key).put("value", value);
  }

  public static JsonObject remove(String key) {
    return new JsonObject().put("type", "delete").put("key", key);
  }

  public Answer send(JsonObject cycle) {
    return server.post(CYCLE, cycle);
  }

  public CompletableFuture<Answer> sendLater(JsonObject cycle) {
    return server.postLater(CYCLE, Json.encode(cycle));
  }

  /** The state, by key. */
  public Map<String, Object> state(String partitionId) {
    return state(partitionId, new JsonObject());
  }

  public Map<String, Object> state(String partitionId, JsonObject filters) {
    Map<String, Object> state = new TreeMap<>();
    for (Object row : served(ask(partitionId, filters)).object().getJsonArray("rows")) {
      JsonObject each = (JsonObject) row;
      state.put(each.getString("key"), each.getValue("value"));
    }
    return state;
  }

  /** A broker that stops is as good as one that is not there. */
  private static Answer served(Answer answer) {
    if (answer.status() == 503) {
      throw new CompletionException(answer.body(), null);
    }
    return answer;
  }

  public Answer ask(String partitionId, JsonObject filters) {
    return server.post(
        STATE,
        new JsonObject()
            .put("query_id", queryId)
            .put("partition_id", partitionId)
            .mergeIn(filters));
  }
}
