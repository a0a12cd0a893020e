package dev.queenmq.server.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Variables of the older server that have no effect here. They are accepted, so that an existing
 * deployment file keeps working.
 */
final class IgnoredLegacySettings {

  private static final List<Group> GROUPS =
      List.of(
          new Group("How the older server's engine gathers requests", engine()),
          new Group(
              "Which requests the older server gathers: here all of them are",
              List.of(
                  "ALL_OPS_USE_SIDECAR",
                  "PUSH_USE_SIDECAR",
                  "POP_USE_SIDECAR",
                  "ACK_USE_SIDECAR",
                  "TRANSACTION_USE_SIDECAR",
                  "RENEW_LEASE_USE_SIDECAR")),
          new Group(
              "Connections: `SIDECAR_POOL_SIZE` decides how many there are",
              List.of(
                  "DB_POOL_SIZE",
                  "DB_IDLE_TIMEOUT",
                  "DB_TCP_USER_TIMEOUT_MS",
                  "DB_KEEPALIVES_IDLE",
                  "DB_KEEPALIVES_INTERVAL",
                  "DB_KEEPALIVES_COUNT",
                  "DB_THREAD_POOL_SERVICE_THREADS")),
          new Group("The dashboard's files: they are in the jar", List.of("WEBAPP_ROOT")),
          new Group(
              "Statistics: there is nothing to reconcile",
              List.of(
                  "STATS_RECONCILE_INTERVAL_MS",
                  "PARTITION_LOOKUP_RECONCILE_INTERVAL_MS",
                  "PARTITION_LOOKUP_RECONCILE_LOOKBACK_SECONDS")),
          new Group(
              "How the older server buffers on disk",
              List.of(
                  "FILE_BUFFER_FLUSH_MS", "FILE_BUFFER_MAX_BATCH", "FILE_BUFFER_EVENTS_PER_FILE")));

  private IgnoredLegacySettings() {}

  /** Those that would set the same thing. */
  record Group(String what, List<String> names) {}

  static List<Group> groups() {
    return GROUPS;
  }

  /** The names of those that an environment sets, in the order of the page. */
  public static List<String> setIn(Map<String, String> environment) {
    return GROUPS.stream()
        .flatMap(group -> group.names().stream())
        .filter(name -> !environment.getOrDefault(name, "").isBlank())
        .toList();
  }

  private static List<String> engine() {
    List<String> names =
        new ArrayList<>(
            List.of(
                "POLL_WORKER_COUNT",
                "POLL_INTERVAL_MS",
                "USE_PRIORITY_DISPATCH",
                "QUEEN_SYNC_CACHE_SHARDS",
                "SIDECAR_MAX_BATCH_SIZE",
                "SIDECAR_MAX_PENDING_COUNT",
                "QUEUE_BACKOFF_CLEANUP_THRESHOLD",
                "RESPONSE_TIMER_INTERVAL_MS",
                "RESPONSE_BATCH_SIZE",
                "RESPONSE_BATCH_MAX",
                "QUEEN_CONCURRENCY_MODE",
                "QUEEN_VEGAS_MIN_LIMIT",
                "QUEEN_VEGAS_MAX_LIMIT",
                "QUEEN_VEGAS_ALPHA",
                "QUEEN_VEGAS_BETA",
                "QUEEN_VEGAS_RTT_WINDOW_SAMPLES",
                "QUEEN_VEGAS_RTT_MIN_WINDOW_SEC",
                "QUEEN_VEGAS_UPDATE_INTERVAL_MS"));
    for (String operation :
        List.of(
            "PUSH",
            "POP",
            "ACK",
            "TRANSACTION",
            "RENEW_LEASE",
            "CUSTOM",
            "STREAMS_REGISTER",
            "STREAMS_CYCLE",
            "STREAMS_STATE_GET")) {
      for (String limit :
          List.of("PREFERRED_BATCH_SIZE", "MAX_HOLD_MS", "MAX_BATCH_SIZE", "MAX_CONCURRENT")) {
        names.add("QUEEN_" + operation + "_" + limit);
      }
    }
    return List.copyOf(names);
  }
}
