package dev.queenmq.server.http.admin;

import static dev.queenmq.server.RunningServer.item;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.queenmq.server.RunningServer;
import dev.queenmq.server.testing.PostgresExtension;
import dev.queenmq.server.testing.TestDatabase;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The text for Prometheus: whole, well-formed, and true. */
@ExtendWith(PostgresExtension.class)
class PrometheusIT {
  private static final List<String> LIVE =
      List.of(
          "queen_uptime_seconds",
          "queen_cpu_user_microseconds_total",
          "queen_cpu_system_microseconds_total",
          "queen_process_resident_memory_bytes",
          "queen_process_virtual_memory_bytes",
          "queen_db_pool_size",
          "queen_db_pool_idle",
          "queen_db_pool_active",
          "queen_threadpool_size",
          "queen_threadpool_queue_size",
          "queen_response_registry_size",
          "queen_file_buffer_pending",
          "queen_file_buffer_failed",
          "queen_file_buffer_db_healthy",
          "queen_maintenance_mode_enabled",
          "queen_sidecar_op_count",
          "queen_sidecar_op_latency_microseconds",
          "queen_sidecar_op_items",
          "queen_queue_backoff_groups",
          "queen_queue_backoff_queues",
          "queen_queue_backoff_avg_interval_milliseconds",
          "queen_shared_state_enabled",
          "queen_qc_cache_size",
          "queen_qc_cache_hits_total",
          "queen_qc_cache_misses_total",
          "queen_servers",
          "queen_transport_messages_total",
          "queen_request_duration_seconds",
          "queen_batch_size",
          "queen_delivery_latency_seconds",
          "queen_event_loop_delay_seconds");
  private static final List<String> CLUSTER =
      List.of(
          "queen_cluster_push_requests_total",
          "queen_cluster_pop_requests_total",
          "queen_cluster_ack_requests_total",
          "queen_cluster_transactions_total",
          "queen_cluster_push_messages_total",
          "queen_cluster_pop_messages_total",
          "queen_cluster_ack_messages_total",
          "queen_cluster_db_errors_total",
          "queen_cluster_dlq_total",
          "queen_cluster_ack_total",
          "queen_queue_push_requests_per_minute",
          "queen_queue_push_messages_per_minute",
          "queen_queue_pop_messages_per_minute",
          "queen_queue_pop_empty_per_minute",
          "queen_queue_transactions_per_minute",
          "queen_queue_parked_consumers",
          "queen_queue_metrics_age_seconds",
          "queen_queue_pop_lag_milliseconds",
          "queen_queue_ack_per_minute",
          "queen_worker_event_loop_lag_milliseconds",
          "queen_worker_lag_milliseconds",
          "queen_worker_free_slots",
          "queen_worker_job_queue_size",
          "queen_worker_db_connections",
          "queen_worker_backoff_size",
          "queen_worker_jobs_done_per_minute",
          "queen_worker_db_errors_per_minute",
          "queen_worker_dlq_per_minute",
          "queen_worker_metrics_age_seconds",
          "queen_worker_requests_per_minute",
          "queen_worker_messages_per_minute",
          "queen_worker_ack_per_minute",
          "queen_dlq_depth",
          "queen_dlq_depth_by_queue",
          "queen_queue_pending",
          "queen_queue_oldest_age_seconds",
          "queen_metrics_left_out",
          "queen_statistics_age_seconds");
  private static final Pattern SAMPLE =
      Pattern.compile(
          "([a-z_]+)(?:\\{((?:[a-z_]+=\"(?:[^\"\\\\]|\\\\.)*\",?)*)})? (-?[0-9.]+|NaN)");

  private TestDatabase database;
  private RunningServer server;

