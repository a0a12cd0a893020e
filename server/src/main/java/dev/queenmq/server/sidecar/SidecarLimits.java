package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.waiting.BackoffRules;
import java.time.Duration;

/**
 * How much one sidecar takes on.
 *
 * @param maxItemsPerCall messages or acks in one call of the store; or one larger request, and
 *     small ones of half as many
 * @param maxBytesPerCall bytes of payload in one call
 * @param microBatchWait how long a request waits for others while a slot is free
 * @param maxPendingItems pending items beyond which new requests are rejected
 * @param maxPendingBytes likewise for bytes of payload
 * @param maxWaiting waiting polls beyond which new ones are rejected
 * @param backoff how often a group is looked at while nothing comes
 * @param maxCountedQueues that are counted separately in a minute; the others are summed up
 * @param pushesOnce whether a push that may have happened is failed, so that the caller (the spool)
 *     decides; otherwise it is retried
 */
public record SidecarLimits(
    int maxItemsPerCall,
    long maxBytesPerCall,
    Duration microBatchWait,
    int maxPendingItems,
    long maxPendingBytes,
    int maxWaiting,
    BackoffRules backoff,
    int maxCountedQueues,
    boolean pushesOnce) {
  private static final int USUAL_COUNTED_QUEUES = 1_000;

  /** Limits with the default number of counted queues. */
  public SidecarLimits(
      int maxItemsPerCall,
      long maxBytesPerCall,
      Duration microBatchWait,
      int maxPendingItems,
      long maxPendingBytes,
      int maxWaiting,
      BackoffRules backoff) {
    this(
        maxItemsPerCall,
        maxBytesPerCall,
        microBatchWait,
        maxPendingItems,
        maxPendingBytes,
        maxWaiting,
        backoff,
        USUAL_COUNTED_QUEUES,
        false);
  }

  /** The defaults of the settings. */
  public static SidecarLimits defaults() {
    return new SidecarLimits(
        1000, 4 << 20, Duration.ZERO, 100_000, 64L << 20, 100_000, BackoffRules.defaults());
  }
}
