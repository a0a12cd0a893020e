package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.decimal;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;

import dev.queenmq.server.config.values.SubscriptionMode;
import java.time.Duration;
import java.util.Locale;

/**
 * Defaults of pops, and how long they may wait.
 *
 * @param defaultBatch messages
 * @param defaultTimeout of a pop that waits; never above {@code maxWait}
 * @param maxWait limit of {@code timeout}
 * @param defaultSubscriptionMode where a new group starts
 * @param emptyStatus HTTP status of an answer without messages, 200 or 204
 * @param backoff how often PostgreSQL is asked on behalf of waiting polls
 */
public record PopConfig(
    int defaultBatch,
    Duration defaultTimeout,
    Duration maxWait,
    SubscriptionMode defaultSubscriptionMode,
    int emptyStatus,
    Backoff backoff) {
  static final Setting<Integer> DEFAULT_BATCH_SIZE =
      number("DEFAULT_BATCH_SIZE", 1, 1, 10_000, "`batch` of a pop that does not say.");
  static final Setting<Duration> DEFAULT_TIMEOUT =
      millis(
          "DEFAULT_TIMEOUT",
          30_000,
          0,
          86_400_000,
          "`timeout` of a waiting pop that does not say, in milliseconds; at most"
              + " `QUEEN_MAX_WAIT_MS` counts.");
  static final Setting<Duration> QUEEN_MAX_WAIT_MS =
      millis(
          "QUEEN_MAX_WAIT_MS",
          120_000,
          1,
          86_400_000,
          "Limit of `timeout`, in milliseconds; more is cut to it.");
  static final Setting<SubscriptionMode> DEFAULT_SUBSCRIPTION_MODE =
      new Setting<>(
          "DEFAULT_SUBSCRIPTION_MODE",
          "all",
          "one of all, new, new-only",
          "Where a consumer group that does not say starts: at the oldest message, or at what comes"
              + " from then on (`new` and `new-only` are the same).",
          PopConfig::subscriptionMode);
  static final Setting<Integer> QUEEN_EMPTY_POP_STATUS =
      new Setting<>(
          "QUEEN_EMPTY_POP_STATUS",
          "204",
          "200 or 204",
          "HTTP status of a pop without messages: 204 without a body, or 200 with one, as older"
              + " servers answer.",
          PopConfig::emptyPopStatus);
  static final Setting<Duration> POP_WAIT_INITIAL_INTERVAL_MS =
      millis(
              "POP_WAIT_INITIAL_INTERVAL_MS",
              100,
              1,
              600_000,
              "How often PostgreSQL is asked for waiting pops at first, in milliseconds."
                  + " Messages that pass through this broker wake them without it.")
          .orNamed("POP_WAIT_BASE_INTERVAL_MS");
  static final Setting<Integer> POP_WAIT_BACKOFF_THRESHOLD =
      number(
          "POP_WAIT_BACKOFF_THRESHOLD",
          3,
          0,
          1_000,
          "How many queries for waiting pops find nothing before their interval grows.");
  static final Setting<Double> POP_WAIT_BACKOFF_MULTIPLIER =
      decimal(
          "POP_WAIT_BACKOFF_MULTIPLIER",
          2.0,
          1.0,
          100.0,
          "Factor by which the interval grows with each further query that finds nothing.");
  static final int USUAL_MAX_INTERVAL_MS = 1_000;
  static final Setting<Duration> POP_WAIT_MAX_INTERVAL_MS =
      millis(
              "POP_WAIT_MAX_INTERVAL_MS",
              USUAL_MAX_INTERVAL_MS,
              1,
              600_000,
              "Longest interval between queries for waiting pops, in milliseconds.")
          .otherwise(USUAL_MAX_INTERVAL_MS + ", or the first interval if that is longer");

  static PopConfig read(SettingsReader reader) {
    Duration maxWait = reader.value(QUEEN_MAX_WAIT_MS);
    Duration timeout = reader.value(DEFAULT_TIMEOUT);
    return new PopConfig(
        reader.value(DEFAULT_BATCH_SIZE),
        timeout.compareTo(maxWait) > 0 ? maxWait : timeout,
        maxWait,
        reader.value(DEFAULT_SUBSCRIPTION_MODE),
        reader.value(QUEEN_EMPTY_POP_STATUS),
        backoff(reader));
  }

  private static Backoff backoff(SettingsReader reader) {
    long initial = reader.value(POP_WAIT_INITIAL_INTERVAL_MS).toMillis();
    long longest =
        reader
            .optional(POP_WAIT_MAX_INTERVAL_MS)
            .map(Duration::toMillis)
            .orElse(Math.max(USUAL_MAX_INTERVAL_MS, initial));
    if (longest < initial) {
      reader.mistake(
          "POP_WAIT_MAX_INTERVAL_MS is '%d', but must be at least POP_WAIT_INITIAL_INTERVAL_MS (%d)"
              .formatted(longest, initial));
    }
    return new Backoff(
        initial,
        reader.value(POP_WAIT_BACKOFF_THRESHOLD),
        reader.value(POP_WAIT_BACKOFF_MULTIPLIER),
        longest);
  }

  private static SubscriptionMode subscriptionMode(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "all" -> SubscriptionMode.ALL;
      case "new", "new-only" -> SubscriptionMode.NEW;
      default -> throw new IllegalArgumentException("not a choice");
    };
  }

  private static Integer emptyPopStatus(String text) {
    return switch (text) {
      case "200" -> 200;
      case "204" -> 204;
      default -> throw new IllegalArgumentException("not a choice");
    };
  }

  /**
   * How often PostgreSQL is asked on behalf of polls that wait for an empty queue.
   *
   * @param initialMillis between the first looks
   * @param threshold looks that find nothing before the interval grows
   * @param multiplier by which it grows with each further one
   * @param maxMillis to which it grows
   */
  public record Backoff(long initialMillis, int threshold, double multiplier, long maxMillis) {}

  /** The defaults, for tools and tests that read no environment. */
  public static PopConfig defaults() {
    return read(SettingsReader.defaults());
  }
}