  @BeforeEach
  void start(TestDatabase fresh) {
    database = fresh;
    server =
        RunningServer.on(
            fresh.endpoint(),
            Map.of("METRICS_AGGREGATE_INTERVAL_S", "1", "QUEEN_METRICS_MAX_QUEUES", "2"));
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void everything_isThere_true_andWithinBounds() {
    String strange = "a\"b\\c d";
    for (int i = 0; i < 3; i++) {
      server.push(item("q", "p", "t" + i), item("q", "p", "u" + i));
    }
    server.push(item(strange, "p", "1"));
    server.push(item("third", "p", "1"));
    List<JsonObject> popped = server.pop("q", "batch=4&consumerGroup=g").messages();
    server.ackAll(popped.subList(0, 3), "completed");
    server.ackAll(popped.subList(3, 4), "dlq");
    for (String queue : List.of(strange, "third")) {
      server.pop(queue, "consumerGroup=g");
    }
    server.pop("q", "consumerGroup=g&batch=1");
    server.pop("nothing", "");
    server.post("/api/v1/stats/refresh?wait=true", "");

    eventually(
        () -> {
          Scrape scrape = Scrape.of(server);
          assertThat(scrape.value("queen_cluster_push_messages_total{scope=\"cluster\"}"))
              .isEqualTo(8);
          assertThat(scrape.value("queen_cluster_pop_messages_total{scope=\"cluster\"}"))
              .isEqualTo(7);
          assertThat(scrape.value("queen_cluster_pop_requests_total{scope=\"cluster\"}"))
              .isEqualTo(5);
          assertThat(scrape.value("queen_cluster_ack_total{scope=\"cluster\",result=\"success\"}"))
              .isEqualTo(3);
          assertThat(scrape.value("queen_cluster_ack_total{scope=\"cluster\",result=\"failed\"}"))
              .isEqualTo(1);
          assertThat(scrape.value("queen_cluster_dlq_total{scope=\"cluster\"}")).isEqualTo(1);
        });
    Scrape scrape = Scrape.of(server);
    Map<String, List<String>> families = parse(scrape.text());
    assertThat(families.keySet())
        .containsAll(Stream.concat(LIVE.stream(), CLUSTER.stream()).toList());
    assertThat(scrape.value("queen_dlq_depth{scope=\"cluster\"}")).isEqualTo(1);
    assertThat(scrape.value("queen_dlq_depth_by_queue{queue=\"q\"}")).isEqualTo(1);
    assertThat(scrape.value("queen_queue_pending{queue=\"q\",group=\"g\"}")).isEqualTo(2);
    assertThat(scrape.value("queen_queue_oldest_age_seconds{queue=\"q\",group=\"g\"}"))
        .isBetween(0.0, 60.0);
    assertThat(scrape.value("queen_file_buffer_db_healthy")).isEqualTo(1);
    // Bounds: two of three.
    assertThat(families.get("queen_queue_pending")).hasSize(2);
    assertThat(scrape.value("queen_metrics_left_out{of=\"group\"}")).isEqualTo(1);
    assertThat(families.get("queen_queue_push_messages_per_minute")).hasSizeLessThanOrEqualTo(2);
    assertThat(scrape.value("queen_metrics_left_out{of=\"queue\"}")).isPositive();
    // Escaped.
    assertThat(scrape.value("queen_queue_pending{queue=\"a\\\"b\\\\c d\",group=\"g\"}"))
        .isEqualTo(1);
    // As many as there were requests; 8 messages in 5 pushes, 7 in 5 pops.
    histogram(scrape, "queen_request_duration_seconds", "op=\"push\"", 5);
    histogram(scrape, "queen_request_duration_seconds", "op=\"pop\"", 5);
    histogram(scrape, "queen_request_duration_seconds", "op=\"ack\"", 2);
    histogram(scrape, "queen_batch_size", "op=\"push\"", 5);
    assertThat(scrape.value("queen_batch_size_sum{op=\"push\"}")).isEqualTo(8);
    assertThat(scrape.value("queen_batch_size_sum{op=\"pop\"}")).isEqualTo(7);
    histogram(scrape, "queen_delivery_latency_seconds", "", 7);
    assertThat(scrape.value("queen_event_loop_delay_seconds_count")).isPositive();
    assertThat(server.get("/metrics").object().getJsonObject("memory").getLong("rss")).isPositive();
  }

  @Test
  void liveSeries_stayWhenTheDatabaseFails() {
    database.query("alter function queen.history_totals_v1 rename to away");

    Map<String, List<String>> families = parse(Scrape.of(server).text());

    assertThat(families.keySet()).containsAll(LIVE).doesNotContainAnyElementsOf(CLUSTER);
    assertThat(families.get("queen_file_buffer_db_healthy"))
        .containsExactly("queen_file_buffer_db_healthy 0");
    database.query("alter function queen.away rename to history_totals_v1");
  }

  @Test
  void restartedBroker_withTheSameProcessId_hasItsSeriesOnce() {
    eventually(() -> assertThat(Scrape.of(server).text()).contains("queen_worker_jobs_done"));
    eventually(
        () ->
            assertThat(database.value("select count(*) from queen.minute_workers"))
                .isNotEqualTo(0L));
    database.query(
        "insert into queen.brokers select (jsonb_populate_record(b,"
            + " '{\"id\": \"11111111-1111-1111-1111-111111111111\"}'"
            + " || jsonb_build_object('last_seen_at', b.last_seen_at - interval '1 minute'))).*"
            + " from queen.brokers b where b.hostname <> ''");
    database.query(
        "insert into queen.minute_workers select (jsonb_populate_record(m,"
            + " '{\"broker\": \"11111111-1111-1111-1111-111111111111\","
            + " \"jobs_done\": 987654}')).* from queen.minute_workers m");

    String text = Scrape.of(server).text();

    assertThat(parse(text).get("queen_worker_jobs_done_per_minute")).isNotEmpty();
    assertThat(text).doesNotContain("987654");
  }

  private static void eventually(ThrowingRunnable check) {
    Awaitility.await().untilAsserted(check);
  }

  /** Buckets grow, and the last of them, like the count, is the number of operations. */
  private static void histogram(Scrape scrape, String family, String labels, double count) {
    String of = labels.isEmpty() ? "" : "{" + labels + "}";
    assertThat(scrape.value(family + "_count" + of)).isEqualTo(count);
    String prefix = family + "_bucket{" + (labels.isEmpty() ? "" : labels + ",");
    List<Double> buckets =
        scrape
            .text()
            .lines()
            .filter(line -> line.startsWith(prefix))
            .map(line -> Double.valueOf(line.substring(line.lastIndexOf(' ') + 1)))
            .toList();
    assertThat(buckets).isSorted().hasSizeGreaterThan(5);
    assertThat(buckets.get(buckets.size() - 1)).isEqualTo(count, within(0.0));
    assertThat(scrape.value(family + "_sum" + of)).isNotNegative();
  }

  /** The samples of each family; fails on what a scraper would not read. */
  private static Map<String, List<String>> parse(String text) {
    Map<String, List<String>> families = new LinkedHashMap<>();
    String family = "";
    String type = "";
    for (String line : text.split("\n", -1)) {
      if (line.startsWith("# HELP ")) {
        family = line.split(" ", 4)[2];
        assertThat(line.split(" ", 4)[3]).isNotBlank();
        assertThat(families.put(family, new ArrayList<>())).as("only once: " + family).isNull();
      } else if (line.startsWith("# TYPE ")) {
        assertThat(line).startsWith("# TYPE " + family + " ");
        type = line.split(" ", 4)[3];
        assertThat(type).isIn("counter", "gauge", "histogram");
      } else if (!line.isEmpty()) {
        Matcher sample = SAMPLE.matcher(line);
        assertThat(sample.matches()).as(line).isTrue();
        String name = sample.group(1);
        assertThat(name)
            .as(line)
            .isIn(
                type.equals("histogram")
                    ? List.of(family + "_bucket", family + "_sum", family + "_count")
                    : List.of(family));
        List<String> samples = families.getOrDefault(family, List.of());
        String series = line.substring(0, line.lastIndexOf(' '));
        assertThat(samples).as("only once").noneMatch(each -> each.startsWith(series + " "));
        samples.add(line);
      }
    }
    return families;
  }
}
