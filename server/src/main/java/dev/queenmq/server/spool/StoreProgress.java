package dev.queenmq.server.spool;

/**
 * Whether PostgreSQL has stored anything since somebody began to doubt that it can: a message that
 * it refuses is to blame only if it takes others. Safe for any thread.
 */
final class StoreProgress {
  private volatile boolean given;

  void clear() {
    given = false;
  }

  /** Cheap when it is given already, as it is in good times. */
  void set() {
    if (!given) {
      given = true;
    }
  }

  boolean isSet() {
    return given;
  }
}
