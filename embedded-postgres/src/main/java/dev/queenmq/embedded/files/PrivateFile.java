package dev.queenmq.embedded.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and folders that only the user of this process may read. */
public final class PrivateFile {
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<OpenOption> WRITE =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE);
  private static final Set<OpenOption> REPLACE =
      Set.of(
          StandardOpenOption.CREATE,
          StandardOpenOption.WRITE,
          StandardOpenOption.TRUNCATE_EXISTING);

  private PrivateFile() {}

  /** Opens a file for writing; makes it if it is missing. */
  public static FileChannel open(Path file) throws IOException {
    return FileChannel.open(file, WRITE, permissions("rw-------"));
  }

  /** Writes a file; makes it if it is missing. */
  public static void write(Path file, String text) throws IOException {
    try (FileChannel channel = FileChannel.open(file, REPLACE, permissions("rw-------"))) {
      channel.write(StandardCharsets.UTF_8.encode(text));
    }
  }

  /** Makes a folder if it is missing. Those above it are as the system makes them. */
  public static void makeFolder(Path folder) throws IOException {
    if (Files.exists(folder)) {
      return;
    }
    if (folder.getParent() != null) {
      Files.createDirectories(folder.getParent());
    }
    Files.createDirectories(folder, permissions("rwx------"));
  }

  /** Permissions like {@code rw-------}, where the system knows them. */
  public static FileAttribute<?>[] permissions(String text) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text))
        }
        : new FileAttribute<?>[0];
  }
}
