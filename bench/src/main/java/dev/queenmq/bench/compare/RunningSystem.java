package dev.queenmq.bench.compare;

import dev.queenmq.bench.TemporaryFolder;
import dev.queenmq.bench.http.LoadTarget;
import java.util.ArrayList;
import java.util.List;

/**
 * A system that has been started.
 *
 * @param version of what it runs, or empty if not known
 * @param target what measurements use
 * @param parts what ends with it, the last first
 */
public record RunningSystem(String version, LoadTarget target, List<AutoCloseable> parts)
    implements AutoCloseable {

  /** Copies the list of parts. */
  public RunningSystem {
    parts = List.copyOf(parts);
  }

  /** Starts a system in a folder; what was added to its parts ends if that fails. */
  @FunctionalInterface
  public interface Starting {
    /** Adds what it starts to the parts. */
    RunningSystem in(TemporaryFolder folder, List<AutoCloseable> parts);
  }

  /** Starts one in a new folder, which goes away with it. */
  public static RunningSystem start(StartOptions options, Starting starting) {
    TemporaryFolder folder = TemporaryFolder.in(options.postgres().parent());
    List<AutoCloseable> parts = new ArrayList<>(List.of(folder));
    try {
      return starting.in(folder, parts);
    } catch (RuntimeException e) {
      close(parts);
      throw e;
    }
  }

  @Override
  public void close() {
    close(parts);
  }

  /** Ends all of them, the last first; what fails does not keep the others from ending. */
  private static void close(List<AutoCloseable> parts) {
    List<Exception> failures = new ArrayList<>();
    for (int i = parts.size() - 1; i >= 0; i--) {
      try {
        parts.get(i).close();
      } catch (Exception e) {
        failures.add(e);
      }
    }
    if (!failures.isEmpty()) {
      throw new IllegalStateException(failures.get(0).getMessage(), failures.get(0));
    }
  }
}
