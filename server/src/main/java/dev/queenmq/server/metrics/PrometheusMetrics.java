package dev.queenmq.server.metrics;

import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import dev.queenmq.server.broker.SidecarFigures.RequestFigures;
import dev.queenmq.server.spool.SpoolStatus;
import dev.queenmq.server.upkeep.UpkeepFigures;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The body of {@code GET /metrics/prometheus}: this broker, and what PostgreSQL knows of all of
 * them. Safe for use by several threads.
 */
public final class PrometheusMetrics {

  /** What the body is. */
  public static final String CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

  private static final double MICROS = 1e6;

  private final String version;
  private final String workerId;
  private final int workers;

  /**
   * Metrics of a broker.
   *
   * @param workerId its name
   * @param workers its event loops
   */
  public PrometheusMetrics(String version, String workerId, int workers) {
    this.workers = workers;
    this.version = version;
    this.workerId = workerId;
  }

  /**
   * The whole page.
   *
   * @param cluster what PostgreSQL knows of all brokers; empty while it is away
   */
  public String text(
      SidecarFigures figures,
      ProcessReadings process,
      JsonObject sharedState,
      UpkeepFigures upkeep,
      SpoolStatus spool,
      HttpFigures http,
      Optional<ClusterReadings> cluster) {
    PrometheusText text = new PrometheusText();
    process(text, process);
    database(text, figures);
    pools(text, figures, process);
    SpoolMetrics.write(text, spool);
    maintenance(text, cluster.isPresent(), sharedState.getBoolean("maintenance_mode", false));
    operations(text, figures.operations());
    requests(text, figures);
    turnedAway(text, http);
    waiting(text, figures);
    UpkeepMetrics.write(text, upkeep);
    SharedStateMetrics.write(text, sharedState);
    cluster.ifPresent(readings -> ClusterMetrics.write(text, readings));
    return text.toString();
  }

  private void process(PrometheusText text, ProcessReadings process) {
    text.gauge("queen_info", "Always 1; the labels identify the broker.")
        .sample("version", version, "worker_id", workerId, 1);
    text.gauge("queen_uptime_seconds", "Time since the process started.")
        .sample(process.uptime().toMillis() / 1e3);
    text.counter("queen_cpu_user_microseconds_total", "CPU time of the process in user mode.")
        .sample(process.cpuUserMicros());
    text.counter("queen_cpu_system_microseconds_total", "CPU time of the process in the kernel.")
        .sample(process.cpuSystemMicros());
    text.gauge("queen_process_resident_memory_bytes", "Memory that the process takes.")
        .sample(process.residentBytes());
    text.gauge("queen_process_virtual_memory_bytes", "Address space of the process.")
        .sample(process.virtualBytes());
    text.gauge("queen_jvm_memory_used_bytes", "Memory used within the JVM.")
        .sample("area", "heap", process.heapUsedBytes())
        .sample("area", "nonheap", process.nonHeapUsedBytes())
        .sample("area", "direct", process.directBytes());
    text.gauge("queen_jvm_heap_committed_bytes", "Memory that the heap holds.")
        .sample(process.heapCommittedBytes());
    text.gauge("queen_jvm_heap_max_bytes", "Memory that the heap may hold.")
        .sample(process.heapMaxBytes());
    text.gauge("queen_jvm_threads", "Threads of the JVM.").sample(process.threads());
  }

  private static void database(PrometheusText text, SidecarFigures figures) {
    text.gauge("queen_db_pool_size", "Connections for messages that there may be.")
        .sample(figures.slots());
    text.gauge(
            "queen_db_pool_idle",
            "Connections for messages that carry no statement, connected yet or not.")
        .sample(figures.idleSlots());
    text.gauge(
            "queen_db_pool_active",
            "Connections for messages that carry a statement, or connect for one.")
        .sample(figures.slots() - figures.idleSlots());
    text.counter("queen_db_errors_total", "Calls that PostgreSQL did not carry out.")
        .sample(figures.databaseErrors());
  }

  /** Event loops take the place of threads that wait for PostgreSQL. */
  private void pools(PrometheusText text, SidecarFigures figures, ProcessReadings process) {
    text.gauge("queen_threadpool_size", "Threads: event loops, and all of the process.")
        .sample("pool", "db", workers)
        .sample("pool", "system", process.threads());
    text.gauge("queen_threadpool_queue_size", "Requests that wait for a connection or a thread.")
        .sample(
            "pool", "db", figures.operations().stream().mapToInt(OperationFigures::pending).sum())
        .sample("pool", "system", 0);
    text.gauge("queen_response_registry_size", "Polls that wait for an answer.")
        .sample("worker_id", workerId, figures.waitingPolls());
  }

