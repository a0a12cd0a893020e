package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.millis;
import static dev.queenmq.server.config.catalogue.SettingKinds.number;

import java.time.Duration;
import java.util.List;

/** The part of the catalogue that is about what one of the brokers does in the background. */
public final class UpkeepSettings {

  public static final Setting<Duration> RETENTION_INTERVAL =
      millis(
          "RETENTION_INTERVAL",
          300_000,
          100,
          86_400_000,
          "How often messages are removed that are older than their queue keeps them, in"
              + " milliseconds.");
  public static final Setting<Integer> RETENTION_BATCH_SIZE =
      number(
          "RETENTION_BATCH_SIZE",
          1_000,
          1,
          100_000,
          "Segments (what one push appended to one partition) that one transaction of it removes,"
              + " at most; fewer where they take long.");
  public static final Setting<Duration> EVICTION_INTERVAL =
      millis(
          "EVICTION_INTERVAL",
          60_000,
          100,
          86_400_000,
          "How often groups lose messages that waited for longer than `maxWaitTimeSeconds`, in"
              + " milliseconds.");
  public static final Setting<Integer> EVICTION_BATCH_SIZE =
      number(
          "EVICTION_BATCH_SIZE",
          1_000,
          1,
          100_000,
          "Dead letters that one transaction of it writes, at most.");
  public static final Setting<Duration> QUEEN_CLEANUP_INTERVAL_MS =
      millis(
          "QUEEN_CLEANUP_INTERVAL_MS",
          3_600_000,
          100,
          86_400_000,
          "How often the rest is looked after, in milliseconds: unused partitions, what deleted"
              + " queues left, old dead letters, old history.");
  public static final Setting<Integer> PARTITION_CLEANUP_DAYS =
      number(
          "PARTITION_CLEANUP_DAYS",
          30,
          0,
          36_500,
          "Days without messages and activity after which a partition is removed; 0 means"
              + " never.");
  public static final Setting<Integer> DLQ_RETENTION_DAYS =
      number(
          "DLQ_RETENTION_DAYS",
          30,
          0,
          36_500,
          "Days after which a dead letter is removed; 0 means never.");

  static final Settings.Group GROUP =
      new Settings.Group(
          "In the background",
          List.of(
              RETENTION_INTERVAL,
              RETENTION_BATCH_SIZE,
              EVICTION_INTERVAL,
              EVICTION_BATCH_SIZE,
              QUEEN_CLEANUP_INTERVAL_MS,
              PARTITION_CLEANUP_DAYS,
              DLQ_RETENTION_DAYS));

  private UpkeepSettings() {}
}
