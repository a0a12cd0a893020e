package dev.queenmq.server.spool.log;

import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to use a spool's folder: the operating system's lock on a file in it, which ends with
 * its process. POSIX drops that lock as soon as its process closes <em>any</em> descriptor of the
 * file, so who tries again inside this JVM is turned away before it opens one: by the name of the
 * JVM, which stands in a second file.
 */
final class FolderClaim implements Closeable {
  private static final Logger LOG = LoggerFactory.getLogger(FolderClaim.class);
  private static final String THIS_JVM = UUID.randomUUID().toString();

  private final FileChannel channel;
  private final Path ownerFile;

  private FolderClaim(FileChannel channel, Path ownerFile) {
    this.channel = channel;
    this.ownerFile = ownerFile;
  }

  /**
   * Takes a folder.
   *
   * @throws SpoolException if a spool that is open has it
   */
  static FolderClaim on(Path folder) throws IOException {
    Path ownerFile = folder.resolve("spool.owner");
    String owner = Files.exists(ownerFile) ? text(ownerFile) : "";
    if (owner.startsWith(THIS_JVM)) {
      throw inUse(folder, owner);
    }
    FileChannel channel =
        FileChannel.open(
            folder.resolve("spool.lock"),
            Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
            LocalDisk.onlyMine("rw-------"));
    boolean held = false;
    try {
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw inUse(folder, owner);
      }
      Files.deleteIfExists(ownerFile);
      Files.createFile(ownerFile, LocalDisk.onlyMine("rw-------"));
      Files.writeString(ownerFile, THIS_JVM + " " + ProcessHandle.current().pid());
      held = true;
      return new FolderClaim(channel, ownerFile);
    } catch (OverlappingFileLockException e) {
      throw inUse(folder, owner);
    } finally {
      if (!held) {
        channel.close();
      }
    }
  }

  /** Gives it back; the lock file stays, because removing it would race with a successor. */
  @Override
  public void close() {
    try (channel) {
      Files.deleteIfExists(ownerFile);
    } catch (IOException e) {
      LOG.warn("{} stays behind, and keeps this process from a new start", ownerFile, e);
    }
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  private static SpoolException inUse(Path folder, String owner) {
    String pid = owner.substring(owner.indexOf(' ') + 1).strip();
    return new SpoolException(
        Kind.FOLDER,
        """
        The spool folder %s is in use by %s. Stop that process, or set QUEEN_SPOOL_DIR to another \
        folder: every broker needs one of its own.\
        """
            .formatted(folder, pid.matches("[0-9]+") ? "process " + pid : "another process"));
  }
}
