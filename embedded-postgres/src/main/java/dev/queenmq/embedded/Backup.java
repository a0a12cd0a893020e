package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileFailure;
import dev.queenmq.embedded.files.FileTree;
import dev.queenmq.embedded.files.PrivateFile;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/**
 * Copies the database of a data folder into one file, while the broker that runs on it goes on.
 *
 * <p>The programs that we bring have no {@code pg_basebackup} and no {@code pg_dump}. So this does
 * what the former does, with the functions that PostgreSQL has for it. Between {@code
 * pg_backup_start} and {@code pg_backup_stop} the files are copied as they are, one after the
 * other, although they change: the copy alone is of no use, since its files are of different
 * moments and pages may be half written. What makes it whole is the write-ahead log from the start
 * to the stop. Within the backup PostgreSQL logs each page as a whole before its first change, and
 * a server that finds {@code backup_label} replays the log from the start and refuses to run if it
 * does not reach the stop. So a restored database is that of the moment of the stop: everything
 * that was committed before is there, and nothing that was committed later.
 *
 * <p>Three things could go wrong, and are taken care of. A checkpoint could remove the log that is
 * still needed: a replication slot of the same session holds it back. The file could be cut off, by
 * a full disk or a crash: it has its name only once it is complete and synced, and its last entry
 * says that it is complete. The session could end early: then the stop fails, and so does the
 * backup.
 */
public final class Backup {

  private final EmbeddedPostgresConfig config;

  private Backup(EmbeddedPostgresConfig config) {
    this.config = config;
  }

  /**
   * What was done.
   *
   * @param databaseBytes of the files that were copied
   * @param fileBytes of the file that they are in
   */
  public record Summary(long databaseBytes, long fileBytes) {}

  /**
   * Makes a backup. If no process runs on the data folder, starts a server for as long as it takes.
   *
   * @param target must not exist
   */
  public static Summary run(EmbeddedPostgresConfig config, Path target)
      throws EmbeddedPostgresException {
    try {
      return new Backup(config).run(target.toAbsolutePath());
    } catch (IOException e) {
      throw new EmbeddedPostgresException(
          Reason.BACKUP_FAILED,
          "The backup to %s failed: %s".formatted(target, FileFailure.describe(e)),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new EmbeddedPostgresException(Reason.BACKUP_FAILED, "The backup was interrupted", e);
    }
  }

  private Summary run(Path target)
      throws EmbeddedPostgresException, IOException, InterruptedException {
    DataFolder folder =
        DataFolder.look(config.dataDir())
            .filter(Cluster::isIn)
            .orElseThrow(
                () ->
                    new EmbeddedPostgresException(
                        Reason.FOLDER_UNUSABLE,
                        "There is no database in %s. Set QUEEN_DATA_DIR to the data folder of the broker."
                            .formatted(config.dataDir().toAbsolutePath().normalize())));
    if (Files.exists(target)) {
      throw new EmbeddedPostgresException(
          Reason.BACKUP_FAILED, target + " exists. A backup replaces no file.");
    }
    try (EmbeddedPostgres own = EmbeddedPostgres.start(config)) {
      return copy(folder, own.address(), target);
    } catch (EmbeddedPostgresException e) {
      if (e.reason() != Reason.FOLDER_IN_USE) {
        throw e;
      }
    }
    return copy(folder, EmbeddedPostgres.runningIn(folder), target);
  }

  private static Summary copy(DataFolder folder, PostgresAddress address, Path target)
      throws EmbeddedPostgresException, IOException, InterruptedException {
    Path unfinished = target.resolveSibling(target.getFileName() + ".partial");
    Files.deleteIfExists(unfinished);
    boolean done = false;
    try {
      long copied;
      // It holds payloads and the password of the database.
      try (FileChannel channel = PrivateFile.open(unfinished);
          BackupSession session = BackupSession.open(address)) {
        try (BackupWriter writer = new BackupWriter(Channels.newOutputStream(channel))) {
          write(folder, session, writer);
          copied = writer.bytes();
        }
      }
      FileTree.sync(unfinished);
      Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
      done = true;
      FileTree.sync(Objects.requireNonNull(target.toAbsolutePath().getParent()));
      return new Summary(copied, Files.size(target));
    } finally {
      if (!done) {
        Files.deleteIfExists(unfinished);
      }
    }
  }

  private static void write(DataFolder folder, BackupSession session, BackupWriter writer)
      throws EmbeddedPostgresException, IOException, InterruptedException {
    ClusterFiles files = new ClusterFiles(folder.cluster());
    if (files.hasTablespaces()) {
      throw new EmbeddedPostgresException(
          Reason.BACKUP_FAILED,
          "The database has tablespaces elsewhere, which this backup does not know");
    }
    String first = session.begin("queen_backup_" + UUID.randomUUID().toString().replace('-', '_'));
    for (Path each : files.all()) {
      String name = name(folder, each);
      if (Files.isDirectory(each)) {
        writer.folder(name);
      } else {
        writer.file(name, each);
      }
    }
    if (Files.exists(folder.userConfiguration())) {
      writer.file(BackupWriter.USER_CONFIGURATION, folder.userConfiguration());
    }
    BackupSession.Ended ended = session.end();
    List<Path> log = files.log(first, ended.lastLog());
    for (Path each : log) {
      if (!writer.file(name(folder, each), each)) {
        throw new EmbeddedPostgresException(
            Reason.BACKUP_FAILED, each + " was removed while it was needed");
      }
    }
    writer.text(BackupWriter.CLUSTER + "backup_label", ended.label());
    writer.text(BackupWriter.END, "%s to %s%n".formatted(first, ended.lastLog()));
  }

  private static String name(DataFolder folder, Path file) {
    return BackupWriter.CLUSTER + folder.cluster().relativize(file);
  }
}
