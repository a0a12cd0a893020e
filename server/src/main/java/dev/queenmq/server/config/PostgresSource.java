package dev.queenmq.server.config;

import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Tls;
import java.nio.file.Path;
import java.util.List;
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
   * @param servers of one cluster, of which one takes writes; at least one
   * @param allowUnsafe whether it is used although its settings could lose commits
   */
  record External(List<PostgresEndpoint> servers, boolean allowUnsafe) implements PostgresSource {

    /** Copies the list. */
    public External {
      servers = List.copyOf(servers);
    }

    /** A single server. */
    public External(PostgresEndpoint server, boolean allowUnsafe) {
      this(List.of(server), allowUnsafe);
    }

    /** How connections are encrypted: the same for all servers. */
    public Tls tls() {
      return servers.get(0).tls();
    }
  }
}
