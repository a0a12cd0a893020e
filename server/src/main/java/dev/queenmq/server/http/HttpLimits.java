package dev.queenmq.server.http;

import java.time.Duration;

/**
 * How much one client may ask of the HTTP server.
 *
 * @param maxBodyBytes longest body of a request
 * @param maxDepth deepest nesting of JSON in a body
 * @param maxItems most messages, verdicts or operations of one request
 * @param maxBatch most messages that one pop may ask for
 * @param maxPartitions most partitions that one pop may ask for
 * @param maxWait longest long poll
 * @param idleTimeout a connection that does nothing for so long, without a request being worked on,
 *     is closed; one that does not read its answers only after the longest poll on top of it
 * @param maxHeaderBytes longest header block
 * @param maxLineBytes longest request line: a name of 255 characters takes 12 bytes for each
 */
public record HttpLimits(
    long maxBodyBytes,
    int maxDepth,
    int maxItems,
    int maxBatch,
    int maxPartitions,
    Duration maxWait,
    Duration idleTimeout,
    int maxHeaderBytes,
    int maxLineBytes) {

  private static final long MAX_ARRAY = Integer.MAX_VALUE - 8;

  /** Checks that bodies fit into an array. */
  public HttpLimits {
    if (maxBodyBytes < 1 || maxBodyBytes > MAX_ARRAY) {
      throw new IllegalArgumentException("maxBodyBytes must be between 1 and " + MAX_ARRAY);
    }
  }

  /** What suits most. */
  public static HttpLimits defaults() {
    return new HttpLimits(
        64L << 20,
        512,
        10_000,
        10_000,
        10_000,
        Duration.ofSeconds(120),
        Duration.ofSeconds(60),
        16 << 10,
        16 << 10);
  }

  /** The same with another limit on bodies. */
  public HttpLimits withMaxBodyBytes(long bytes) {
    return new HttpLimits(
        bytes,
        maxDepth,
        maxItems,
        maxBatch,
        maxPartitions,
        maxWait,
        idleTimeout,
        maxHeaderBytes,
        maxLineBytes);
  }

  /** The same with another limit on long polls. */
  public HttpLimits withMaxWait(Duration wait) {
    return new HttpLimits(
        maxBodyBytes,
        maxDepth,
        maxItems,
        maxBatch,
        maxPartitions,
        wait,
        idleTimeout,
        maxHeaderBytes,
        maxLineBytes);
  }

  /** The same with another limit on idle connections. */
  public HttpLimits withIdleTimeout(Duration timeout) {
    return new HttpLimits(
        maxBodyBytes,
        maxDepth,
        maxItems,
        maxBatch,
        maxPartitions,
        maxWait,
        timeout,
        maxHeaderBytes,
        maxLineBytes);
  }
}
