package dev.queenmq.bench.bound;

import io.vertx.core.http.HttpServerResponse;

/** A push whose answer is written already, and goes out when all of its lanes are stored. */
final class BoundPush {
  final HttpServerResponse response;
  final JsonBytes answer;
  int lanes;
  boolean failed;

  BoundPush(HttpServerResponse response, JsonBytes answer) {
    this.response = response;
    this.answer = answer;
  }
}
