package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;

import java.time.Duration;
import java.util.List;

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
  static final Setting<Duration> RETENTION_INTERVAL =
      millis(
          "RETENTION_INTERVAL",
          300_000,
          100,
          86_400_000,
          "How often messages are removed that are older than their queue keeps them, in"
              + " milliseconds.");
  static final Setting<Integer> RETENTION_BATCH_SIZE =
      number(
          "RETENTION_BATCH_SIZE",
          1_000,
          1,
          100_000,
          "Segments (what one push appended to one partition) that one transaction of retention removes,"
              + " at most; fewer where they take long.");
  static final Setting<Duration> EVICTION_INTERVAL =
      millis(
          "EVICTION_INTERVAL",
          60_000,
          100,
          86_400_000,
          "How often groups lose messages that waited for longer than `maxWaitTimeSeconds`, in"
              + " milliseconds.");
  static final Setting<Integer> EVICTION_BATCH_SIZE =
      number(
          "EVICTION_BATCH_SIZE",
          1_000,
          1,
          100_000,
          "Dead letters that one transaction of eviction writes, at most.");
  static final Setting<Duration> QUEEN_CLEANUP_INTERVAL_MS =
      millis(
          "QUEEN_CLEANUP_INTERVAL_MS",
          3_600_000,
          100,
          86_400_000,
          "How often all other old data are removed, in milliseconds: unused partitions, what"
              + " deleted queues left, old dead letters, old history.");
  static final Setting<Integer> PARTITION_CLEANUP_DAYS =
      number(
          "PARTITION_CLEANUP_DAYS",
          30,
          0,
          36_500,
          "Days without messages and activity after which a partition is removed; 0 means"
              + " never.");
  static final Setting<Integer> DLQ_RETENTION_DAYS =
      number(
          "DLQ_RETENTION_DAYS",
          30,
          0,
          36_500,
          "Days after which a dead letter is removed; 0 means never.");

  static final Setting.Group GROUP =
      new Setting.Group(
          "In the background",
          List.of(
              RETENTION_INTERVAL,
              RETENTION_BATCH_SIZE,
              EVICTION_INTERVAL,
              EVICTION_BATCH_SIZE,
              QUEEN_CLEANUP_INTERVAL_MS,
              PARTITION_CLEANUP_DAYS,
              DLQ_RETENTION_DAYS));

  static UpkeepConfig read(SettingsReader reader) {
    return new UpkeepConfig(
        reader.value(RETENTION_INTERVAL),
        reader.value(RETENTION_BATCH_SIZE),
        reader.value(EVICTION_INTERVAL),
        reader.value(EVICTION_BATCH_SIZE),
        reader.value(QUEEN_CLEANUP_INTERVAL_MS),
        reader.value(PARTITION_CLEANUP_DAYS),
        reader.value(DLQ_RETENTION_DAYS));
  }

  /** The defaults, for tools and tests that read no environment. */
  public static UpkeepConfig defaults() {
    return read(SettingsReader.defaults());
  }
}
