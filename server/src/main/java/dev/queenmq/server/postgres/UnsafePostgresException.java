package dev.queenmq.server.postgres;

import dev.queenmq.server.config.values.PostgresEndpoint;

/** PostgreSQL could lose commits, and the operator has not allowed that. */
public final class UnsafePostgresException extends RuntimeException {

  /** The message says what is off and what to do. */
  public UnsafePostgresException(PostgresEndpoint endpoint, Durability found) {
    super(
        """
        PostgreSQL at %s runs with %s, and could lose messages that were answered. Turn it on \
        (ALTER SYSTEM; for synchronous_commit, ALTER ROLE suffices), or accept the loss with \
        QUEEN_ALLOW_UNSAFE_POSTGRES=true\
        """
            .formatted(endpoint.describe(), found.whatIsOff()));
  }
}
