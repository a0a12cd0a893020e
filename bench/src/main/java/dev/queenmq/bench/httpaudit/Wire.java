package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Reply;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * One connection to the broker, which can be cut at any moment; the next request makes a new one.
 * For one event loop, one request at a time.
 */
final class Wire {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Vertx vertx;
  private final BrokerClient client;
  private @Nullable HttpConnection connection;

  Wire(Vertx vertx, BrokerUrl url) {
    this.vertx = vertx;
    client = new BrokerClient(vertx, url, 1);
  }

  Future<Reply> get(String path) {
    return open(HttpMethod.GET, path).compose(request -> answer(request, Buffer.buffer()));
  }

  Future<Reply> post(String path, Buffer body) {
    return open(HttpMethod.POST, path).compose(request -> answer(request, body));
  }

  /** Asks, but cuts the connection if there is no answer after this time. */
  Future<Reply> getOrCut(String path, Duration patience) {
    return open(HttpMethod.GET, path)
        .compose(request -> orCut(answer(request, Buffer.buffer()), patience));
  }

  /** Sends all, but cuts the connection if there is no answer after this time. */
  Future<Reply> postOrCut(String path, Buffer body, Duration patience) {
    return open(HttpMethod.POST, path).compose(request -> orCut(answer(request, body), patience));
  }

  /** Cuts the connection in the middle of the body. */
  Future<Reply> postHalf(String path, Buffer body) {
    return open(HttpMethod.POST, path)
        .compose(
            request -> {
              request.putHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length()));
              // The cut is no news.
              request.exceptionHandler(cut -> {});
              return request
                  .write(body.slice(0, body.length() / 2))
                  .transform(written -> cut())
                  .transform(done -> Future.<Reply>failedFuture(new CutException()));
            });
  }

  /** Cuts the connection. */
  Future<Void> cut() {
    HttpConnection current = connection;
    connection = null;
    return current == null
        ? Future.succeededFuture()
        : current.close().transform(closed -> Future.succeededFuture());
  }

  Future<Void> close() {
    return client.close();
  }

  private Future<HttpClientRequest> open(HttpMethod method, String path) {
    return client.request(method, path).onSuccess(request -> connection = request.connection());
  }

  private Future<Reply> answer(HttpClientRequest request, Buffer body) {
    return request
        .send(body)
        .compose(BrokerClient::reply)
        .timeout(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
  }

  private Future<Reply> orCut(Future<Reply> answer, Duration patience) {
    Promise<Reply> result = Promise.promise();
    long timer =
        vertx.setTimer(
            Math.max(1, patience.toMillis()),
            fired -> {
              if (result.tryFail(new CutException())) {
                cut();
              }
            });
    answer.onComplete(
        done -> {
          vertx.cancelTimer(timer);
          if (done.succeeded()) {
            result.tryComplete(done.result());
          } else {
            result.tryFail(done.cause());
          }
        });
    return result.future();
  }
}
