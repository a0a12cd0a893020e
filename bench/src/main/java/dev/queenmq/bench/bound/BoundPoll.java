package dev.queenmq.bench.bound;

import io.vertx.core.http.HttpServerResponse;

/**
 * A pop.
 *
 * @param deadline when it is answered with nothing, on the clock of {@code System.nanoTime}
 */
record BoundPoll(HttpServerResponse response, int batch, long deadline) {}
