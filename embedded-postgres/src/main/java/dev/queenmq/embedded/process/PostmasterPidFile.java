package dev.queenmq.embedded.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Optional;

/** What PostgreSQL writes about itself into {@code postmaster.pid}, and when. */
public record PostmasterPidFile(long pid, String status, FileTime written) {

  private static final int STATUS_LINE = 7;

  /** Empty when there is no such file, or it is not (yet) a whole one. */
  public static Optional<PostmasterPidFile> read(Path file) throws IOException {
    try {
      FileTime written = Files.getLastModifiedTime(file);
      return parse(Files.readAllLines(file, StandardCharsets.ISO_8859_1), written);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  static Optional<PostmasterPidFile> parse(List<String> lines, FileTime written) {
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    String status = lines.size() > STATUS_LINE ? lines.get(STATUS_LINE).strip() : "";
    try {
      // A stand-alone backend writes its process id negated.
      long pid = Math.abs(Long.parseLong(lines.get(0).strip()));
      return Optional.of(new PostmasterPidFile(pid, status, written));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  public boolean ready() {
    return status.equals("ready");
  }
}
