package dev.queenmq.bench.bound;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.queenmq.bench.bound.BoundQueue.Lane;
import dev.queenmq.bench.bound.BoundQueue.Lease;
import dev.queenmq.bench.bound.BoundQueue.Poll;
import dev.queenmq.bench.bound.BoundQueue.Request;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.sqlclient.Row;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Push, pop and batch ack as the contract words them; of the input only what the generator sends.
 */
final class BoundHttp {
  private static final String POP = "/api/v1/pop/queue/";
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
  private static final int MESSAGE_BYTES = 640;

  private static final byte[] LIST = bytes("[");
  private static final byte[] LIST_END = bytes("]");
  private static final byte[] INDEX = bytes("{\"index\":");
  private static final byte[] TRANSACTION_ID = bytes(",\"transaction_id\":\"");
  private static final byte[] MESSAGE_ID = bytes("\",\"message_id\":\"");
  private static final byte[] PARTITION_ID = bytes("\",\"partition_id\":\"");
  private static final byte[] QUEUED = bytes("\",\"status\":\"queued\"},");
  private static final byte[] DUPLICATE = bytes("\",\"status\":\"duplicate\"},");
  private static final byte[] ACKED_ID = bytes(",\"transactionId\":\"");
  private static final byte[] ACKED = bytes("\",\"success\":true,\"error\":null,\"queueName\":\"");
  private static final byte[] ACKED_END = bytes("\",\"leaseReleased\":true,\"dlq\":false},");
  private static final byte[] PARTITION_NAME = bytes("\",\"partitionName\":\"");

  private final BoundBroker broker;
  private final RecentIds recent = new RecentIds();
  private final JsonFactory json = new JsonFactory();

  BoundHttp(BoundBroker broker) {
    this.broker = broker;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  void handle(HttpServerRequest request) {
    String path = request.path();
    if (path.startsWith(POP)) {
      pop(request, path.substring(POP.length()));
    } else if (path.equals("/api/v1/push")) {
      request.body().onSuccess(body -> read(request.response(), () -> push(request, body)));
    } else if (path.equals("/api/v1/ack/batch")) {
      request.body().onSuccess(body -> read(request.response(), () -> ack(request, body)));
    } else {
      request.response().end("{\"status\":\"healthy\"}");
    }
  }

  /** Reads a body. */
  private interface Reading {
    void run() throws IOException;
  }

  private static void read(HttpServerResponse response, Reading reading) {
    try {
      reading.run();
    } catch (IOException e) {
      fail(response);
    }
  }

  private void push(HttpServerRequest request, Buffer body) throws IOException {
    byte[] bytes = body.getBytes();
    JsonBytes answer = new JsonBytes(2 * bytes.length);
    Request push = new Request(request.response(), answer.put(LIST));
    List<Lane> lanes = new ArrayList<>();
    try (JsonParser parser = json.createParser(bytes)) {
      toList(parser, "items");
      for (int index = 0; parser.nextToken() == JsonToken.START_OBJECT; index++) {
        String queue = "";
        String partition = "Default";
        String transactionId = "";
        int from = 0;
        int to = 0;
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String field = parser.currentName();
          parser.nextToken();
          switch (field) {
            case "queue" -> queue = parser.getText();
            case "partition" -> partition = parser.getText();
            case "transactionId" -> transactionId = parser.getText();
            default -> {
              from = (int) parser.currentTokenLocation().getByteOffset();
              parser.skipChildren();
              to = (int) parser.currentLocation().getByteOffset();
            }
          }
        }
        UUID id = broker.newId();
        Lane lane = broker.lane(queue, partition);
        boolean fresh = recent.add(partition, transactionId);
        if (fresh) {
          lane.pending.add(id, transactionId, body.slice(from, to), push);
          lanes.add(lane);
        }
        answer.put(INDEX).number(index).put(TRANSACTION_ID).ascii(transactionId);
        answer.put(MESSAGE_ID).uuid(id).put(PARTITION_ID).uuid(lane.id);
        answer.put(fresh ? QUEUED : DUPLICATE);
      }
    }
    answer.close(LIST_END);
    if (lanes.isEmpty()) {
      answer(push.response, 201, answer);
    }
    lanes.forEach(broker::offer);
  }

