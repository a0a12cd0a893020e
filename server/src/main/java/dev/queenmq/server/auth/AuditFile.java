package dev.queenmq.server.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends lines to a file. The file is opened for each write, because lines are few and the
 * operator may rotate it at any time. A file or folder that it makes is for this user only. Safe
 * for use by several threads.
 */
public final class AuditFile implements Consumer<List<String>> {
  private static final Logger log = LoggerFactory.getLogger(AuditFile.class);
  private static final boolean POSIX =
      FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
  private static final Set<OpenOption> APPEND =
      Set.of(StandardOpenOption.CREATE, StandardOpenOption.APPEND);

  private final Path path;

  private AuditFile(Path path) {
    this.path = path;
  }

  /** Throws if nothing can be written there: better at start than later. */
  public static AuditFile at(Path path) throws IOException {
    if (path.getParent() != null && !Files.exists(path.getParent())) {
      Files.createDirectories(path.getParent(), onlyMine("rwx------"));
    }
    AuditFile file = new AuditFile(path);
    file.append(List.of());
    return file;
  }

  @Override
  public void accept(List<String> lines) {
    try {
      append(lines);
    } catch (IOException e) {
      log.error("Cannot write {} lines to {}: {}", lines.size(), path, e.toString());
    }
  }

  /** Each line in one write, so that those of several brokers on one file do not mix. */
  private synchronized void append(List<String> lines) throws IOException {
    try (FileChannel file = FileChannel.open(path, APPEND, onlyMine("rw-------"))) {
      for (String line : lines) {
        ByteBuffer bytes = ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) {
          file.write(bytes);
        }
      }
    }
  }

  private static FileAttribute<?>[] onlyMine(String permissions) {
    return POSIX
        ? new FileAttribute<?>[] {
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
        }
        : new FileAttribute<?>[0];
  }
}
