package dev.queenmq.server.config.values;

/** What stands between the broker and PostgreSQL, which decides what a connection may remember. */
public enum Pooler {
  /** Ask at start: a pooler hands out a process id that is not the server's. */
  AUTO,
  /** Nothing: prepared statements are cached and timeouts are set for the session. */
  NONE,
  /** A pooler in transaction mode: a connection remembers nothing between transactions. */
  TRANSACTION,
  /** The same, but it carries prepared statements along (PgBouncer 1.21 or newer). */
  TRANSACTION_PREPARED
}
