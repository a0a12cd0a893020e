package dev.queenmq.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a request with a JSON body. */
final class JsonReply {

  private static final Logger log = LoggerFactory.getLogger(JsonReply.class);

  private JsonReply() {}

  static void send(HttpServerRequest request, int status, JsonObject body) {
    request
        .response()
        .setStatusCode(status)
        .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
        .end(body.toBuffer())
        .onFailure(
            gone -> log.debug("{} {}: {}", request.method(), request.path(), gone.getMessage()));
  }

  /** All clients print {@code error}, so it is always a text. */
  static void error(HttpServerRequest request, int status, String error) {
    send(request, status, new JsonObject().put("error", error));
  }
}
