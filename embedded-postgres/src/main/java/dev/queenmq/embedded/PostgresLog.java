package dev.queenmq.embedded;

import dev.queenmq.embedded.files.FileFailure;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The server's log file: appended to, set aside at a start when it has grown large. */
final class PostgresLog {

  private static final int TAIL_BYTES = 16 * 1024;
  private static final int TAIL_LINES = 30;

  private final Path file;
  private final long startOfRun;

  private PostgresLog(Path file, long startOfRun) {
    this.file = file;
    this.startOfRun = startOfRun;
  }

  /** Begins a run: what {@link #tail} shows comes from it alone. */
  static PostgresLog begin(Path file, long rotateAt) throws IOException {
    if (Files.exists(file) && Files.size(file) > rotateAt) {
      Files.move(
          file,
          file.resolveSibling(file.getFileName() + ".1"),
          StandardCopyOption.REPLACE_EXISTING);
    }
    if (!Files.exists(file)) {
      // Failing statements are logged, and may contain payloads.
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    }
    return new PostgresLog(file, Files.size(file));
  }

  Path file() {
    return file;
  }

  /** The last lines of this run. */
  String tail() {
    try (RandomAccessFile log = new RandomAccessFile(file.toFile(), "r")) {
      long from = Math.max(startOfRun, log.length() - TAIL_BYTES);
      byte[] bytes = new byte[(int) Math.max(0, log.length() - from)];
      log.seek(from);
      log.readFully(bytes);
      List<String> lines = new String(bytes, StandardCharsets.UTF_8).lines().toList();
      return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
    } catch (IOException e) {
      return "(the log cannot be read: " + FileFailure.describe(e) + ")";
    }
  }
}
