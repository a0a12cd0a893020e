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
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * At most one connection to each broker, which can be cut at any moment; the next request makes a
 * new one, after trouble to another broker if there are several. For one event loop, one request at
 * a time.
 */
final class Wire {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(500);
  private static final int UNAVAILABLE = 503;

  private final Vertx vertx;
  private final BrokerChoice choice;
  private final Duration patience;
  private final Map<BrokerUrl, BrokerClient> clients = new HashMap<>();
  private BrokerUrl last;
  private boolean toldWhen;
  private @Nullable HttpConnection connection;

  Wire(Vertx vertx, BrokerChoice choice, Duration patience) {
    this.vertx = vertx;
    this.choice = choice;
    this.patience = patience;
    last = choice.current();
  }

  /** Where the last request went. */
  BrokerUrl last() {
    return last;
  }

  /** Whether its answer said when to come back. */
  boolean isToldWhen() {
    return toldWhen;
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
    return Future.join(clients.values().stream().map(BrokerClient::close).toList()).mapEmpty();
  }

  private Future<HttpClientRequest> open(HttpMethod method, String path) {
    choice.next();
    Duration rest = choice.rest();
    if (!rest.isZero() && choice.isFree()) {
      Promise<HttpClientRequest> later = Promise.promise();
      vertx.setTimer(
          Math.max(1, rest.toMillis()), fired -> openNow(method, path).onComplete(later));
      return later.future();
    }
    return openNow(method, path);
  }

  private Future<HttpClientRequest> openNow(HttpMethod method, String path) {
    last = choice.current();
    toldWhen = false;
    return clients
        .computeIfAbsent(last, url -> new BrokerClient(vertx, url, 1))
        .request(method, path)
        .onSuccess(request -> connection = request.connection())
        .onFailure(failure -> elsewhere(AFTER_FAILURE));
  }

  private Future<Reply> answer(HttpClientRequest request, Buffer body) {
    HttpConnection used = request.connection();
    return request
        .send(body)
        .compose(
            response -> {
              String when = response.getHeader(HttpHeaders.RETRY_AFTER);
              toldWhen = when != null;
              if (response.statusCode() == UNAVAILABLE) {
                Duration rest = when == null ? AFTER_FAILURE : rest(when);
                return BrokerClient.reply(response).onComplete(read -> elsewhere(rest));
              }
              return BrokerClient.reply(response);
            })
        .timeout(patience.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(
            failure -> {
              // A connection that we have cut ourselves says nothing about its broker.
              if (used == connection) {
                elsewhere(AFTER_FAILURE);
              }
            });
  }

  private static Duration rest(String seconds) {
    try {
      return Duration.ofSeconds(Long.parseLong(seconds.strip()));
    } catch (NumberFormatException e) {
      return AFTER_FAILURE;
    }
  }

  /** From now on to another broker, and back here not before so long. */
  private void elsewhere(Duration rest) {
    if (choice.isFree()) {
      BrokerClient left = clients.remove(choice.current());
      if (left != null) {
        left.close();
      }
      connection = null;
      choice.elsewhere(rest);
    }
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