  /** Goes into the list of this name. */
  private static void toList(JsonParser parser, String name) throws IOException {
    parser.nextToken();
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean found = parser.currentName().equals(name);
      parser.nextToken();
      if (found) {
        return;
      }
      parser.skipChildren();
    }
  }

  private void pop(HttpServerRequest request, String queue) {
    boolean waits = "true".equals(request.getParam("wait"));
    long deadline = System.nanoTime() + (waits ? LONGEST_WAIT.toNanos() : 0);
    int batch = Integer.parseInt(request.getParam("batch", "1"));
    broker.poll(queue, new Poll(request.response(), batch, deadline));
  }

  static void deliver(Lease lease, List<Row> rows) {
    int count = (int) (lease.high - lease.low);
    JsonBytes answer = new JsonBytes(MESSAGE_BYTES * (count + 1));
    String queue = lease.lane.queue.name;
    answer.ascii(
        "{\"success\":true,\"queue\":\"" + queue + "\",\"partition\":\"" + lease.lane.name);
    answer
        .ascii("\",\"partitionId\":\"")
        .uuid(lease.lane.id)
        .ascii("\",\"leaseId\":\"")
        .uuid(lease.id);
    answer.ascii("\",\"consumerGroup\":\"__QUEUE_MODE__\",\"partitionsClaimed\":1,\"messages\":[");
    byte[] end =
        bytes(
            "\",\"queue\":\"%s\",\"partition\":\"%s\",\"partitionId\":\"%s\",\"leaseId\":\"%s\","
                    .formatted(queue, lease.lane.name, lease.lane.id, lease.id)
                + "\"consumerGroup\":\"__QUEUE_MODE__\",\"attempt\":1,\"leaseExpiresAt\":\""
                + Instant.now()
                + "\"},");
    List<String> transactionIds = new ArrayList<>(count);
    for (Row row : rows) {
      UUID[] ids = row.getArrayOfUUIDs("message_ids");
      String[] texts = row.getArrayOfStrings("transaction_ids");
      Buffer[] payloads = row.getArrayOfBuffers("payloads");
      byte[] created =
          bytes(
              ",\"producerSub\":null,\"createdAt\":\""
                  + row.getOffsetDateTime("created_at").toInstant());
      for (int i = 0; i < ids.length; i++) {
        transactionIds.add(texts[i]);
        answer.ascii("{\"id\":\"").uuid(ids[i]).ascii("\",\"transactionId\":\"").ascii(texts[i]);
        answer.ascii("\",\"traceId\":null,\"data\":").put(payloads[i]).put(created).put(end);
      }
    }
    lease.transactionIds = transactionIds;
    answer(lease.poll.response(), 200, answer.close(bytes("]}")));
  }

  /** Only whole leases in their order, as the generator acknowledges them. */
  private void ack(HttpServerRequest request, Buffer body) throws IOException {
    JsonBytes answer = new JsonBytes(2 * body.length()).put(LIST);
    Map<String, List<String>> byLease = new LinkedHashMap<>();
    try (JsonParser parser = json.createParser(body.getBytes())) {
      toList(parser, "acknowledgments");
      while (parser.nextToken() == JsonToken.START_OBJECT) {
        String transactionId = "";
        String leaseId = "";
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
          String field = parser.currentName();
          parser.nextToken();
          switch (field) {
            case "transactionId" -> transactionId = parser.getText();
            case "leaseId" -> leaseId = parser.getText();
            default -> parser.skipChildren();
          }
        }
        byLease.computeIfAbsent(leaseId, id -> new ArrayList<>()).add(transactionId);
      }
    }
    Request ack = new Request(request.response(), answer);
    int index = 0;
    for (Map.Entry<String, List<String>> each : byLease.entrySet()) {
      Optional<Lease> found = broker.take(UUID.fromString(each.getKey()));
      if (found.isEmpty() || !found.get().transactionIds.equals(each.getValue())) {
        fail(request.response());
        return;
      }
      Lease lease = found.get();
      for (String transactionId : each.getValue()) {
        answer.put(INDEX).number(index++).put(ACKED_ID).ascii(transactionId).put(ACKED);
        answer.ascii(lease.lane.queue.name).put(PARTITION_NAME).ascii(lease.lane.name);
        answer.put(ACKED_END);
      }
      broker.ack(lease, ack);
    }
    answer.close(LIST_END);
  }

  static void answer(HttpServerResponse response, int status, JsonBytes body) {
    if (!response.closed()) {
      response.setStatusCode(status).putHeader(HttpHeaders.CONTENT_TYPE, JSON).end(body.buffer());
    }
  }

  static void nothing(HttpServerResponse response) {
    if (!response.closed()) {
      response.setStatusCode(204).end();
    }
  }

  static void fail(HttpServerResponse response) {
    if (!response.ended() && !response.closed()) {
      response.setStatusCode(500).end("{\"error\":\"refused\"}");
    }
  }
}
