package dev.queenmq.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Who this process is. */
final class CurrentUser {

  private static final Pattern EFFECTIVE_ID = Pattern.compile("(?m)^Uid:\\s+\\d+\\s+(\\d+)");

  private CurrentUser() {}

  /**
   * The effective user id, as the kernel tells it: the JDK's own answer is 0 for a user that has no
   * name.
   */
  static int id() throws IOException {
    Matcher matcher = EFFECTIVE_ID.matcher(Files.readString(Path.of("/proc/self/status")));
    if (!matcher.find()) {
      throw new IOException("/proc/self/status does not tell the user id");
    }
    return Integer.parseUnsignedInt(matcher.group(1));
  }

  static boolean isRoot() throws IOException {
    return id() == 0;
  }
}
