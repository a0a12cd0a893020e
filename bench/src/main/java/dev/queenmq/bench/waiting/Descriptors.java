package dev.queenmq.bench.waiting;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** How many files and connections a process may have open, as Linux tells. */
final class Descriptors {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String NAME = "Max open files";
  private static final int UNKNOWN = 1024;
  private static final Pattern SPACES = Pattern.compile(" +");

  private Descriptors() {}

  /** The limit that is in force; the children of this process have the same. */
  static int limit() {
    try {
      for (String line : Files.readAllLines(LIMITS)) {
        if (line.startsWith(NAME)) {
          List<String> fields =
              SPACES.splitAsStream(line.substring(NAME.length()).strip()).toList();
          return fields.get(0).equals("unlimited")
              ? Integer.MAX_VALUE
              : Integer.parseInt(fields.get(0));
        }
      }
      return UNKNOWN;
    } catch (IOException e) {
      return UNKNOWN;
    }
  }
}
