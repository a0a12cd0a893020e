package dev.queenmq.dashboard;

import java.util.ArrayList;
import java.util.List;

/**
 * A command that ends with the process that started it, also if that one is killed and can do
 * nothing about it. The kernel then closes the pipe that is the command's input; a shell beside the
 * command waits for that and asks the command to stop, so that a broker ends its PostgreSQL too.
 */
final class EndsWithParent {
  private static final String SCRIPT =
      "exec 3<&0 < /dev/null; (cat <&3 > /dev/null; kill \"$$\" 2> /dev/null) & exec 3<&-; exec"
          + " \"$@\"";

  private EndsWithParent() {}

  /** The same command, under the same process id as its process has. Its input must be a pipe. */
  static List<String> command(List<String> words) {
    List<String> watched = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
    watched.addAll(words);
    return watched;
  }
}
