package dev.queenmq.server.metrics;

import dev.queenmq.server.metrics.ClusterReadings.Dead;
import dev.queenmq.server.metrics.ClusterReadings.Pending;
import dev.queenmq.server.metrics.ClusterReadings.Queue;
import dev.queenmq.server.metrics.ClusterReadings.Totals;
import dev.queenmq.server.metrics.ClusterReadings.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Series about all brokers: every broker reports the same values, so do not sum them. */
final class ClusterMetrics {
  private final PrometheusText text;
  private final ClusterReadings readings;

  private ClusterMetrics(PrometheusText text, ClusterReadings readings) {
    this.text = text;
    this.readings = readings;
  }

  static void write(PrometheusText text, ClusterReadings readings) {
    ClusterMetrics metrics = new ClusterMetrics(text, readings);
    metrics.totals();
    metrics.queues();
    metrics.workers();
    metrics.groups();
  }

  private void totals() {
    Totals totals = readings.totals();
    total("push_requests", "Pushes.", totals.pushRequests());
    total("pop_requests", "Pops that were answered.", totals.popRequests());
    total("ack_requests", "Acknowledgements.", totals.ackRequests());
    total("transactions", "Transactions that were committed.", totals.transactions());
    total("push_messages", "Messages stored.", totals.pushMessages());
    total("pop_messages", "Messages handed out.", totals.popMessages());
    total(
        "ack_messages",
        "Acknowledged messages, of any status.",
        totals.ackSuccess() + totals.ackFailed());
    total("db_errors", "Calls that PostgreSQL did not carry out.", totals.databaseErrors());
    total("dlq", "Messages that an ack made dead letters.", totals.deadLetters());
    text.counter("queen_cluster_ack_total", "Acks by status.")
        .sample("scope", "cluster", "result", "success", totals.ackSuccess())
        .sample("scope", "cluster", "result", "failed", totals.ackFailed());
    text.gauge("queen_dlq_depth", "Dead letters, as last counted.")
        .sample("scope", "cluster", readings.dead());
  }

  private void total(String name, String help, long value) {
    text.counter("queen_cluster_" + name + "_total", help).sample("scope", "cluster", value);
  }

  private void queues() {
    perQueue("queen_queue_push_requests_per_minute", "Pushes.", Queue::pushRequests);
    perQueue("queen_queue_push_messages_per_minute", "Messages stored.", Queue::pushMessages);
    perQueue("queen_queue_pop_messages_per_minute", "Messages handed out.", Queue::popMessages);
    perQueue("queen_queue_pop_empty_per_minute", "Pops that got nothing.", Queue::popEmpty);
    perQueue("queen_queue_transactions_per_minute", "Transactions.", Queue::transactions);
    perQueue("queen_queue_parked_consumers", "Most polls that waited.", Queue::parked);
    perQueue(
        "queen_queue_metrics_age_seconds",
        "Time since the end of the minute that figures of event loops are of.",
        Queue::ageSeconds);
    text.gauge("queen_queue_pop_lag_milliseconds", "Time from push to pop.");
    for (Queue queue : readings.queues()) {
      text.sample("queue", queue.name(), "stat", "avg", queue.averageLagMillis());
      text.sample("queue", queue.name(), "stat", "max", queue.maxLagMillis());
    }
    text.gauge("queen_queue_ack_per_minute", "Acknowledged messages, of any status.");
    for (Queue queue : readings.queues()) {
      text.sample("queue", queue.name(), "result", "success", queue.ackSuccess());
      text.sample("queue", queue.name(), "result", "failed", queue.ackFailed());
    }
  }

  private void perQueue(String name, String help, Function<Queue, Number> value) {
    text.gauge(name, help);
    readings.queues().forEach(queue -> text.sample("queue", queue.name(), value.apply(queue)));
  }

