package dev.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * PostgreSQL's programs, unpacked once for the tests of all modules. To unpack them costs more
 * processor time than to start a broker.
 */
public final class SharedBinaries {

  /** Every module lies beside this one. */
  public static final Path FOLDER =
      Path.of("../embedded-postgres/target/postgres-binaries").toAbsolutePath().normalize();

  private SharedBinaries() {}

  /**
   * Lets whatever starts in a data folder, which is made if it is missing, find the programs there
   * as if it had unpacked them before.
   *
   * @return the data folder
   */
  public static Path linkInto(Path data) {
    try {
      Files.createDirectories(FOLDER);
      Files.createSymbolicLink(DataFolder.open(data).defaultBinariesCache(), FOLDER);
      return data;
    } catch (IOException | EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }
}
