package dev.queenmq.server.config;

import dev.queenmq.server.config.values.SubscriptionMode;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What a pop gets when it does not say, and how long it may wait.
 *
 * @param defaultBatch messages
 * @param defaultTimeout of a pop that waits; never above {@code maxWait}
 * @param maxWait limit of {@code timeout}
 * @param defaultSubscriptionMode where a new group starts
 * @param emptyStatus HTTP status of an answer without messages, 200 or 204
 * @param backoff how often a queue that polls wait for is looked at
 */
public record PopConfig(
    int defaultBatch,
    Duration defaultTimeout,
    Duration maxWait,
    SubscriptionMode defaultSubscriptionMode,
    int emptyStatus,
    BackoffConfig backoff) {

  /** The defaults, for tools and tests that read no environment. */
  public static PopConfig defaults() {
    return ServerConfig.read(Map.of(), List.of()).pop();
  }
}
