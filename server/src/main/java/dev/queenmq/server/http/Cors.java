package dev.queenmq.server.http;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;

/** Lets pages of any origin read the answers. */
final class Cors {
  private static final CharSequence ANY = HttpHeaders.createOptimized("*");
  private static final CharSequence METHODS =
      HttpHeaders.createOptimized("GET, POST, PUT, DELETE, OPTIONS");
  private static final CharSequence HEADERS =
      HttpHeaders.createOptimized("Content-Type, Authorization");
  private static final CharSequence MAX_AGE = HttpHeaders.createOptimized("86400");

  private Cors() {}

  static void allow(HttpServerResponse response) {
    response
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, ANY)
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_METHODS, METHODS)
        .putHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_HEADERS, HEADERS)
        .putHeader(HttpHeaders.ACCESS_CONTROL_MAX_AGE, MAX_AGE);
  }
}
