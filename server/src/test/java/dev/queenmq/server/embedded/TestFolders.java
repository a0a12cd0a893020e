package dev.queenmq.server.embedded;

import java.nio.file.Path;

/** Where tests keep things. */
final class TestFolders {

  private TestFolders() {}

  /** A configuration that shares the unpacked programs with all other tests. */
  static EmbeddedPostgresConfig config(Path folder) {
    return EmbeddedPostgresConfig.in(folder).withBinariesCache(Path.of("target/postgres-binaries"));
  }
}
