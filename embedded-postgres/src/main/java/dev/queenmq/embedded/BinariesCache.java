package dev.queenmq.embedded;

import dev.queenmq.embedded.archive.ArchiveUnpacker;
import dev.queenmq.embedded.files.FileTree;
import dev.queenmq.embedded.process.Command;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of unpacked PostgreSQL versions, shared by any number of processes. Each is unpacked
 * beside its place and moved there in one step, so that what has the final name is whole; a process
 * that comes second deletes its own copy.
 */
final class BinariesCache {

  private static final Logger LOG = LoggerFactory.getLogger(BinariesCache.class);
  private static final Duration ABANDONED_AFTER = Duration.ofHours(1);
  private static final String MARKER = "queen.unpacked";

  private final Path folder;

  BinariesCache(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** The {@code bin} folder of this archive, unpacked now if it was not before. */
  Path unpacked(BundledArchive archive) throws IOException, InterruptedException {
    String name = "postgres-" + archive.platform() + "-" + archive.fingerprint();
    Path home = folder.resolve(name);
    if (!isWhole(home, name)) {
      install(archive, name, home);
    }
    return home.resolve("bin");
  }

  private void install(BundledArchive archive, String name, Path home)
      throws IOException, InterruptedException {
    LOG.info("Unpacking PostgreSQL to {}", home);
    Path fresh = folder.resolve("." + name + "-" + UUID.randomUUID());
    try {
      removeAbandoned();
      ArchiveUnpacker.unpack(archive.open(), fresh);
      Files.writeString(fresh.resolve(MARKER), name);
      flush(fresh);
      discardDamaged(name, home);
      Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
    } catch (FileSystemException e) {
      if (!isWhole(home, name)) {
        throw e;
      }
      LOG.debug("Another process unpacked {} first", home);
    } finally {
      FileTree.delete(fresh);
    }
  }

  /** One flush for a thousand small files; a power cut should not leave hollow programs. */
  private static void flush(Path fresh) throws InterruptedException {
    try {
      Command.run(List.of("sync", "-f", fresh.toString()), Duration.ofMinutes(1));
    } catch (IOException e) {
      LOG.debug("The unpacked programs were not flushed", e);
    }
  }

  private void discardDamaged(String name, Path home) throws IOException {
    if (Files.exists(home) && !isWhole(home, name)) {
      Path aside = folder.resolve("." + name + "-damaged-" + UUID.randomUUID());
      try {
        Files.move(home, aside, StandardCopyOption.ATOMIC_MOVE);
      } catch (NoSuchFileException e) {
        LOG.debug("Another process removes {}", home, e);
        return;
      }
      FileTree.delete(aside);
    }
  }

  /**
   * What a process that was killed in the middle of its work has left. What cannot be removed stays
   * for the next process. Often another process removes the same at this moment, and that must not
   * fail a start.
   */
  private void removeAbandoned() throws IOException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    Instant longAgo = Instant.now().minus(ABANDONED_AFTER);
    try (DirectoryStream<Path> found = Files.newDirectoryStream(folder, ".postgres-*")) {
      for (Path unfinished : found) {
        try {
          if (Files.getLastModifiedTime(unfinished).toInstant().isBefore(longAgo)) {
            FileTree.delete(unfinished);
          }
        } catch (IOException e) {
          LOG.debug("{} is not removed", unfinished, e);
        }
      }
    } catch (DirectoryIteratorException e) {
      LOG.debug("The folders in {} cannot be listed", folder, e);
    }
  }

  private static boolean isWhole(Path home, String name) throws IOException {
    Path marker = home.resolve(MARKER);
    return Files.isExecutable(home.resolve("bin/postgres"))
        && Files.isExecutable(home.resolve("bin/initdb"))
        && Files.exists(marker)
        && Files.readString(marker).equals(name);
  }
}
