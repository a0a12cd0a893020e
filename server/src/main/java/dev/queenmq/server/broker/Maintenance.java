package dev.queenmq.server.broker;

import io.vertx.core.Future;

/** The two switches by which operators keep clients away from PostgreSQL. */
public interface Maintenance {

  /** Whether pushes go to the spool. */
  boolean ofPushes();

  /** Whether pops find nothing. */
  boolean ofPops();

  /** Lets pushes go to the spool, or to PostgreSQL again, at all brokers. */
  Future<Void> setPushes(boolean on);

  /** Lets pops find nothing, or what is there again, at all brokers. */
  Future<Void> setPops(boolean on);
}
