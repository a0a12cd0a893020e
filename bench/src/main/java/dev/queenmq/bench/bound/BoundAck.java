package dev.queenmq.bench.bound;

import io.vertx.core.http.HttpServerResponse;

/** A request that acknowledges whole leases. */
final class BoundAck {
  final HttpServerResponse response;
  final JsonBytes answer;
  int leases;
  boolean failed;

  BoundAck(HttpServerResponse response, JsonBytes answer) {
    this.response = response;
    this.answer = answer;
  }
}
