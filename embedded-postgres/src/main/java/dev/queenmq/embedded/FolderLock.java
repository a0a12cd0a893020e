package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to use a data folder, held by one live process at a time.
 *
 * <p>Two proofs of life, because each alone has a hole. The operating system's lock ends with its
 * process and is seen across containers, but POSIX drops it as soon as the owner closes
 * <em>any</em> descriptor of the file, so a second start inside one JVM would break the first one's
 * lock by failing. The owner's identity is therefore kept in a file of its own, which is read
 * first.
 */
final class FolderLock implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(FolderLock.class);

  private final Path ownerFile;
  private final FileChannel channel;
  private boolean closed;

  private FolderLock(Path ownerFile, FileChannel channel) {
    this.ownerFile = ownerFile;
    this.channel = channel;
  }

  static FolderLock acquire(DataFolder folder) throws EmbeddedPostgresException {
    check(folder);
    try {
      return lock(folder);
    } catch (IOException e) {
      throw DataFolder.unusable(folder.root(), FileFailure.describe(e), e);
    }
  }

  /** Fails if a live process has the folder, and changes nothing there. */
  static void check(DataFolder folder) throws EmbeddedPostgresException {
    try {
      Optional<ProcessIdentity> owner = ownerOf(folder);
      if (owner.isPresent() && owner.get().isAlive()) {
        throw inUse(folder, owner);
      }
    } catch (IOException e) {
      throw DataFolder.unusable(folder.root(), FileFailure.describe(e), e);
    }
  }

  private static FolderLock lock(DataFolder folder) throws IOException, EmbeddedPostgresException {
    FileChannel channel = PrivateFile.open(folder.lockFile());
    FolderLock lock = new FolderLock(folder.ownerFile(), channel);
    boolean held = false;
    try {
      FileLock systemLock = channel.tryLock();
      if (systemLock == null) {
        throw inUse(folder, ownerOf(folder));
      }
      PrivateFile.write(folder.ownerFile(), ProcessIdentity.current().format() + "\n");
      held = true;
      return lock;
    } catch (OverlappingFileLockException e) {
      throw inUse(folder, Optional.of(ProcessIdentity.current()));
    } finally {
      if (!held) {
        channel.close();
      }
    }
  }

  /**
   * Gives the folder back; the lock file stays, because removing it would race with a successor. A
   * second call does nothing: the folder may have another owner by then.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try (channel) {
      Files.deleteIfExists(ownerFile);
    } catch (IOException e) {
      LOG.warn("{} stays behind, and keeps this process from a new start", ownerFile, e);
    }
  }

  private static Optional<ProcessIdentity> ownerOf(DataFolder folder) throws IOException {
    return Files.exists(folder.ownerFile())
        ? ProcessIdentity.parse(Files.readString(folder.ownerFile(), StandardCharsets.ISO_8859_1))
        : Optional.empty();
  }

  private static EmbeddedPostgresException inUse(
      DataFolder folder, Optional<ProcessIdentity> owner) {
    String who = owner.map(identity -> "process " + identity.pid()).orElse("another process");
    return new EmbeddedPostgresException(
        Reason.FOLDER_IN_USE,
        """
        The data folder %s is in use by %s. Stop that process, or set QUEEN_DATA_DIR to another \
        folder; to run several brokers on one database, let them share a PostgreSQL through \
        PG_HOST.\
        """
            .formatted(folder.root(), who));
  }
}
