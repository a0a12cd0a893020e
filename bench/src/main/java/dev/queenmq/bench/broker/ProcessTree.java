package dev.queenmq.bench.broker;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Processes and all that are below them, as /proc shows them. Times of children that have ended are
 * found with their parents, so that the sum never shrinks while the roots live.
 */
public final class ProcessTree {
  private static final Path PROC = Path.of("/proc");
  private static final double TICKS_PER_SECOND = 100;
  private static final double KILOBYTES_PER_MEGABYTE = 1024;
  // Positions in /proc/PID/stat, counted behind the name in parentheses.
  private static final int FIRST_TIME = 11;
  private static final int LAST_TIME = 14;

  private final List<Long> roots;

  /** These and their children. */
  public ProcessTree(List<Long> roots) {
    this.roots = List.copyOf(roots);
  }

  /**
   * What they have used.
   *
   * @param cpuSeconds in user and system mode since their start
   * @param megabytes resident now; shared memory counts once
   */
  public record Use(double cpuSeconds, double megabytes) {}

  /** Whether there is anything to look at. */
  public boolean isEmpty() {
    return roots.isEmpty();
  }

  /** Looks. */
  public Use look() {
    double ticks = 0;
    double own = 0;
    double shared = 0;
    for (long pid : pids()) {
      ticks += ticks(stat(pid));
      double all = kilobytes(pid, "VmRSS:");
      double sharedHere = kilobytes(pid, "RssShmem:");
      own += all - sharedHere;
      shared = Math.max(shared, sharedHere);
    }
    return new Use(ticks / TICKS_PER_SECOND, (own + shared) / KILOBYTES_PER_MEGABYTE);
  }

  /** Looks at one process without those below it. */
  public static Use alone(long pid) {
    return new Use(cpuSeconds(stat(pid)), kilobytes(pid, "VmRSS:") / KILOBYTES_PER_MEGABYTE);
  }

  private Set<Long> pids() {
    Set<Long> pids = new LinkedHashSet<>();
    for (long root : roots) {
      pids.add(root);
      ProcessHandle.of(root)
          .ifPresent(process -> process.descendants().forEach(below -> pids.add(below.pid())));
    }
    return pids;
  }

  private static Path stat(long pid) {
    return PROC.resolve(pid + "/stat");
  }

  /** What a process or a thread has used, by its file {@code stat}. */
  static double cpuSeconds(Path stat) {
    return ticks(stat) / TICKS_PER_SECOND;
  }

  private static double ticks(Path file) {
    try {
      String stat = Files.readString(file);
      String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
      double ticks = 0;
      for (int i = FIRST_TIME; i <= LAST_TIME; i++) {
        ticks += Double.parseDouble(fields[i]);
      }
      return ticks;
    } catch (IOException e) {
      return 0;
    }
  }

  private static double kilobytes(long pid, String name) {
    try (Stream<String> lines = Files.lines(PROC.resolve(pid + "/status"))) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(name.length()).replace("kB", "").strip())
          .mapToDouble(Double::parseDouble)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }
}
