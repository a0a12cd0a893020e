package dev.queenmq.embedded;

import dev.queenmq.embedded.files.PrivateFile;
import dev.queenmq.embedded.process.ProcessIdentity;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The right to use a folder, held by one live process at a time: a data folder, or that of a spool.
 *
 * <p>Two files, because each alone has a hole. The operating system's lock on the first ends with
 * its process and is seen across containers, but POSIX drops it as soon as the owner closes
 * <em>any</em> descriptor of the file, so a second attempt inside one JVM would break the lock of
 * the first one by failing. The owner's identity is therefore in a second file, which is read
 * first.
 */
public final class FolderLock implements AutoCloseable {

  /** A live process has the folder. */
  public static final class InUseException extends IOException {
    private static final long serialVersionUID = 1L;

    private InUseException(Optional<ProcessIdentity> owner) {
      super(owner.map(identity -> "process " + identity.pid()).orElse("another process"));
    }

    /** The process, for people. */
    public String owner() {
      return String.valueOf(getMessage());
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(FolderLock.class);

  private final Path ownerFile;
  private final FileChannel channel;
  private boolean closed;

  private FolderLock(Path ownerFile, FileChannel channel) {
    this.ownerFile = ownerFile;
    this.channel = channel;
  }

  /**
   * Takes the folder that these files are in; makes them if they are missing.
   *
   * @throws InUseException if a live process has it
   */
  public static FolderLock acquire(Path lockFile, Path ownerFile) throws IOException {
    check(ownerFile);
    FileChannel channel = PrivateFile.open(lockFile);
    boolean held = false;
    try {
      if (channel.tryLock() == null) {
        throw new InUseException(ownerOf(ownerFile));
      }
      PrivateFile.write(ownerFile, ProcessIdentity.current().format() + "\n");
      held = true;
      return new FolderLock(ownerFile, channel);
    } catch (OverlappingFileLockException e) {
      throw new InUseException(Optional.of(ProcessIdentity.current()));
    } finally {
      if (!held) {
        channel.close();
      }
    }
  }

  /** Fails if a live process has the folder, and changes nothing there. */
  static void check(Path ownerFile) throws IOException {
    Optional<ProcessIdentity> owner = ownerOf(ownerFile);
    if (owner.filter(ProcessIdentity::isAlive).isPresent()) {
      throw new InUseException(owner);
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

  private static Optional<ProcessIdentity> ownerOf(Path ownerFile) throws IOException {
    return Files.exists(ownerFile)
        ? ProcessIdentity.parse(Files.readString(ownerFile, StandardCharsets.ISO_8859_1))
        : Optional.empty();
  }
}
