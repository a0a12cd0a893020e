package dev.queenmq.server.http.server;

import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.config.ProtectionConfig;
import dev.queenmq.server.config.values.AddressBlock;
import java.time.Duration;
import java.util.List;

/**
 * How much one client may ask of the HTTP server.
 *
 * @param maxBodyBytes longest body of a request
 * @param maxDepth deepest nesting of JSON in a body
 * @param maxItems most messages, acks or operations of one request
 * @param maxBatch most messages that one pop may ask for
 * @param maxPartitions most partitions that one pop may ask for
 * @param maxWait longest long poll
 * @param idleTimeout after which a connection without a request in progress is closed
 * @param maxHeaderBytes longest header block
 * @param maxLineBytes longest request line: a name of 255 characters takes 12 bytes for each
 * @param headTimeout for the first request of a connection to have its headers there
 * @param minBodyRate bytes a second of a body or a large answer, in each stretch of that length
 * @param maxWaitingPerAddress most long polls of one client address
 * @param trustedProxies proxies whose {@code X-Forwarded-For} is trusted
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
    int maxLineBytes,
    Duration headTimeout,
    int minBodyRate,
    int maxWaitingPerAddress,
    List<AddressBlock> trustedProxies) {

  private static final long MAX_ARRAY = Integer.MAX_VALUE - 8;
  private static final int MAX_BATCH = 10_000;
  private static final int MAX_PARTITIONS = 10_000;
  private static final int MAX_LINE_BYTES = 16 << 10;
  private static final Duration USUAL_MAX_WAIT = Duration.ofMinutes(2);

  /** Checks that bodies fit into an array. */
  public HttpLimits {
    trustedProxies = List.copyOf(trustedProxies);
    if (maxBodyBytes < 1 || maxBodyBytes > MAX_ARRAY) {
      throw new IllegalArgumentException("maxBodyBytes must be between 1 and " + MAX_ARRAY);
    }
  }

  /** The defaults. */
  public static HttpLimits defaults() {
    return of(new HttpConfig("", 0), USUAL_MAX_WAIT);
  }

  /** The limits that the settings ask for. */
  public static HttpLimits of(HttpConfig config, Duration maxWait) {
    ProtectionConfig protection = config.protection();
    return new HttpLimits(
        config.maxBodyBytes(),
        config.maxJsonDepth(),
        config.maxItemsPerRequest(),
        MAX_BATCH,
        MAX_PARTITIONS,
        maxWait,
        protection.idleTimeout(),
        config.maxHeaderBytes(),
        MAX_LINE_BYTES,
        protection.headTimeout(),
        protection.minBodyRate(),
        protection.maxWaitingPerAddress(),
        protection.trustedProxies());
  }

  /** The same with another limit on bodies. */
  public HttpLimits withMaxBodyBytes(long bytes) {
    return with(bytes, maxWait, idleTimeout, headTimeout, minBodyRate);
  }

  /** The same with another limit on long polls. */
  public HttpLimits withMaxWait(Duration wait) {
    return with(maxBodyBytes, wait, idleTimeout, headTimeout, minBodyRate);
  }

  /** The same with another limit on idle connections, and on new ones. */
  public HttpLimits withIdleTimeout(Duration timeout) {
    return with(maxBodyBytes, maxWait, timeout, timeout, minBodyRate);
  }

  private HttpLimits with(
      long bodyBytes, Duration wait, Duration idle, Duration head, int bodyRate) {
    return new HttpLimits(
        bodyBytes,
        maxDepth,
        maxItems,
        maxBatch,
        maxPartitions,
        wait,
        idle,
        maxHeaderBytes,
        maxLineBytes,
        head,
        bodyRate,
        maxWaitingPerAddress,
        trustedProxies);
  }
}
