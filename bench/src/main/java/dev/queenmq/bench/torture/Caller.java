package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Calls one broker from a thread that may wait. Safe for any thread. */
final class Caller {
  private static final int OK = 200;
  private static final int CREATED = 201;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final BrokerUrl url;
  private final Duration limit;

  Caller(BrokerUrl url, Duration limit) {
    this.url = url;
    this.limit = limit;
  }

  /** A message as it was got. */
  record Got(String transactionId, String partitionId, String leaseId) {}

  /** Whether it is stored now. */
  boolean push(String queue, String transactionId) throws InterruptedException {
    return pushed(queue, transactionId).filter(Caller::isStored).isPresent();
  }

  /** The answer to a push of one message, if there was one. */
  Optional<HttpResponse<String>> pushed(String queue, String transactionId)
      throws InterruptedException {
    JsonObject item =
        new JsonObject()
            .put("queue", queue)
            .put("partition", "p")
            .put("transactionId", transactionId)
            .put("payload", new JsonObject().put("n", 1));
    return send("/api/v1/push", new JsonObject().put("items", new JsonArray().add(item)));
  }

  /** Whether this answer to a push says that the message is stored. */
  static boolean isStored(HttpResponse<String> answer) {
    return answer.statusCode() == CREATED && !answer.body().contains("failed");
  }

  /** Whether the broker took it. */
  boolean configure(String queue, double leaseSeconds) throws InterruptedException {
    return send(
            "/api/v1/configure",
            new JsonObject()
                .put("queue", queue)
                .put("options", new JsonObject().put("leaseTime", Math.round(leaseSeconds))))
        .filter(answer -> answer.statusCode() < 300)
        .isPresent();
  }

  /** The last message that a pop brings, if any. */
  Optional<Got> pop(String queue, String query) throws InterruptedException {
    return popped(queue, query).flatMap(Caller::last);
  }

  /** The answer to a pop, if there was one. */
  Optional<HttpResponse<String>> popped(String queue, String query) throws InterruptedException {
    return send(
        request("/api/v1/pop/queue/" + BrokerUrl.encode(queue) + "?" + query).GET().build());
  }

  /** The last message of this answer to a pop, if any. */
  static Optional<Got> last(HttpResponse<String> answer) {
    if (answer.statusCode() != OK) {
      return Optional.empty();
    }
    JsonArray messages = new JsonObject(answer.body()).getJsonArray("messages", new JsonArray());
    if (messages.isEmpty()) {
      return Optional.empty();
    }
    JsonObject last = messages.getJsonObject(messages.size() - 1);
    return Optional.of(
        new Got(
            last.getString("transactionId"),
            last.getString("partitionId"),
            last.getString("leaseId", "")));
  }

  /** Says that it is done; the answer comes when it comes. */
  CompletableFuture<HttpResponse<String>> ack(Got message, String group) {
    return client.sendAsync(
        post("/api/v1/ack", ackOf(message).put("consumerGroup", group)), BodyHandlers.ofString());
  }

  /** The answer to an ack without a group, if there was one. */
  Optional<HttpResponse<String>> acked(Got message) throws InterruptedException {
    return send("/api/v1/ack", ackOf(message));
  }

  private static JsonObject ackOf(Got message) {
    return new JsonObject()
        .put("transactionId", message.transactionId())
        .put("partitionId", message.partitionId())
        .put("leaseId", message.leaseId());
  }

  private Optional<HttpResponse<String>> send(String path, JsonObject body)
      throws InterruptedException {
    return send(post(path, body));
  }

  private HttpRequest post(String path, JsonObject body) {
    return request(path).POST(BodyPublishers.ofString(body.encode())).build();
  }

  private Optional<HttpResponse<String>> send(HttpRequest request) throws InterruptedException {
    try {
      return Optional.of(client.send(request, BodyHandlers.ofString()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(limit);
    return url.token().isEmpty()
        ? request
        : request.header("Authorization", "Bearer " + url.token());
  }
}
