package dev.queenmq.spring.observation;

import org.jspecify.annotations.Nullable;

/** Knows the trace context of the calling thread. */
@FunctionalInterface
public interface TraceparentSource {
  /**
   * The current trace context.
   *
   * @return a W3C {@code traceparent}, null if there is no span
   */
  @Nullable String current();
}
