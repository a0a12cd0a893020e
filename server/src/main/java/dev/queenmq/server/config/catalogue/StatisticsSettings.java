package dev.queenmq.server.config.catalogue;

import static dev.queenmq.server.config.catalogue.SettingKinds.flag;
import static dev.queenmq.server.config.catalogue.SettingKinds.millis;
import static dev.queenmq.server.config.catalogue.SettingKinds.number;

import java.time.Duration;
import java.util.List;

/** The part of the catalogue that is about what operators look at. */
public final class StatisticsSettings {

  public static final Setting<Duration> STATS_INTERVAL_MS =
      millis(
          "STATS_INTERVAL_MS",
          10_000,
          1_000,
          3_600_000,
          "How often one of the brokers sums up all partitions, in milliseconds; less often if it"
              + " would take more than a twentieth of the time.");
  public static final Setting<Integer> QUEEN_STATS_LIVE_LIMIT =
      number(
          "QUEEN_STATS_LIVE_LIMIT",
          20_000,
          0,
          100_000_000,
          "Up to this number of partitions and group positions, sums are computed for each"
              + " request. Beyond it, they are computed every `STATS_INTERVAL_MS`, and"
              + " `statsAge` is their age.");
  public static final Setting<Integer> METRICS_AGGREGATE_INTERVAL_S =
      number(
          "METRICS_AGGREGATE_INTERVAL_S",
          60,
          1,
          60,
          "How often a broker writes down what it did, in seconds. Kept by the minute in any"
              + " case.");
  public static final Setting<Duration> METRICS_SAMPLE_INTERVAL_MS =
      millis(
          "METRICS_SAMPLE_INTERVAL_MS",
          1_000,
          100,
          60_000,
          "How often a broker looks at its own CPU time and memory, in milliseconds.");
  public static final Setting<Integer> STATS_HISTORY_RETENTION_DAYS =
      number(
          "STATS_HISTORY_RETENTION_DAYS",
          7,
          1,
          3_650,
          "Days for which statistics of queues by the minute are kept.");
  public static final Setting<Integer> METRICS_RETENTION_DAYS =
      number(
          "METRICS_RETENTION_DAYS",
          7,
          1,
          3_650,
          "Days for which statistics of event loops and processes by the minute are kept. A"
              + " broker with four event loops writes 7,200 rows a day. For longer times use"
              + " Prometheus.");
  public static final Setting<Integer> QUEEN_STATS_MAX_QUEUES =
      number(
          "QUEEN_STATS_MAX_QUEUES",
          1_000,
          1,
          1_000_000,
          "Queues that an event loop distinguishes in a minute; more are summed up as `(other"
              + " queues)`.");
  public static final Setting<Boolean> QUEEN_DASHBOARD =
      flag(
          "QUEEN_DASHBOARD",
          true,
          "Whether the broker serves the [dashboard](dashboard.md) at `/`.");
  public static final Setting<Integer> QUEEN_METRICS_MAX_QUEUES =
      number(
          "QUEEN_METRICS_MAX_QUEUES",
          200,
          1,
          100_000,
          "Queues, or pairs of a queue and a group, that each family of `/metrics/prometheus`"
              + " has series for; `queen_metrics_left_out` counts the others.");

  static final Settings.Group GROUP =
      new Settings.Group(
          "Statistics",
          List.of(
              STATS_INTERVAL_MS,
              QUEEN_STATS_LIVE_LIMIT,
              METRICS_AGGREGATE_INTERVAL_S,
              METRICS_SAMPLE_INTERVAL_MS,
              STATS_HISTORY_RETENTION_DAYS,
              METRICS_RETENTION_DAYS,
              QUEEN_STATS_MAX_QUEUES,
              QUEEN_METRICS_MAX_QUEUES,
              QUEEN_DASHBOARD));

  private StatisticsSettings() {}
}
