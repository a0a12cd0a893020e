package dev.queenmq.server.embedded;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of unpacked PostgreSQL versions, shared by any number of processes. Each is unpacked
 * beside its place and moved there in one step, so that what has the final name is whole; whoever
 * comes second throws its own copy away.
 */
final class BinariesCache {

  private static final Logger LOG = LoggerFactory.getLogger(BinariesCache.class);
  private static final String MARKER = "queen.unpacked";

  private final Path folder;

  BinariesCache(Path folder) {
    this.folder = folder.toAbsolutePath().normalize();
  }

  /** The {@code bin} folder of this archive, unpacked now if it was not before. */
  Path unpacked(BundledArchive archive) throws IOException {
    String name = "postgres-" + archive.platform() + "-" + archive.fingerprint();
    Path home = folder.resolve(name);
    if (!isWhole(home, name)) {
      install(archive, name, home);
    }
    return home.resolve("bin");
  }

  private void install(BundledArchive archive, String name, Path home) throws IOException {
    LOG.info("Unpacking PostgreSQL to {}", home);
    Path fresh = folder.resolve("." + name + "-" + UUID.randomUUID());
    try {
      ArchiveUnpacker.unpack(archive.open(), fresh);
      Files.writeString(fresh.resolve(MARKER), name);
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

  private void discardDamaged(String name, Path home) throws IOException {
    if (Files.exists(home) && !isWhole(home, name)) {
      Path aside = folder.resolve("." + name + "-damaged-" + UUID.randomUUID());
      Files.move(home, aside, StandardCopyOption.ATOMIC_MOVE);
      FileTree.delete(aside);
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
