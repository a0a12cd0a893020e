package dev.queenmq.server.http.routing;

import io.vertx.core.http.HttpServerRequest;

/**
 * Answers the requests of a route, on the event loop they came in on. What it throws becomes an
 * error answer. It must leave the response's end handler alone.
 */
@FunctionalInterface
public interface RouteHandler {

  /** Must make sure that the request gets an answer. */
  void handle(HttpServerRequest request, PathParameters path);
}
