package dev.queenmq.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.internal.Json;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Transport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Messages of a queue that were given up, by group. Begin at {@link QueueRef#dlq()}. */
public final class DeadLetters {
  private final Calls calls;
  private final Calls.Source source;

  DeadLetters(Calls calls, Calls.Source source) {
    this.calls = calls;
    this.source = source;
  }

  /**
   * Lists them, the latest failure first.
   *
   * @param limit at most this many, 1 to 1,000
   * @param offset how many to skip
   * @return a page
   */
  public Page list(int limit, int offset) {
    return Transport.join(listAsync(limit, offset));
  }

  /**
   * Lists them, the latest failure first.
   *
   * @param limit at most this many, 1 to 1,000
   * @param offset how many to skip
   * @return a page
   */
  public CompletableFuture<Page> listAsync(int limit, int offset) {
    Request request =
        Request.get("/api/v1/dlq")
            .withQuery("queue", source.queue())
            .withQuery("partition", source.partition())
            .withQuery("consumerGroup", source.group())
            .withQuery("limit", limit)
            .withQuery("offset", offset);
    return calls
        .send(request)
        .thenApply(
            response -> {
              JsonNode answer = response.json();
              List<DeadLetter> letters = new ArrayList<>();
              for (JsonNode each : answer.path("messages")) {
                letters.add(letter(each));
              }
              return new Page(List.copyOf(letters), answer.path("total").asLong());
            });
  }

  /**
   * Gives them back to the groups that gave them up: they are delivered again.
   *
   * @return how many
   */
  public long redrive() {
    return Transport.join(redriveAsync());
  }

  /**
   * Gives them back to the groups that gave them up.
   *
   * @return how many
   */
  public CompletableFuture<Long> redriveAsync() {
    ObjectNode body = Json.MAPPER.createObjectNode().put("queue", source.queue());
    if (source.partition() != null) {
      body.put("partition", source.partition());
    }
    if (source.group() != null) {
      body.put("consumerGroup", source.group());
    }
    body.put("requestId", UUID.randomUUID().toString());
    return calls
        .send(
            Request.post("/api/v1/dlq/redrive")
                .withBody(body)
                // The request id makes the second one change nothing.
                .withRetry(Request.Retry.ALWAYS))
        .thenApply(response -> response.json().path("redriven").asLong());
  }

  /**
   * Removes them for good.
   *
   * @return how many
   */
  public long purge() {
    return Transport.join(purgeAsync());
  }

  /**
   * Removes them for good.
   *
   * @return how many
   */
  public CompletableFuture<Long> purgeAsync() {
    return calls
        .send(
            Request.delete("/api/v1/dlq")
                .withQuery("queue", source.queue())
                .withQuery("partition", source.partition())
                .withQuery("consumerGroup", source.group()))
        .thenApply(response -> response.json().path("purged").asLong());
  }

  private DeadLetter letter(JsonNode each) {
    return new DeadLetter(
        each.path("id").asText(),
        each.path("transactionId").asText(),
        each.path("queue").asText(),
        each.path("partition").asText(),
        each.path("partitionId").asText(),
        each.path("consumerGroup").asText(),
        each.path("errorMessage").asText(null),
        each.path("retryCount").asInt(),
        each.path("data"),
        Instant.parse(each.path("createdAt").asText()),
        Instant.parse(each.path("failedAt").asText()));
  }

  /**
   * Some of the dead letters.
   *
   * @param letters of this page
   * @param total of all pages
   */
  public record Page(List<DeadLetter> letters, long total) {}
}
