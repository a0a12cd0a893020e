package dev.queenmq.server.http.admin;

import io.vertx.core.json.JsonObject;
import java.util.Optional;

/** Adds to the answer of {@code /health} what the routes do not know. */
@FunctionalInterface
public interface HealthDetails {

  /**
   * Adds fields.
   *
   * @param health the answer so far
   * @param fault why the database did not answer; empty if it did
   */
  void add(JsonObject health, Optional<Throwable> fault);
}
