package dev.queenmq.bench.compare;

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

  /** Keeps its own copy. */
  public RunningSystem {
    parts = List.copyOf(parts);
  }

  @Override
  public void close() {
    close(parts);
  }

  /** Ends all of them, the last first; what fails does not keep the others from ending. */
  public static void close(List<AutoCloseable> parts) {
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
