package dev.queenmq.server.postgres;

import java.io.IOException;

/**
 * The statement was meant for a server that is not the one that takes writes now. It may have
 * happened there. What it was made of may be wrong by now, so it is not sent to the new one.
 */
final class ServerChangedException extends IOException {
  private static final long serialVersionUID = 1L;

  ServerChangedException() {
    super("another PostgreSQL server takes the writes now");
  }
}
