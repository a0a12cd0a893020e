package dev.queenmq.server.config;

import dev.queenmq.server.config.values.Pooler;
import java.time.Duration;

/**
 * What every connection to PostgreSQL has in common, wherever the server is.
 *
 * @param connectTimeout for the network connection and the login
 * @param statementTimeout after which PostgreSQL cancels a statement
 * @param lockTimeout after which PostgreSQL gives up waiting for a lock
 * @param pooler what stands in between
 * @param pipeliningLimit statements that may be on their way on one connection
 */
public record SessionConfig(
    Duration connectTimeout,
    Duration statementTimeout,
    Duration lockTimeout,
    Pooler pooler,
    int pipeliningLimit) {

  /** The defaults of the catalogue of settings, for tools and tests that read no environment. */
  public static SessionConfig defaults() {
    return new SessionConfig(
        Duration.ofSeconds(2), Duration.ofSeconds(30), Duration.ofSeconds(10), Pooler.AUTO, 256);
  }

  /** The same behind another pooler. */
  public SessionConfig with(Pooler other) {
    return new SessionConfig(connectTimeout, statementTimeout, lockTimeout, other, pipeliningLimit);
  }
}
