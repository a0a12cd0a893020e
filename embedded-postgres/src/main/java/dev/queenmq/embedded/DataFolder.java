package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileFailure;
import dev.queenmq.embedded.files.FolderAccess;
import dev.queenmq.embedded.files.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The layout of a data folder. The root is a real path: absolute, without symbolic links. */
record DataFolder(Path root) {

  /** Makes the folder when it is missing, and resolves it. */
  static DataFolder open(Path given) throws EmbeddedPostgresException {
    Path absolute = given.toAbsolutePath().normalize();
    try {
      FolderAccess.check(absolute);
      PrivateFile.makeFolder(absolute);
      return new DataFolder(absolute.toRealPath());
    } catch (IOException e) {
      throw unusable(absolute, FileFailure.describe(e), e);
    }
  }

  /**
   * Resolves the folder if it is there. If not, looks whether it could be made; makes nothing.
   *
   * @throws EmbeddedPostgresException if it can be neither used nor made
   */
  static Optional<DataFolder> look(Path given) throws EmbeddedPostgresException {
    Path absolute = given.toAbsolutePath().normalize();
    try {
      FolderAccess.check(absolute);
      return Files.exists(absolute)
          ? Optional.of(new DataFolder(absolute.toRealPath()))
          : Optional.empty();
    } catch (IOException e) {
      throw unusable(absolute, FileFailure.describe(e), e);
    }
  }

  static EmbeddedPostgresException unusable(Path folder, String why, IOException cause) {
    return new EmbeddedPostgresException(
        Reason.FOLDER_UNUSABLE,
        """
        The data folder %s cannot be used: %s. Make room or give permission there, or set \
        QUEEN_DATA_DIR to another folder.\
        """
            .formatted(folder, why),
        cause);
  }

  /** Takes the folder for this process. */
  FolderLock lock() throws EmbeddedPostgresException {
    try {
      return FolderLock.acquire(lockFile(), ownerFile());
    } catch (IOException e) {
      throw notLocked(e);
    }
  }

  /** Fails if a live process has the folder, and changes nothing there. */
  void checkUnlocked() throws EmbeddedPostgresException {
    try {
      FolderLock.check(ownerFile());
    } catch (IOException e) {
      throw notLocked(e);
    }
  }

  private EmbeddedPostgresException notLocked(IOException failure) {
    if (!(failure instanceof FolderLock.InUseException used)) {
      return unusable(root, FileFailure.describe(failure), failure);
    }
    return new EmbeddedPostgresException(
        Reason.FOLDER_IN_USE,
        """
        The data folder %s is in use by %s. Stop that process, or set QUEEN_DATA_DIR to another \
        folder; to run several brokers on one database, let them share a PostgreSQL through \
        PG_HOST.\
        """
            .formatted(root, used.owner()));
  }

  /** PostgreSQL's own data directory. */
  Path cluster() {
    return root.resolve("postgres");
  }

  Path versionFile() {
    return cluster().resolve("PG_VERSION");
  }

  Path postmasterPidFile() {
    return cluster().resolve("postmaster.pid");
  }

  /** Beside the tables, so that a cluster and the password it knows are created in one rename. */
  Path passwordFile() {
    return cluster().resolve("queen.password");
  }

  Path lockFile() {
    return root.resolve("queen.lock");
  }

  Path ownerFile() {
    return root.resolve("queen.owner");
  }

  Path portFile() {
    return root.resolve("postgres.port");
  }

  Path log() {
    return root.resolve("postgres.log");
  }

  /** Settings that belong to the user: read when present, never written by us. */
  Path userConfiguration() {
    return root.resolve("postgresql.user.conf");
  }

  Path defaultBinariesCache() {
    return root.resolve("binaries");
  }
}
