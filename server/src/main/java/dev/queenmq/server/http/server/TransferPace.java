package dev.queenmq.server.http.server;

/**
 * Decides whether a body or an answer is transferred fast enough. Each window of time counts by
 * itself, so that a fast beginning does not hide a slow rest. All of it has to be able to arrive
 * within ten minutes, because memory is reserved for it meanwhile.
 *
 * <p>Pure: the caller brings the time, in nanoseconds.
 */
final class TransferPace {
  private static final double NANOS = 1e9;
  private static final double LONGEST_SECONDS = 600;

  private final long windowNanos;
  private final double leastRate;
  private long begun;
  private long bytesBefore;

  /**
   * Begins now, with nothing transferred.
   *
   * @param windowNanos length of a stretch
   * @param minRate bytes a second at least
   * @param expected bytes in all, as far as that is known
   */
  TransferPace(long windowNanos, int minRate, long expected, long now) {
    this.windowNanos = windowNanos;
    leastRate = Math.max(minRate, expected / LONGEST_SECONDS);
    begun = now;
  }

  /**
   * Whether too little was transferred in the stretch that is over now; false while it lasts.
   *
   * @param bytes transferred since the beginning
   */
  boolean isTooSlow(long bytes, long now) {
    long nanos = now - begun;
    if (nanos < windowNanos) {
      return false;
    }
    double rate = (bytes - bytesBefore) / (nanos / NANOS);
    begun = now;
    bytesBefore = bytes;
    return rate < Math.max(leastRate, bytes / LONGEST_SECONDS);
  }
}
