package dev.queenmq.server.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is counted and shown to operators, and how long it is kept.
 *
 * @param hostname by which this broker's minutes are told from those of others
 * @param writeInterval how often counts are written down; a minute is written when it ends in any
 *     case
 * @param sampleInterval how often the process is looked at
 * @param maxQueues that are told apart in a minute
 * @param queueDays so long minutes of queues are kept
 * @param metricDays so long minutes of event loops and processes are kept
 * @param refreshInterval how often all partitions are summed up, by one of the brokers
 * @param liveLimit up to so many partitions and cursors, sums are made when they are asked for
 * @param maxMetricQueues series with a queue in them, of each kind
 * @param dashboard whether the broker serves pages for browsers
 * @param tracing where spans go; absent while tracing is off
 */
public record StatisticsConfig(
    String hostname,
    Duration writeInterval,
    Duration sampleInterval,
    int maxQueues,
    int queueDays,
    int metricDays,
    Duration refreshInterval,
    int liveLimit,
    int maxMetricQueues,
    boolean dashboard,
    Optional<TracingConfig> tracing) {

  /** The defaults, for tools and tests that read no environment. */
  public static StatisticsConfig defaults() {
    return ServerConfig.read(Map.of(), List.of()).statistics();
  }
}
