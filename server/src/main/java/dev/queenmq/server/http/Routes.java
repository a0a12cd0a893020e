package dev.queenmq.server.http;

import io.vertx.core.Handler;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.Map;

/** Which handler answers which path. */
final class Routes implements Handler<HttpServerRequest> {

  private final Map<String, Handler<HttpServerRequest>> gets;

  /**
   * @param gets handlers of {@code GET} by path
   */
  Routes(Map<String, Handler<HttpServerRequest>> gets) {
    this.gets = Map.copyOf(gets);
  }

  @Override
  public void handle(HttpServerRequest request) {
    Handler<HttpServerRequest> handler = gets.get(String.valueOf(request.path()));
    if (handler == null) {
      JsonReply.error(request, 404, "Not found");
    } else if (!request.method().equals(HttpMethod.GET)
        && !request.method().equals(HttpMethod.HEAD)) {
      JsonReply.error(request, 405, "Method not allowed");
    } else {
      handler.handle(request);
    }
  }
}
