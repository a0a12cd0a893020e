package dev.queenmq.bench.broker;

import dev.queenmq.bench.Blocking;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Calls one broker from threads that may wait. Safe for any thread. */
public final class BlockingClient {
  private static final int OK = 200;
  private static final int CREATED = 201;

  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final BrokerUrl url;
  private final Duration limit;

  /** One that waits this long for an answer. */
  public BlockingClient(BrokerUrl url, Duration limit) {
    this.url = url;
    this.limit = limit;
  }

  /** The answer, if there was one. */
  public Optional<Reply> get(String path) {
    return send(request(path).GET().build());
  }

  /** The answer, if there was one. */
  public Optional<Reply> post(String path, Buffer body) {
    return send(request(path).POST(BodyPublishers.ofByteArray(body.getBytes())).build());
  }

  /** The answer, if there was one. */
  public Optional<Reply> delete(String path) {
    return send(request(path).DELETE().build());
  }

  /** Pushes one message. */
  public Optional<Reply> push(String queue, String transactionId) {
    Bodies body = Bodies.push().item(queue, "p", transactionId, PopMessage.payload(1));
    return post(BrokerClient.PUSH, body.finish());
  }

  /** Whether this answer to a push says that all of it is stored. */
  public static boolean isStored(Reply answer) {
    return answer.status() == CREATED && !answer.body().toString().contains("failed");
  }

  /** Pops from any partition of a queue. */
  public Optional<Reply> pop(String queue, String query) {
    return get(BrokerClient.popPath(queue) + "?" + query);
  }

  /** The last message of this answer to a pop, if any. */
  public static Optional<PopMessage> last(Reply answer) {
    List<PopMessage> messages = answer.status() == OK ? Answers.pop(answer) : List.of();
    return messages.stream().skip(Math.max(0, messages.size() - 1)).findFirst();
  }

  /** Says that it is done, for a group or for none. */
  public Optional<Reply> ack(PopMessage message, String group) {
    return post(BrokerClient.ACK_BATCH, body(message, group));
  }

  /** The same; the answer comes when it comes. */
  public CompletableFuture<Reply> ackLater(PopMessage message, String group) {
    return client
        .sendAsync(
            request(BrokerClient.ACK_BATCH)
                .POST(BodyPublishers.ofByteArray(body(message, group).getBytes()))
                .build(),
            BodyHandlers.ofByteArray())
        .thenApply(BlockingClient::reply);
  }

  private static Buffer body(PopMessage message, String group) {
    return Bodies.acks(group, List.of(message)).finish();
  }

  private HttpRequest.Builder request(String path) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + path)).timeout(limit);
    return url.token().isEmpty()
        ? request
        : request.header("Authorization", "Bearer " + url.token());
  }

  private Optional<Reply> send(HttpRequest request) {
    return Blocking.call(
        () -> {
          try {
            return Optional.of(reply(client.send(request, BodyHandlers.ofByteArray())));
          } catch (IOException e) {
            return Optional.empty();
          }
        });
  }

  private static Reply reply(HttpResponse<byte[]> answer) {
    return new Reply(
        answer.statusCode(),
        Buffer.buffer(answer.body()),
        answer.headers().firstValue("Retry-After").orElse(""));
  }
}
