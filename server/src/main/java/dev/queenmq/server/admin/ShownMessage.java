package dev.queenmq.server.admin;

import io.vertx.core.json.JsonObject;

/**
 * A message as operators see it.
 *
 * @param fields all but the payload
 * @param payload the producer's JSON text, which is not taken apart
 */
public record ShownMessage(JsonObject fields, String payload) {}
