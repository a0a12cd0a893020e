package dev.queenmq.server.http;

import dev.queenmq.server.config.CorsOrigins;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/** Lets web pages read the answers: all of them, or those of some origins. */
final class Cors {
  private static final CharSequence ANY = HttpHeaders.createOptimized("*");
  private static final CharSequence METHODS =
      HttpHeaders.createOptimized("GET, POST, PUT, DELETE, OPTIONS");
  private static final CharSequence HEADERS =
      HttpHeaders.createOptimized("Content-Type, Authorization");
  private static final CharSequence MAX_AGE = HttpHeaders.createOptimized("86400");
  private static final CharSequence TRUE = HttpHeaders.createOptimized("true");

  private final CorsOrigins origins;

  Cors(CorsOrigins origins) {
    this.origins = origins;
  }

  void allow(HttpServerRequest request) {
    HttpServerResponse response = request.response();
    if (origins.any()) {
      // Without credentials, which browsers do not send to everybody.
      response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
      describe(response);
      return;
    }
    if (origins.named().isEmpty()) {
      return;
    }
    // A cache must not give one origin what was said to another.
    response.putHeader(HttpHeaders.VARY, HttpHeaders.ORIGIN);
    String origin = request.getHeader(HttpHeaders.ORIGIN);
    if (origin != null && origins.allow(origin)) {
      response
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, origin)
          .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_CREDENTIALS, TRUE);
      describe(response);
    }
  }

  private static void describe(HttpServerResponse response) {
    response
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, HEADERS)
        .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE);
  }
}
