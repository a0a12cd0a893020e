package dev.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** Where tests keep things. */
final class TestFolders {

  static final Path BINARIES = SharedBinaries.FOLDER;

  private TestFolders() {}

  /** A configuration that shares the unpacked programs with all other tests. */
  static EmbeddedPostgresConfig config(Path folder) {
    return EmbeddedPostgresConfig.in(folder).withBinariesCache(BINARIES);
  }

  /** Only the owner can open JUnit's folders; some tests need a folder for another user. */
  static void openToAll(Path folder) throws IOException {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