  private static void maintenance(PrometheusText text, boolean healthy, boolean maintenance) {
    text.gauge("queen_file_buffer_db_healthy", "Whether PostgreSQL answered this scrape.")
        .sample(healthy ? 1 : 0);
    text.gauge("queen_maintenance_mode_enabled", "Whether pushes go to disk.")
        .sample(maintenance ? 1 : 0);
  }

  private static void requests(PrometheusText text, SidecarFigures figures) {
    text.histogram(
        "queen_request_duration_seconds",
        "Time from a client's request to its answer; the wait of a poll is part of it.");
    for (RequestFigures request : figures.requests()) {
      text.distribution("op", request.name(), request.duration(), MICROS);
    }
    text.histogram("queen_batch_size", "Messages, acks or operations in a client's request.");
    for (RequestFigures request : figures.requests()) {
      text.distribution("op", request.name(), request.items(), 1);
    }
    text.histogram(
            "queen_delivery_latency_seconds",
            "Time from the push of a message to a pop of it, by PostgreSQL's clock.")
        .distribution(figures.delivery(), MICROS);
    text.histogram("queen_event_loop_delay_seconds", "By how much event loops run late.")
        .distribution(figures.loopDelay(), MICROS);
  }

  private static void turnedAway(PrometheusText text, HttpFigures http) {
    if (!http.errors().isEmpty()) {
      text.counter("queen_http_errors_total", "Answers that were errors, by their status.");
      http.errors().forEach((status, count) -> text.sample("status", status.toString(), count));
    }
    text.counter(
            "queen_http_connections_refused_total",
            "Connections that were refused by the limit of all or of an address.")
        .sample(http.refusedConnections());
    MemoryMetrics.write(text, http.memory());
  }

  private static void operations(PrometheusText text, List<OperationFigures> operations) {
    text.gauge("queen_sidecar_op_count", "Requests answered since the start.");
    each(text, operations, OperationFigures::requests);
    text.gauge(
        "queen_sidecar_op_items",
        "Messages or acks in answered requests; of pops, messages handed out.");
    each(text, operations, OperationFigures::items);
    text.gauge(
        "queen_sidecar_op_latency_microseconds", "Mean time from request to answer since start.");
    each(text, operations, PrometheusMetrics::meanLatency);
    text.counter("queen_sidecar_calls_total", "Calls of PostgreSQL that carried requests.");
    each(text, operations, OperationFigures::calls);
    text.counter("queen_sidecar_failures_total", "Requests answered with an error.");
    each(text, operations, OperationFigures::failures);
    text.gauge("queen_sidecar_pending", "Requests that wait for a connection.");
    each(text, operations, OperationFigures::pending);
    text.histogram("queen_sidecar_op_duration_seconds", "Time from request to answer.");
    for (OperationFigures operation : operations) {
      text.distribution("op", operation.name(), operation.latency(), MICROS);
    }
    text.histogram("queen_sidecar_batch_requests", "Requests that one call carried.");
    for (OperationFigures operation : operations) {
      text.distribution("op", operation.name(), operation.batch(), 1);
    }
  }

  private static void each(
      PrometheusText text,
      List<OperationFigures> operations,
      Function<OperationFigures, Number> value) {
    for (OperationFigures operation : operations) {
      text.sample("op", operation.name(), value.apply(operation));
    }
  }

  static double meanLatency(OperationFigures operation) {
    List<Long> counts = operation.latency().counts();
    long answered = counts.isEmpty() ? 0 : counts.get(counts.size() - 1);
    return answered == 0 ? 0 : operation.latency().sum() / answered;
  }

  private static void waiting(PrometheusText text, SidecarFigures figures) {
    text.gauge("queen_waiting_polls", "Pops that wait for messages.")
        .sample(figures.waitingPolls());
    text.gauge("queen_waiting_groups", "Groups of a queue or partition that pops wait in.")
        .sample(figures.waitGroups());
    text.gauge(
            "queen_waiting_groups_in_flight", "Waiting groups for which PostgreSQL is being asked.")
        .sample(figures.inFlightGroups());
    text.gauge("queen_queue_backoff_groups", "Waiting groups that are looked at less often.")
        .sample(figures.backedOffGroups());
    text.gauge(
            "queen_queue_backoff_queues",
            "Queues with waiting groups that are looked at less often.")
        .sample(figures.backedOffQueues());
    text.gauge(
            "queen_queue_backoff_avg_interval_milliseconds",
            "Mean time between two looks at a waiting group.")
        .sample(figures.averageBackoffMillis());
  }
}
