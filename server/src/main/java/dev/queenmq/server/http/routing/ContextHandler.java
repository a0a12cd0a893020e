package dev.queenmq.server.http.routing;

import io.vertx.core.http.HttpServerRequest;

/** A {@link RouteHandler} that wants to know who asks. */
@FunctionalInterface
public interface ContextHandler {

  /** Sees to it that the request gets an answer. */
  void handle(HttpServerRequest request, PathParameters path, RequestContext call);
}
