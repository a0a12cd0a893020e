package dev.queenmq.bench.compare;

import dev.queenmq.bench.http.LoadTarget;
import java.util.List;

/**
 * A system that has been started.
 *
 * @param target what measurements use
 * @param parts what ends with it, the last first
 */
public record RunningSystem(LoadTarget target, List<AutoCloseable> parts) implements AutoCloseable {

  /** Keeps its own copy. */
  public RunningSystem {
    parts = List.copyOf(parts);
  }

  @Override
  public void close() {
    for (int i = parts.size() - 1; i >= 0; i--) {
      try {
        parts.get(i).close();
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
