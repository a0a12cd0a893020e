package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.flag;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is counted and shown to operators, and how long it is kept.
 *
 * @param hostname of this broker, by which its statistics are recorded
 * @param writeInterval how often counts are written down; a minute is written when it ends in any
 *     case
 * @param sampleInterval how often the process is looked at
 * @param maxQueues that are counted separately in a minute
 * @param queueDays how long minutes of queues are kept
 * @param metricDays how long minutes of event loops and processes are kept
 * @param refreshInterval how often all partitions are summed up, by one of the brokers
 * @param liveLimit up to this many partitions and cursors, sums are computed for each request
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
  static final Setting<Duration> STATS_INTERVAL_MS =
      millis(
          "STATS_INTERVAL_MS",
          10_000,
          1_000,
          3_600_000,
          "How often one of the brokers sums up all partitions, in milliseconds; less often if it"
              + " would take more than a twentieth of the time.");
  static final Setting<Integer> QUEEN_STATS_LIVE_LIMIT =
      number(
          "QUEEN_STATS_LIVE_LIMIT",
          20_000,
          0,
          100_000_000,
          "Up to this number of partitions and group positions, sums are computed for each"
              + " request. Beyond it, they are computed every `STATS_INTERVAL_MS`, and"
              + " `statsAge` is their age.");
  static final Setting<Integer> METRICS_AGGREGATE_INTERVAL_S =
      number(
          "METRICS_AGGREGATE_INTERVAL_S",
          60,
          1,
          60,
          "How often a broker writes down what it did, in seconds. Kept by the minute in any"
              + " case.");
  static final Setting<Duration> METRICS_SAMPLE_INTERVAL_MS =
      millis(
          "METRICS_SAMPLE_INTERVAL_MS",
          1_000,
          100,
          60_000,
          "How often a broker looks at its own CPU time and memory, in milliseconds.");
  static final Setting<Integer> STATS_HISTORY_RETENTION_DAYS =
      number(
          "STATS_HISTORY_RETENTION_DAYS",
          7,
          1,
          3_650,
          "Days for which statistics of queues by the minute are kept.");
  static final Setting<Integer> METRICS_RETENTION_DAYS =
      number(
          "METRICS_RETENTION_DAYS",
          7,
          1,
          3_650,
          "Days for which statistics of event loops and processes by the minute are kept. A"
              + " broker with four event loops writes 7,200 rows a day. For longer times use"
              + " Prometheus.");
  static final Setting<Integer> QUEEN_STATS_MAX_QUEUES =
      number(
          "QUEEN_STATS_MAX_QUEUES",
          1_000,
          1,
          1_000_000,
          "Queues that an event loop distinguishes in a minute; more are summed up as `(other"
              + " queues)`.");
  static final Setting<Boolean> QUEEN_DASHBOARD =
      flag(
          "QUEEN_DASHBOARD",
          true,
          "Whether the broker serves the [dashboard](dashboard.md) at `/`.");
  static final Setting<Integer> QUEEN_METRICS_MAX_QUEUES =
      number(
          "QUEEN_METRICS_MAX_QUEUES",
          200,
          1,
          100_000,
          "Queues, or pairs of a queue and a group, that each family of `/metrics/prometheus`"
              + " has series for; `queen_metrics_left_out` counts the others.");

  static final Setting.Group GROUP =
      new Setting.Group(
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

  static StatisticsConfig read(SettingsReader reader) {
    return new StatisticsConfig(
        reader.optional(ClusterConfig.HOSTNAME).orElseGet(Machine::hostName),
        Duration.ofSeconds(reader.value(METRICS_AGGREGATE_INTERVAL_S)),
        reader.value(METRICS_SAMPLE_INTERVAL_MS),
        reader.value(QUEEN_STATS_MAX_QUEUES),
        reader.value(STATS_HISTORY_RETENTION_DAYS),
        reader.value(METRICS_RETENTION_DAYS),
        reader.value(STATS_INTERVAL_MS),
        reader.value(QUEEN_STATS_LIVE_LIMIT),
        reader.value(QUEEN_METRICS_MAX_QUEUES),
        reader.value(QUEEN_DASHBOARD),
        TracingConfig.read(reader));
  }

  /** The defaults, for tools and tests that read no environment. */
  public static StatisticsConfig defaults() {
    return read(SettingsReader.defaults());
  }
}
