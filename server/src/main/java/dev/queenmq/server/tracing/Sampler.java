package dev.queenmq.server.tracing;

import java.util.Optional;

/**
 * Decides which traces are kept.
 *
 * @param parentBased whether the decision of a caller that has made one counts
 * @param ratio the share of the others that is kept, from 0 to 1
 */
record Sampler(boolean parentBased, double ratio) {

  /** As {@code OTEL_TRACES_SAMPLER} and its argument name it. */
  static Sampler named(String name, double argument) {
    boolean parentBased = name.startsWith("parentbased_");
    String kind = parentBased ? name.substring("parentbased_".length()) : name;
    return new Sampler(
        parentBased,
        switch (kind) {
          case "always_on" -> 1;
          case "always_off" -> 0;
          case "traceidratio" -> argument;
          default -> throw new IllegalArgumentException("no sampler: " + name);
        });
  }

  /**
   * Whether to keep a trace.
   *
   * @param caller the span that a request came with
   */
  boolean keeps(Optional<SpanContext> caller, long traceLow) {
    if (parentBased && caller.isPresent()) {
      return caller.get().sampled();
    }
    // By the trace id, so that all who look at a trace decide alike. Its last bits are random.
    return ratio >= 1 || (traceLow & Long.MAX_VALUE) < ratio * Long.MAX_VALUE;
  }
}
