package dev.queenmq.embedded.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The user of this process. */
public final class CurrentUser {

  private static final Pattern EFFECTIVE_ID = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+(\\d+)");

  private static final Duration PROGRAM_LIMIT = Duration.ofSeconds(20);

  private CurrentUser() {}

  /** The effective user id, from the kernel: the JDK returns 0 for a user without a name. */
  public static int id() throws IOException {
    return id(Path.of("/proc/self/status"));
  }

  /**
   * The same, read from a file that only Linux has; elsewhere a program is asked.
   *
   * @param status of this process
   */
  static int id(Path status) throws IOException {
    if (!Files.exists(status)) {
      return asked();
    }
    Matcher matcher = EFFECTIVE_ID.matcher(Files.readString(status));
    if (!matcher.find()) {
      throw new IOException(status + " does not show the user id");
    }
    return Integer.parseUnsignedInt(matcher.group(1));
  }

  private static int asked() throws IOException {
    try {
      return Integer.parseUnsignedInt(
          Command.run(List.of("id", "-u"), PROGRAM_LIMIT).output().strip());
    } catch (NumberFormatException e) {
      throw new IOException("id -u does not show the user id", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  public static boolean isRoot() throws IOException {
    return id() == 0;
  }
}
