package dev.queenmq.server.http.admin;

import io.vertx.core.Future;

/** Whether the database is available. */
@FunctionalInterface
public interface HealthCheck {

  /** Completes when it is, fails when it is not; soon in either case. */
  Future<Void> check();
}
