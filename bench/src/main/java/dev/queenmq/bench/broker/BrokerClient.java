package dev.queenmq.bench.broker;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import java.util.List;
import java.util.Objects;

/**
 * Requests to one broker over a number of connections that stay open. A request beyond that number
 * waits for one of them. Safe for any thread, cheapest when used on one event loop only.
 */
public final class BrokerClient {
  /** Where messages are pushed. */
  public static final String PUSH = "/api/v1/push";

  /** Where many messages are acknowledged at once. */
  public static final String ACK_BATCH = "/api/v1/ack/batch";

  private static final CharSequence RETRY_AFTER = HttpHeaders.RETRY_AFTER;
  private static final int KEEP_SECONDS = 5;
  private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");

  private final BrokerUrl url;
  private final HttpClient client;

  /** A client; nothing is connected yet. */
  public BrokerClient(Vertx vertx, BrokerUrl url, int connections) {
    this(vertx, url, connections, 1);
  }

  /** Such that a connection takes this many requests before the first is answered. */
  public BrokerClient(Vertx vertx, BrokerUrl url, int connections, int pipelined) {
    this.url = url;
    client =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setDefaultHost(url.host())
                .setDefaultPort(url.port())
                .setPipelining(pipelined > 1)
                .setPipeliningLimit(pipelined)
                // Brokers close idle connections, the public one after 10 s.
                .setKeepAliveTimeout(KEEP_SECONDS),
            new PoolOptions().setHttp1MaxSize(connections).setMaxWaitQueueSize(-1));
  }

  /** The path of a pop from any partition of a queue, up to its query. */
  public static String popPath(String queue) {
    return "/api/v1/pop/queue/" + BrokerUrl.encode(queue);
  }

  /** Asks. */
  public Future<Reply> get(String path) {
    return request(HttpMethod.GET, path)
        .compose(request -> request.send().compose(BrokerClient::reply));
  }

  /** Asks with a body of JSON. */
  public Future<Reply> post(String path, Buffer body) {
    return request(HttpMethod.POST, path)
        .compose(
            request ->
                request
                    .putHeader(HttpHeaders.CONTENT_TYPE, JSON)
                    .send(body)
                    .compose(BrokerClient::reply));
  }

  /** Pushes these messages. */
  public Future<Reply> push(Bodies messages) {
    return post(PUSH, messages.finish());
  }

  /** Pops from any partition of a queue. */
  public Future<List<PopMessage>> pop(String queue, String query) {
    return get(popPath(queue) + "?" + query).map(Answers::pop);
  }

  /** Says that all are done, for a group or for none; how many that were. All must be taken. */
  public Future<Integer> ack(String group, List<PopMessage> messages) {
    if (messages.isEmpty()) {
      return Future.succeededFuture(0);
    }
    return post(ACK_BATCH, Bodies.acks(group, messages).finish())
        .map(
            reply -> {
              List<AckResult> results = Answers.ack(reply);
              if (results.size() != messages.size()
                  || !results.stream().allMatch(AckResult::success)) {
                throw new IllegalStateException("not all were acknowledged: " + reply);
              }
              return results.size();
            });
  }

  /** Deletes. */
  public Future<Reply> delete(String path) {
    return request(HttpMethod.DELETE, path)
        .compose(request -> request.send().compose(BrokerClient::reply));
  }

  /** A request that the caller sends by itself. */
  public Future<HttpClientRequest> request(HttpMethod method, String path) {
    try {
      Future<HttpClientRequest> request = client.request(method, url.prefix() + path);
      return url.token().isEmpty()
          ? request
          : request.map(each -> each.putHeader(HttpHeaders.AUTHORIZATION, "Bearer " + url.token()));
    } catch (IllegalStateException e) {
      // Closed meanwhile.
      return Future.failedFuture(e);
    }
  }

  /** The whole answer. */
  public static Future<Reply> reply(HttpClientResponse response) {
    String retryAfter = Objects.requireNonNullElse(response.getHeader(RETRY_AFTER), "");
    int status = response.statusCode();
    return response.body().map(body -> new Reply(status, body, retryAfter));
  }

  /** Cuts all connections; what is on its way fails. */
  public Future<Void> close() {
    return client.close();
  }
}
