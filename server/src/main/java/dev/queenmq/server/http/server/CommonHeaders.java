package dev.queenmq.server.http.server;

import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;

/** The headers that every answer has. */
final class CommonHeaders {
  private static final CharSequence CONTENT_TYPE_OPTIONS =
      HttpHeaders.createOptimized("x-content-type-options");
  private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

  private CommonHeaders() {}

  static void apply(Cors cors, HttpServerRequest request) {
    cors.allow(request);
    applyWithoutCors(request);
  }

  /** Without those that let a web page read the answer. */
  static void applyWithoutCors(HttpServerRequest request) {
    // Clients choose the payloads: no browser is to take them for a page.
    request.response().putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF);
  }
}
