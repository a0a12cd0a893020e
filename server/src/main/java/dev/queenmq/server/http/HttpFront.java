package dev.queenmq.server.http;

import dev.queenmq.server.config.HttpConfig;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.IntFunction;

/**
 * The HTTP servers of a broker, one on each of several event loops and all on the same port, from
 * the first connection to the last.
 */
public final class HttpFront {

  private final Vertx vertx;
  private final List<HttpInstance> instances = new ArrayList<>();
  private final List<String> deployments = new ArrayList<>();

  private HttpFront(Vertx vertx) {
    this.vertx = vertx;
  }

  /**
   * Starts to listen.
   *
   * @param count how many servers, each on an event loop of its own as far as there are so many
   * @param handlers is asked for the handler of each server, by its number from 0, on its event
   *     loop
   * @return the running servers, or a failure with a {@link HttpStartException}
   */
  public static Future<HttpFront> start(
      Vertx vertx,
      HttpConfig config,
      HttpLimits limits,
      int count,
      IntFunction<Handler<HttpServerRequest>> handlers) {
    HttpFront front = new HttpFront(vertx);
    // Servers that listen on the same negative port share one that is free.
    int port =
        config.port() == 0
            ? -1 - ThreadLocalRandom.current().nextInt(Integer.MAX_VALUE - 1)
            : config.port();
    Future<Void> started = Future.succeededFuture();
    for (int i = 0; i < Math.max(1, count); i++) {
      int number = i;
      HttpInstance instance =
          new HttpInstance(config.host(), port, limits, () -> handlers.apply(number));
      started = started.compose(before -> front.deploy(instance));
    }
    return started
        .map(front)
        .recover(
            failure ->
                front
                    .stop(Duration.ZERO)
                    .transform(stopped -> Future.failedFuture(cannotListen(config, failure))));
  }

  private Future<Void> deploy(HttpInstance instance) {
    return vertx
        .deployVerticle(instance)
        .onSuccess(
            id -> {
              instances.add(instance);
              deployments.add(id);
            })
        .mapEmpty();
  }

  private static HttpStartException cannotListen(HttpConfig config, Throwable failure) {
    String where = config.host() + ":" + config.port();
    String said = String.valueOf(failure.getMessage());
    String why = said.contains("Address already in use") ? "the port is in use" : said;
    return new HttpStartException("cannot listen on " + where + ": " + why, failure);
  }

  /** The port that it really listens on. */
  public int port() {
    return instances.get(0).port();
  }

  /** Takes no more requests, and waits a moment for the answers to those that it has. */
  public Future<Void> stop(Duration patience) {
    return Future.join(instances.stream().map(instance -> instance.shutdown(patience)).toList())
        .transform(down -> Future.join(deployments.stream().map(vertx::undeploy).toList()))
        .mapEmpty();
  }
}
