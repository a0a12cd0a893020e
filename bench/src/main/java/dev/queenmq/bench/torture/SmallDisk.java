package dev.queenmq.bench.torture;

import dev.queenmq.bench.broker.Commands;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A disk of our own that is small enough to be filled, where we may have one. For one thread. */
final class SmallDisk implements AutoCloseable {
  private static final String IMAGE_SIZE = "3G";
  private static final String MEMORY_SIZE = "64m";
  private static final int BLOCK = 1 << 20;
  private static final int LAST_BLOCK = 4096;

  private final Path path;
  private final Optional<Path> image;
  private final Optional<String> missing;

  private SmallDisk(Path path, Optional<Path> image, Optional<String> missing) {
    this.path = path;
    this.image = image;
    this.missing = missing;
  }

  /** None, and why. */
  static SmallDisk none(String why) {
    return new SmallDisk(Path.of("/"), Optional.empty(), Optional.of(why));
  }

  /** A real file system in a file, which takes as long to sync as the disk below. */
  static SmallDisk image(Path path) {
    Path file = path.resolveSibling(path.getFileName() + ".img");
    return mounted(
        path,
        Optional.of(file),
        List.of(
            List.of("truncate", "-s", IMAGE_SIZE, file.toString()),
            // No blocks reserved for root: only a broker that runs as root could use them.
            List.of("mkfs.ext4", "-q", "-F", "-m", "0", file.toString()),
            List.of("mount", "-o", "loop", file.toString(), path.toString())));
  }

  /** One in memory. */
  static SmallDisk memory(Path path) {
    return mounted(
        path,
        Optional.empty(),
        List.of(
            List.of(
                "mount", "-t", "tmpfs", "-o", "size=" + MEMORY_SIZE, "tmpfs", path.toString())));
  }

  private static SmallDisk mounted(Path path, Optional<Path> image, List<List<String>> commands) {
    try {
      Files.createDirectories(path);
      for (List<String> command : commands) {
        Optional<String> refusal = Commands.run(command);
        if (refusal.isPresent()) {
          return new SmallDisk(path, image, refusal);
        }
      }
      return new SmallDisk(path, image, Optional.empty());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Why there is none; empty if there is. */
  Optional<String> missing() {
    return missing;
  }

  boolean isThere() {
    return missing.isEmpty();
  }

  Path path() {
    return path;
  }

  /** Leaves no room on it. */
  void fill() {
    // Most of it at once, which takes no time; the rest by writing.
    long most = Math.max(0, path.toFile().getUsableSpace() - BLOCK);
    Commands.run(List.of("fallocate", "-l", Long.toString(most), ballast(0).toString()));
    byte[] block = new byte[BLOCK];
    for (int size : new int[] {BLOCK, LAST_BLOCK}) {
      try (OutputStream out = Files.newOutputStream(ballast(size))) {
        for (long written = 0; written <= most + 2 * BLOCK; written += size) {
          out.write(block, 0, size);
        }
      } catch (IOException full) {
        // That is what we want.
      }
    }
  }

  private Path ballast(int size) {
    return path.resolve("ballast-" + size);
  }

  /** Makes room again. */
  void clear() {
    if (!isThere()) {
      return;
    }
    try {
      for (int size : new int[] {0, BLOCK, LAST_BLOCK}) {
        Files.deleteIfExists(ballast(size));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    if (isThere()) {
      // Lazily, in case a killed process has not ended yet.
      Commands.run(List.of("umount", "-l", path.toString()));
    }
    image.ifPresent(
        file -> {
          try {
            Files.deleteIfExists(file);
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }
}
