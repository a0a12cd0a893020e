package dev.queenmq.server.http.server;

import dev.queenmq.server.config.values.CorsOrigins;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;

/**
 * Says in answers which web pages may read them. Pages that may not use the broker at all do not
 * get this far: see {@link CrossOriginCheck}.
 */
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
    if (origins.kind() == CorsOrigins.Kind.ANY || origins.kind() == CorsOrigins.Kind.OWN) {
      // What existing clients expect of every answer. Pages of other origins are refused before, so
      // this lets no one in. Without credentials: browsers do not send them to "any".
      response.putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, ANY);
      describe(response);
      return;
    }
    if (origins.kind() == CorsOrigins.Kind.NONE) {
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
