package dev.queenmq.server.http.routing;

import io.vertx.core.http.HttpServerRequest;

/** A {@link RouteHandler} that needs to know the caller. */
@FunctionalInterface
public interface ContextHandler {

  /** Must make sure that the request gets an answer. */
  void handle(HttpServerRequest request, PathParameters path, RequestContext call);
}
