package dev.queenmq.server.config;

import static dev.queenmq.server.config.Setting.bytes;
import static dev.queenmq.server.config.Setting.millis;
import static dev.queenmq.server.config.Setting.number;

import java.time.Duration;

/**
 * How requests are gathered into calls of PostgreSQL, and how many may wait.
 *
 * @param workers event loops, each with a sidecar of its own
 * @param slots connections for messages, of all workers together
 * @param maxItemsPerCall messages or acks that one call carries
 * @param maxBytesPerCall of payload that one call carries; a larger message goes alone
 * @param microBatchWait how long a request may wait for others to share a call with, although a
 *     slot is free
 * @param maxPendingItems of one sidecar; beyond, requests are refused
 * @param maxPendingBytes of payload, of all sidecars together; beyond, requests are refused
 * @param maxWaiting polls that may wait at once
 * @param inflightDeadline after which a call without an answer is given up
 */
public record SidecarConfig(
    int workers,
    int slots,
    int maxItemsPerCall,
    int maxBytesPerCall,
    Duration microBatchWait,
    int maxPendingItems,
    long maxPendingBytes,
    int maxWaiting,
    Duration inflightDeadline) {
  private static final Duration DEADLINE_MARGIN = Duration.ofSeconds(5);
  private static final Duration LONGEST_STATEMENT = Duration.ofHours(1);

  static final Setting<Integer> NUM_WORKERS =
      number("NUM_WORKERS", 1, 1, 256, "Event loops that serve HTTP and messages.")
          .otherwise("the number of cores, without PG_HOST half of it; at most 8");
  static final Setting<Integer> SIDECAR_POOL_SIZE =
      number(
              "SIDECAR_POOL_SIZE",
              1,
              1,
              1_000,
              "Connections to PostgreSQL for messages, shared by all workers. Few suffice: each"
                  + " call carries what has gathered meanwhile.")
          .otherwise("3 for each worker, at most 32");
  static final Setting<Duration> MICRO_BATCH_WAIT_MS =
      millis(
              "MICRO_BATCH_WAIT_MS",
              0,
              0,
              1_000,
              "How long a request may wait for others to join it although a connection is free, in"
                  + " milliseconds. While all connections are busy, requests gather in any case.")
          .orNamed("SIDECAR_MICRO_BATCH_WAIT_MS");
  static final Setting<Integer> MAX_ITEMS_PER_TX =
      number(
              "MAX_ITEMS_PER_TX",
              1_000,
              1,
              100_000,
              "Messages or acknowledgements that one call of PostgreSQL carries.")
          .orNamed("SIDECAR_MAX_ITEMS_PER_TX");
  static final Setting<Integer> QUEEN_MAX_BYTES_PER_TX =
      number(
          "QUEEN_MAX_BYTES_PER_TX",
          4 << 20,
          1_024,
          256 << 20,
          "Bytes of payload that one call of PostgreSQL carries; a larger message goes alone.");
  static final Setting<Integer> QUEEN_MAX_PENDING_ITEMS =
      number(
          "QUEEN_MAX_PENDING_ITEMS",
          100_000,
          1,
          10_000_000,
          "Messages or acks of one worker that may wait for a connection; further requests are"
              + " answered 503.");
  static final Setting<Long> QUEEN_MAX_PENDING_BYTES =
      bytes(
              "QUEEN_MAX_PENDING_BYTES",
              "",
              1L << 20,
              1L << 40,
              "Bytes of payload of all workers that may wait for a connection; further requests"
                  + " are answered 503.")
          .otherwise("256 MiB, at most a quarter of the heap");
  static final Setting<Integer> MAX_WAITING =
      number(
          "MAX_WAITING",
          100_000,
          1,
          10_000_000,
          "Pops that may wait at once; further ones are answered 503.");
  static final Setting<Duration> LIBQUEEN_INFLIGHT_DEADLINE_MS =
      millis(
              "LIBQUEEN_INFLIGHT_DEADLINE_MS",
              35_000,
              2_000,
              7_200_000,
              "How long a call may wait for an answer of PostgreSQL, in milliseconds. After"
                  + " that it fails, and its connection is replaced.")
          .otherwise("`DB_STATEMENT_TIMEOUT` + 5000; without one, 3605000");

  static SidecarConfig read(SettingsReader reader) {
    int workers = reader.optional(NUM_WORKERS).orElseGet(() -> workers(reader));
    return new SidecarConfig(
        workers,
        reader.optional(SIDECAR_POOL_SIZE).orElseGet(() -> Machine.slots(workers)),
        reader.value(MAX_ITEMS_PER_TX),
        reader.value(QUEEN_MAX_BYTES_PER_TX),
        reader.value(MICRO_BATCH_WAIT_MS),
        reader.value(QUEEN_MAX_PENDING_ITEMS),
        reader.optional(QUEEN_MAX_PENDING_BYTES).orElseGet(reader.machine()::pendingBytes),
        reader.value(MAX_WAITING),
        reader
            .optional(LIBQUEEN_INFLIGHT_DEADLINE_MS)
            .orElseGet(() -> inflightDeadline(reader.value(SessionConfig.DB_STATEMENT_TIMEOUT))));
  }

  private static int workers(SettingsReader reader) {
    boolean embedded = reader.optional(PostgresSource.PG_HOST).isEmpty();
    return embedded ? reader.machine().workersBesidePostgres() : reader.machine().workers();
  }

  /** Longer than PostgreSQL's own timeout: that one reports the reason and keeps the connection. */
  private static Duration inflightDeadline(Duration statementTimeout) {
    Duration limit = statementTimeout.isZero() ? LONGEST_STATEMENT : statementTimeout;
    return limit.plus(DEADLINE_MARGIN);
  }

  /** The defaults on this machine, for tools and tests that read no environment. */
  public static SidecarConfig defaults() {
    return read(SettingsReader.defaults());
  }
}
