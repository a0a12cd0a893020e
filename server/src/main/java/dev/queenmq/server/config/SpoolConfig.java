package dev.queenmq.server.config;

import java.nio.file.Path;
import java.time.Duration;

/**
 * Where pushed messages are kept while PostgreSQL is away.
 *
 * @param folder belongs to this broker alone
 * @param maxBytes that they may take there; 0 for none, and pushes are refused meanwhile
 * @param deadline after which a push is not waited for any longer
 */
public record SpoolConfig(Path folder, long maxBytes, Duration deadline) {

  /** None, for tools and tests that read no environment: several of them share a folder. */
  static SpoolConfig none() {
    return new SpoolConfig(Path.of("spool"), 0, Duration.ofSeconds(2));
  }

  /** Whether there is one at all. */
  public boolean enabled() {
    return maxBytes > 0;
  }
}
