package dev.queenmq.server.config;

import java.nio.file.Path;
import java.util.Optional;

/** Where the PostgreSQL comes from. */
public sealed interface PostgresSource {

  /**
   * The broker runs its own.
   *
   * @param dataFolder everything that it keeps
   * @param binFolder of an installation to use instead of the bundled binaries
   */
  record Embedded(Path dataFolder, Optional<Path> binFolder) implements PostgresSource {}

  /** Somebody else runs it. */
  record External(PostgresEndpoint endpoint) implements PostgresSource {}
}
