package dev.queenmq.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.memory.MemoryFigures;
import dev.queenmq.server.memory.Purpose;
import dev.queenmq.server.spool.SpoolStatus;
import dev.queenmq.server.spool.log.SpoolFigures;
import dev.queenmq.server.upkeep.UpkeepFigures;
import dev.queenmq.server.upkeep.UpkeepJob;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PrometheusMetricsTest {

  private static final Pattern SAMPLE =
      Pattern.compile("([a-z_]+?)(?:_bucket|_sum|_count)?(\\{[^ ]*})? (-?[0-9.E]+|NaN)");

  private final String text =
      new PrometheusMetrics("1.2", "bee \"one\"", 2)
          .text(
              Samples.figures(10),
              Samples.process(Duration.ofMillis(1500)),
              new JsonObject()
                  .put("enabled", true)
                  .put("lease_hints", new JsonObject().put("accuracy", 0.5))
                  .put("server_id", "a:1"),
              new UpkeepFigures(
                  List.of(
                      new UpkeepFigures.JobFigures(UpkeepJob.RETENTION, 7, 3, 1),
                      new UpkeepFigures.JobFigures(UpkeepJob.ORPHANS, 5, 2, 0)),
                  11,
                  2),
              new SpoolStatus(
                  true,
                  new SpoolFigures(3, 400, 0, 10, 7, 1, 50, 2, 4, 5, 6, 1_500_000_000),
                  1_000,
                  true,
                  8,
                  9,
                  true),
              new HttpFigures(
                  new TreeMap<>(Map.of(401, 2L, 503, 5L)),
                  6,
                  new MemoryFigures(
                      1000, Map.of(Purpose.BODIES, 300L), Map.of(Purpose.BODIES, 4L))),
              Optional.empty());

  @Test
  void text_tellsWhomTheBrokerTurnedAway() {
    assertThat(text)
        .contains(
            "\nqueen_http_errors_total{status=\"401\"} 2\n",
            "\nqueen_http_errors_total{status=\"503\"} 5\n",
            "\nqueen_http_connections_refused_total 6\n");
  }

  @Test
  void text_hasTheMemoryThatRequestsHold() {
    assertThat(text)
        .contains(
            "\nqueen_memory_budget_bytes 1000\n",
            "\nqueen_memory_held_bytes{purpose=\"bodies\"} 300\n",
            "\nqueen_memory_refusals_total{purpose=\"bodies\"} 4\n");
  }

  @Test
  void text_tellsTheSpool() {
    assertThat(text)
        .contains(
            "\nqueen_file_buffer_pending 3\n",
            "\nqueen_file_buffer_failed 1\n",
            "\nqueen_spool_pending 3\n",
            "\nqueen_spool_bytes 400\n",
            "\nqueen_spool_max_bytes 1000\n",
            "\nqueen_spool_database_away 1\n",
            "\nqueen_spool_appended_total 10\n",
            "\nqueen_spool_replayed_total 8\n",
            "\nqueen_spool_dead_total 9\n",
            "\nqueen_spool_dead_bytes 50\n",
            "\nqueen_spool_damaged_total 2\n",
            "\nqueen_spool_full_total 4\n",
            "\nqueen_spool_failed_total 5\n",
            "\nqueen_spool_syncs_total 6\n",
            "\nqueen_spool_sync_seconds_total 1.5\n");
  }

  @Test
  void text_tellsUpkeep() {
    assertThat(text)
        .contains(
            "\nqueen_upkeep_removed_messages_total{job=\"retention\"} 7\n",
            "\nqueen_upkeep_runs_total{job=\"retention\",result=\"success\"} 3\n",
            "\nqueen_upkeep_runs_total{job=\"retention\",result=\"error\"} 1\n",
            "\nqueen_upkeep_runs_total{job=\"orphans\",result=\"success\"} 2\n",
            "\nqueen_resealed_payloads_total 11\n",
            "\nqueen_reseal_unopened_payloads_total 2\n")
        .doesNotContain("queen_upkeep_removed_messages_total{job=\"orphans\"}");
  }

  @Test
  void text_tellsTheProcess() {
    assertThat(text)
        .contains(
            "queen_info{version=\"1.2\",worker_id=\"bee \\\"one\\\"\"} 1\n",
            "queen_uptime_seconds 1.5\n",
            "queen_cpu_user_microseconds_total 1230000\n",
            "queen_cpu_system_microseconds_total 450000\n",
            "queen_process_resident_memory_bytes 100\n",
            "queen_process_virtual_memory_bytes 200\n",
            "queen_jvm_memory_used_bytes{area=\"heap\"} 30\n",
            "queen_jvm_threads 21\n");
  }

  @Test
  void text_tellsConnectionsAndWaiters() {
    assertThat(text)
        .contains(
            "queen_db_pool_size 8\n",
            "queen_db_pool_idle 6\n",
            "queen_db_pool_active 2\n",
            "queen_db_errors_total 9\n",
            "queen_waiting_polls 7\n",
            "queen_waiting_groups 5\n",
            "queen_waiting_groups_in_flight 3\n",
            "queen_queue_backoff_groups 2\n",
            "queen_queue_backoff_avg_interval_milliseconds 412.5\n");
  }

  @Test
  void text_tellsOperations() {
    assertThat(text)
        .contains(
            "queen_sidecar_op_count{op=\"push\"} 10\nqueen_sidecar_op_count{op=\"ack\"} 2\n",
            "queen_sidecar_op_items{op=\"push\"} 100\n",
            "queen_sidecar_op_latency_microseconds{op=\"push\"} 2500\n",
            "queen_sidecar_op_latency_microseconds{op=\"ack\"} 0\n",
            "queen_sidecar_calls_total{op=\"push\"} 4\n",
            "queen_sidecar_failures_total{op=\"push\"} 1\n",
            "queen_sidecar_pending{op=\"push\"} 3\n");
  }

  @Test
  void text_hasHistograms() {
    assertThat(text)
        .contains(
            """
            # HELP queen_sidecar_op_duration_seconds Time from request to answer.
            # TYPE queen_sidecar_op_duration_seconds histogram
            queen_sidecar_op_duration_seconds_bucket{op="push",le="0.0005"} 6
            queen_sidecar_op_duration_seconds_bucket{op="push",le="0.01"} 9
            queen_sidecar_op_duration_seconds_bucket{op="push",le="+Inf"} 10
            queen_sidecar_op_duration_seconds_sum{op="push"} 0.025
            queen_sidecar_op_duration_seconds_count{op="push"} 10
            queen_sidecar_op_duration_seconds_bucket{op="ack",le="+Inf"} 0
            """,
            """
            queen_sidecar_batch_requests_bucket{op="push",le="1"} 2
            queen_sidecar_batch_requests_bucket{op="push",le="8"} 3
            queen_sidecar_batch_requests_bucket{op="push",le="+Inf"} 4
            queen_sidecar_batch_requests_sum{op="push"} 21
            queen_sidecar_batch_requests_count{op="push"} 4
            """);
  }

  @Test
  void text_isWellFormed() {
    String family = "";
    int families = 0;
    List<String> lines = text.lines().toList();
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith("# HELP ")) {
        family = line.split(" ", 4)[2];
        families++;
        assertThat(lines.get(i + 1)).startsWith("# TYPE " + family + " ");
      } else if (!line.startsWith("# TYPE ")) {
        Matcher sample = SAMPLE.matcher(line.replace("bee \\\"one\\\"", ""));
        assertThat(sample.matches()).as(line).isTrue();
        assertThat(family).startsWith(sample.group(1));
      }
    }
    assertThat(text.lines().filter(line -> line.startsWith("# HELP ")).distinct())
        .hasSize(families);
    assertThat(text).endsWith("\n");
  }

  @Test
  void text_hasEveryFigureOfTheSharedState() {
    assertThat(text)
        .contains("queen_shared_state_enabled 1\n", "queen_shared_state_lease_hints_accuracy 0.5\n")
        .doesNotContain("a:1");
  }
}
