package dev.queenmq.server.auth;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends lines to a file, which is opened for each: they are few, and so it may be moved away at
 * any time. Safe for use by several threads.
 */
public final class AuditFile implements Consumer<String> {
  private static final Logger log = LoggerFactory.getLogger(AuditFile.class);

  private final Path path;

  private AuditFile(Path path) {
    this.path = path;
  }

  /** Throws if nothing can be written there: better at start than later. */
  public static AuditFile at(Path path) throws IOException {
    if (path.getParent() != null) {
      Files.createDirectories(path.getParent());
    }
    AuditFile file = new AuditFile(path);
    file.append("");
    return file;
  }

  @Override
  public void accept(String line) {
    try {
      append(line + "\n");
    } catch (IOException e) {
      log.error("Cannot write to {}: {}", path, e.toString());
    }
  }

  /** In one write, so that lines of several brokers on one file do not mix. */
  private synchronized void append(String text) throws IOException {
    try (FileChannel file =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
      while (bytes.hasRemaining()) {
        file.write(bytes);
      }
    }
  }
}
