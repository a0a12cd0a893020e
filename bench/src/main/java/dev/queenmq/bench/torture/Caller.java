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
    JsonObject item =
        new JsonObject()
            .put("queue", queue)
            .put("partition", "p")
            .put("transactionId", transactionId)
            .put("payload", new JsonObject().put("n", 1));
    return send("/api/v1/push", new JsonObject().put("items", new JsonArray().add(item)))
        .filter(answer -> answer.statusCode() == CREATED && !answer.body().contains("failed"))
        .isPresent();
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
    try {
      HttpResponse<String> answer =
          client.send(
              request("/api/v1/pop/queue/" + BrokerUrl.encode(queue) + "?" + query).GET().build(),
              BodyHandlers.ofString());
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
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Says that it is done; the answer comes when it comes. */
  CompletableFuture<HttpResponse<String>> ack(Got message, String group) {
    JsonObject body =
        new JsonObject()
            .put("transactionId", message.transactionId())
            .put("partitionId", message.partitionId())
            .put("leaseId", message.leaseId())
            .put("consumerGroup", group);
    return client.sendAsync(
        request("/api/v1/ack").POST(BodyPublishers.ofString(body.encode())).build(),
        BodyHandlers.ofString());
  }

  private Optional<HttpResponse<String>> send(String path, JsonObject body)
      throws InterruptedException {
    try {
      return Optional.of(
          client.send(
              request(path).POST(BodyPublishers.ofString(body.encode())).build(),
              BodyHandlers.ofString()));
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url + path)).timeout(limit);
  }
}
