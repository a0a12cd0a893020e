package dev.queenmq.server.config;

import dev.queenmq.server.config.values.PostgresEndpoint;
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

  /**
   * The operator runs it.
   *
   * @param allowUnsafe whether it is used although its settings could lose commits
   */
  record External(PostgresEndpoint endpoint, boolean allowUnsafe) implements PostgresSource {}
}
