package dev.queenmq.server.http;

import io.vertx.core.http.HttpServerRequest;

/** A {@link RouteHandler} that wants to know who asks. */
@FunctionalInterface
public interface CallHandler {

  /** Sees to it that the request gets an answer. */
  void handle(HttpServerRequest request, PathParameters path, Call call);
}
