package dev.queenmq.server.spool;

/**
 * Whether PostgreSQL has stored anything since a message was first rejected: the message is the
 * cause only if others are stored. Safe for any thread.
 */
final class StoreProgress {
  private volatile boolean given;

  void clear() {
    given = false;
  }

  /** Cheap if it is set already, as it normally is. */
  void set() {
    if (!given) {
      given = true;
    }
  }

  boolean isSet() {
    return given;
  }
}
