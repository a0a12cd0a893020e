package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.waiting.BackoffRules;
import java.time.Duration;

/**
 * How much one sidecar takes on.
 *
 * @param maxItemsPerCall a call of the store carries so many messages or acks, or one larger
 *     request and small ones of half as many
 * @param maxBytesPerCall ... and so many bytes of payload
 * @param microBatchWait how long a request waits for company while a slot is free
 * @param maxPendingItems beyond so many waiting items, new requests are refused
 * @param maxPendingBytes likewise for bytes of payload
 * @param maxWaiting beyond so many waiting polls, new ones are refused
 * @param backoff how often a group is looked at while nothing comes
 * @param maxCountedQueues that statistics tell apart in a minute; the others are summed up
 * @param pushesOnce whether a push that may have happened is left to whoever sent it, who can find
 *     out; otherwise it is made again
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

  /** That tell apart the usual number of queues. */
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

  /** As the settings have them. */
  public static SidecarLimits defaults() {
    return new SidecarLimits(
        1000, 4 << 20, Duration.ZERO, 100_000, 64L << 20, 100_000, BackoffRules.defaults());
  }
}