  private void workers() {
    pair(
        "queen_worker_event_loop_lag_milliseconds",
        "By how much the event loop ran late.",
        "stat",
        List.of("avg", "max"),
        List.of(Worker::averageLoopDelayMillis, Worker::maxLoopDelayMillis));
    pair(
        "queen_worker_lag_milliseconds",
        "Time from push to pop.",
        "stat",
        List.of("avg", "max"),
        List.of(Worker::averageLagMillis, Worker::maxLagMillis));
    pair(
        "queen_worker_free_slots",
        "Free connections.",
        "stat",
        List.of("avg", "min"),
        List.of(Worker::averageFreeSlots, Worker::minFreeSlots));
    pair(
        "queen_worker_job_queue_size",
        "Requests that waited for a connection.",
        "stat",
        List.of("avg", "max"),
        List.of(Worker::averageJobQueue, Worker::maxJobQueue));
    one("queen_worker_db_connections", "Connections for messages.", Worker::connections);
    one(
        "queen_worker_backoff_size",
        "Waiting groups that are looked at less often.",
        Worker::backoffSize);
    one("queen_worker_jobs_done_per_minute", "Calls of PostgreSQL.", Worker::jobsDone);
    one("queen_worker_db_errors_per_minute", "Calls that failed.", Worker::databaseErrors);
    one("queen_worker_dlq_per_minute", "Messages made dead letters.", Worker::deadLetters);
    one(
        "queen_worker_metrics_age_seconds",
        "Time since the end of the minute that figures of event loops are of.",
        Worker::ageSeconds);
    pair(
        "queen_worker_requests_per_minute",
        "Requests.",
        "op",
        List.of("push", "pop", "ack", "transaction"),
        List.of(
            Worker::pushRequests, Worker::popRequests, Worker::ackRequests, Worker::transactions));
    pair(
        "queen_worker_messages_per_minute",
        "Messages or acks.",
        "op",
        List.of("push", "pop", "ack"),
        List.of(
            Worker::pushMessages,
            Worker::popMessages,
            worker -> worker.ackSuccess() + worker.ackFailed()));
    pair(
        "queen_worker_ack_per_minute",
        "Acknowledged messages, of any status.",
        "result",
        List.of("success", "failed"),
        List.of(Worker::ackSuccess, Worker::ackFailed));
  }

  private void one(String name, String help, Function<Worker, Number> value) {
    text.gauge(name, help);
    readings.workers().forEach(worker -> text.sample(value.apply(worker), labels(worker)));
  }

  private void pair(
      String name,
      String help,
      String label,
      List<String> kinds,
      List<Function<Worker, Number>> values) {
    text.gauge(name, help);
    for (Worker worker : readings.workers()) {
      for (int i = 0; i < kinds.size(); i++) {
        List<String> labels = new ArrayList<>(labels(worker));
        labels.add(label);
        labels.add(kinds.get(i));
        text.sample(values.get(i).apply(worker), labels);
      }
    }
  }

  private static List<String> labels(Worker worker) {
    return List.of(
        "hostname",
        worker.hostname(),
        "worker_id",
        Integer.toString(worker.number()),
        "pid",
        Long.toString(worker.pid()));
  }

  private void groups() {
    text.gauge("queen_queue_pending", "Messages that a group has not done.");
    for (Pending pending : readings.pending()) {
      text.sample("queue", pending.queue(), "group", pending.group(), pending.messages());
    }
    text.gauge(
        "queen_queue_oldest_age_seconds",
        "Age of the oldest message that a group has not done; 0 if there is none.");
    for (Pending pending : readings.pending()) {
      text.sample("queue", pending.queue(), "group", pending.group(), pending.oldestSeconds());
    }
    text.gauge("queen_dlq_depth_by_queue", "Dead letters of queues that have any.");
    for (Dead dead : readings.deadByQueue()) {
      text.sample("queue", dead.queue(), dead.messages());
    }
    text.gauge(
            "queen_statistics_age_seconds",
            "Time since pending messages and dead letters were summed up; -1 if never.")
        .sample(readings.statsAgeSeconds());
    text.gauge(
            "queen_metrics_left_out",
            "Queues, or pairs of queue and group, beyond the limit of series.")
        .sample("of", "queue", readings.queuesLeftOut())
        .sample("of", "group", readings.pendingLeftOut());
  }
}
