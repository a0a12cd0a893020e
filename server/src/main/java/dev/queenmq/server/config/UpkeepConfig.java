package dev.queenmq.server.config;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What is done in the background, how often, and what is kept for how long.
 *
 * @param retentionInterval between two runs of retention
 * @param retentionBatch segments that one transaction of it removes, at most
 * @param evictionInterval between two runs of eviction
 * @param evictionBatch dead letters that one transaction of it writes, at most
 * @param cleanupInterval between two runs of every other job
 * @param partitionDays after which an unused partition goes; 0 for never
 * @param deadLetterDays after which a dead letter goes; 0 for never
 */
public record UpkeepConfig(
    Duration retentionInterval,
    int retentionBatch,
    Duration evictionInterval,
    int evictionBatch,
    Duration cleanupInterval,
    int partitionDays,
    int deadLetterDays) {

  /** The defaults, for tools and tests that read no environment. */
  public static UpkeepConfig defaults() {
    return ServerConfig.read(Map.of(), List.of()).upkeep();
  }
}
