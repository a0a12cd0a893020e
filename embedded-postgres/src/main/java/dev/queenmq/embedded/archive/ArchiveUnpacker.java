package dev.queenmq.embedded.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/** Unpacks a {@code .tar} so that every user of the machine may read and run what was in it. */
public final class ArchiveUnpacker {

  private ArchiveUnpacker() {}

  public static void unpack(InputStream archive, Path target) throws IOException {
    makeFolder(target);
    try (archive;
        TarArchiveInputStream tar = new TarArchiveInputStream(archive)) {
      TarArchiveEntry entry = tar.getNextEntry();
      while (entry != null) {
        write(tar, entry, target);
        entry = tar.getNextEntry();
      }
      // What follows the last file is empty, and whether the archive was whole is known at its end.
      archive.transferTo(OutputStream.nullOutputStream());
    }
  }

  private static void write(TarArchiveInputStream tar, TarArchiveEntry entry, Path target)
      throws IOException {
    Path path = target.resolve(entry.getName()).normalize();
    if (!path.startsWith(target)) {
      throw new IOException("the archive wants to write outside its folder: " + entry.getName());
    }
    if (entry.isDirectory()) {
      makeFolder(path);
      return;
    }
    makeFolder(path.getParent());
    if (entry.isSymbolicLink()) {
      Files.createSymbolicLink(path, Path.of(entry.getLinkName()));
    } else {
      Files.copy(tar, path);
      boolean program = (entry.getMode() & 0100) != 0;
      Files.setPosixFilePermissions(
          path, PosixFilePermissions.fromString(program ? "rwxr-xr-x" : "rw-r--r--"));
    }
  }

  /** Says the permissions outright: a strict umask would shut PostgreSQL's own user out. */
  private static void makeFolder(@Nullable Path folder) throws IOException {
    if (folder == null || Files.isDirectory(folder)) {
      return;
    }
    makeFolder(folder.getParent());
    Files.createDirectory(folder);
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
  }
}
