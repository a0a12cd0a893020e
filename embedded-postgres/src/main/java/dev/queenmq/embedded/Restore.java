package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import dev.queenmq.embedded.files.FileFailure;
import dev.queenmq.embedded.files.FileTree;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.channels.ReadableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Puts the database of a {@link Backup} into a data folder that has none. It is unpacked beside its
 * place and moved there in one step once it is complete. The next start replays the log that came
 * with it.
 */
public final class Restore {

  private Restore() {}

  /**
   * Restores.
   *
   * @param backup the file
   * @param dataFolder is made if it is missing
   */
  public static void run(Path backup, Path dataFolder) throws EmbeddedPostgresException {
    DataFolder folder = DataFolder.open(dataFolder);
    FolderLock held = folder.lock();
    try {
      if (Cluster.isIn(folder)) {
        throw new EmbeddedPostgresException(
            Reason.FOLDER_UNUSABLE,
            "%s is there already. A restore replaces no database: move it away, or set QUEEN_DATA_DIR to another folder."
                .formatted(folder.cluster()));
      }
      Path home = Files.createTempDirectory(folder.root(), Cluster.UNFINISHED);
      try {
        unpack(backup, home);
        place(home, folder);
      } finally {
        FileTree.delete(home);
      }
    } catch (EOFException | ZipException e) {
      throw damaged(backup, "it ends early or was changed", e);
    } catch (IOException e) {
      throw new EmbeddedPostgresException(
          Reason.BACKUP_FAILED,
          "The restore from %s failed: %s".formatted(backup, FileFailure.describe(e)),
          e);
    } finally {
      held.close();
    }
  }

  private static void unpack(Path backup, Path home) throws IOException, EmbeddedPostgresException {
    boolean complete = false;
    try (InputStream file = Files.newInputStream(backup);
        TarArchiveInputStream tar =
            new TarArchiveInputStream(new GZIPInputStream(new BufferedInputStream(file)))) {
      TarArchiveEntry entry = tar.getNextEntry();
      while (entry != null) {
        complete = entry.getName().equals(BackupWriter.END);
        write(tar, entry, home);
        entry = tar.getNextEntry();
      }
    }
    if (!complete || !Files.isRegularFile(home.resolve(BackupWriter.CLUSTER + "backup_label"))) {
      throw damaged(backup, "it is no complete backup", null);
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path home)
      throws IOException {
    Path path = home.resolve(entry.getName()).normalize();
    if (!path.startsWith(home) || !(entry.isDirectory() || entry.isFile())) {
      throw new IOException("the file wants to write elsewhere: " + entry.getName());
    }
    if (entry.isDirectory()) {
      Files.createDirectories(
          path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
      return;
    }
    try (FileChannel channel =
        FileChannel.open(
            Files.createFile(
                path,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))),
            StandardOpenOption.WRITE)) {
      // Not closed: the archive goes on.
      ReadableByteChannel content = Channels.newChannel(tar);
      long at = 0;
      while (at < entry.getSize()) {
        long count = channel.transferFrom(content, at, entry.getSize() - at);
        if (count == 0) {
          throw new EOFException(entry.getName());
        }
        at += count;
      }
      channel.force(true);
    }
  }

  private static void place(Path home, DataFolder folder) throws IOException {
    Path configuration = home.resolve(BackupWriter.USER_CONFIGURATION);
    if (Files.exists(configuration) && !Files.exists(folder.userConfiguration())) {
      Files.move(configuration, folder.userConfiguration());
    }
    Path cluster = home.resolve(BackupWriter.CLUSTER);
    FileTree.sync(cluster);
    Files.move(cluster, folder.cluster(), StandardCopyOption.ATOMIC_MOVE);
    FileTree.sync(folder.root());
  }

  private static EmbeddedPostgresException damaged(
      Path backup, String why, @Nullable Exception cause) {
    return new EmbeddedPostgresException(
        Reason.BACKUP_FAILED, "%s cannot be restored: %s".formatted(backup, why), cause);
  }
}
