package dev.queenmq.testkit.internal;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the testkit writes: a cache that stays, with what is unpacked once, and a folder for this
 * process that goes away with it.
 *
 * <p>Both are in the folder for temporary files, because PostgreSQL does not run as root: where
 * tests are root, as in many containers, its programs and data must be where another user may go.
 * Others may not write there, or they could replace a program that we run.
 */
final class HostFolders {
  private static final String RUN = "run-";
  private static final long CLOCK_MILLIS = 60_000;
  private static final Set<PosixFilePermission> PASSABLE =
      PosixFilePermissions.fromString("rwxr-xr-x");
  private static final Logger log = LoggerFactory.getLogger(HostFolders.class);

  private final Path root;
  private final Path run;

  private HostFolders(Path root, Path run) {
    this.root = root;
    this.run = run;
  }

  /**
   * Makes them, and removes what killed processes have left.
   *
   * @param root of the folders
   */
  static HostFolders in(Path root) throws IOException {
    makePassable(root);
    removeLeftovers(root);
    Path run = root.resolve(RUN + identity(ProcessHandle.current()));
    Files.createDirectories(run);
    return new HostFolders(root, run);
  }

  /** Where they are unless the property {@code queen.testkit.folder} names another. */
  static Path usualRoot() {
    String given = System.getProperty("queen.testkit.folder", "");
    return given.isEmpty()
        ? Path.of(
            System.getProperty("java.io.tmpdir"),
            "queen-testkit-" + System.getProperty("user.name").replaceAll("[^A-Za-z0-9_.-]", "_"))
        : Path.of(given);
  }

  /** The folder for jars of the broker. */
  Path jars() throws IOException {
    return Files.createDirectories(root.resolve("jars"));
  }

  /** The folder for programs of PostgreSQL. */
  Path binaries() {
    return root.resolve("postgres");
  }

  /**
   * For database files that the next process may use.
   *
   * @param version of the broker
   */
  Path cluster(String version) {
    return root.resolve("clusters").resolve(version);
  }

  /** The folder of this process. */
  Path run() {
    return run;
  }

  /** Removes what is this process's. */
  void removeRun() throws IOException {
    delete(run);
  }

  private static void makePassable(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder.toAbsolutePath().getParent());
      try {
        Files.createDirectory(folder, PosixFilePermissions.asFileAttribute(PASSABLE));
        // What the umask has left out.
        Files.setPosixFilePermissions(folder, PASSABLE);
      } catch (FileAlreadyExistsException e) {
        // Another process was first, unless it is a file.
        if (!Files.isDirectory(folder)) {
          throw e;
        }
      }
    }
    Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(folder);
    if (!owner(folder).equals(ownId())
        || permissions.contains(PosixFilePermission.OTHERS_WRITE)
        || permissions.contains(PosixFilePermission.GROUP_WRITE)) {
      throw new IOException(
          "%s belongs to another user, or others may write to it. Remove it, or set -Dqueen.testkit.folder to another folder."
              .formatted(folder));
    }
  }

  /**
   * The user id of this process. Its name would not do: in containers, users often have none. The
   * file is not made in the folder in question, whose owner could replace it.
   */
  private static Object ownId() throws IOException {
    Path file = Files.createTempFile("queen-testkit", ".owner");
    try {
      return owner(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static Object owner(Path path) throws IOException {
    return Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS);
  }

  /**
   * What cannot be removed stays for the next process. Often another process removes the same at
   * this moment, and that must not fail a start.
   */
  private static void removeLeftovers(Path root) throws IOException {
    try (DirectoryStream<Path> runs = Files.newDirectoryStream(root, RUN + "*")) {
      for (Path each : runs) {
        try {
          if (!belongsToLivingProcess(each)) {
            delete(each);
          }
        } catch (IOException | RuntimeException e) {
          log.debug("{} is not removed", each, e);
        }
      }
    } catch (DirectoryIteratorException e) {
      log.debug("The folders in {} cannot be listed", root, e);
    }
  }

  private static boolean belongsToLivingProcess(Path run) {
    String[] words = run.getFileName().toString().substring(RUN.length()).split("-", -1);
    return ProcessHandle.of(Long.parseLong(words[0]))
        .filter(ProcessHandle::isAlive)
        .filter(process -> isNear(start(process), Long.parseLong(words[1])))
        .isPresent();
  }

  /** Numbers of processes come again; with their start they do not. */
  private static String identity(ProcessHandle process) {
    return process.pid() + "-" + start(process);
  }

  private static long start(ProcessHandle process) {
    return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
  }

  /** Linux counts from its own start, whose time differs a little from one reading to the next. */
  private static boolean isNear(long one, long other) {
    return Math.abs(one - other) < CLOCK_MILLIS;
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
