package dev.queenmq.embedded;

import dev.queenmq.embedded.files.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A database that is made once in a run. To make one takes seconds: tests that are not about that
 * copy this one.
 */
public final class PreparedCluster {
  private static final Path CLUSTER = create();

  private PreparedCluster() {}

  private static Path create() {
    try {
      Path folder = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "prepared-");
      Runtime.getRuntime().addShutdownHook(new Thread(() -> delete(folder)));
      EmbeddedPostgres.start(TestFolders.config(folder)).close();
      return DataFolder.open(folder).cluster();
    } catch (IOException | EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void delete(Path folder) {
    try {
      FileTree.delete(folder);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Puts a copy into a data folder, which is made if it is missing. */
  public static void copyTo(Path folder) {
    try {
      copy(CLUSTER, DataFolder.open(folder).cluster());
    } catch (EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The programs that it was made with. */
  public static Path bin() {
    try {
      return new BinariesCache(TestFolders.BINARIES).unpacked(BundledArchive.forThisMachine());
    } catch (IOException | InterruptedException | EmbeddedPostgresException e) {
      throw new IllegalStateException(e);
    }
  }

  /** With owners and permissions. */
  static void copy(Path source, Path target) {
    try {
      Process copying =
          new ProcessBuilder(List.of("cp", "-a", source.toString(), target.toString()))
              .inheritIO()
              .start();
      if (copying.onExit().join().exitValue() != 0) {
        throw new IllegalStateException("cannot copy " + source + " to " + target);
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
