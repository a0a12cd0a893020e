package dev.queenmq.server.tracing;

/**
 * When a span began.
 *
 * @param epochNanos for people
 * @param nanos of the clock that never jumps, by which its length is measured
 */
record Moment(long epochNanos, long nanos) {

  /** The end of a span that began here. */
  long after(long nowNanos) {
    return epochNanos + nowNanos - nanos;
  }
}
