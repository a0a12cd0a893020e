package dev.queenmq.client.admin;

import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.admin.query.TimeRange;
import dev.queenmq.client.admin.queues.QueueFilter;
import dev.queenmq.client.admin.queues.QueueSummary;
import dev.queenmq.client.admin.status.PostgresStatistics;
import dev.queenmq.client.admin.status.PushHistory;
import dev.queenmq.client.admin.status.QueueHistory;
import dev.queenmq.client.admin.status.QueueLatency;
import dev.queenmq.client.admin.status.QueueStatus;
import dev.queenmq.client.admin.status.RetentionHistory;
import dev.queenmq.client.admin.status.SpoolStatus;
import dev.queenmq.client.admin.status.Status;
import dev.queenmq.client.admin.status.SystemHistory;
import dev.queenmq.client.admin.status.WaitingHistory;
import dev.queenmq.client.admin.status.WorkerHistory;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Transport;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * How the whole is doing, for dashboards. Charts come from what brokers write down once a minute.
 * An answer may be a second old where the same is asked often.
 */
public final class StatusAdmin {
  private final AdminCalls calls;

  StatusAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * Everything on one page.
   *
   * @param range of the chart
   * @param filter which queues the chart and the list of queues are about
   * @return the page
   */
  public Status overall(TimeRange range, QueueFilter filter) {
    return Transport.join(overallAsync(range, filter));
  }

  /**
   * {@link #overall(TimeRange, QueueFilter)} without waiting.
   *
   * @param range of the chart
   * @param filter which queues the chart and the list of queues are about
   * @return the page
   */
  public CompletableFuture<Status> overallAsync(TimeRange range, QueueFilter filter) {
    return calls.ask(
        AdminCalls.filtered(AdminCalls.ranged(Request.get("/api/v1/status"), range), filter),
        Status.class);
  }

  /**
   * Queues, the newest first. Their {@code pending} counts leased messages too.
   *
   * @param namespace only those of this namespace; null for all
   * @param task only those of this task; null for all
   * @param paging which part of the list
   * @return a page of them
   */
  public Page<QueueSummary> queues(
      @Nullable String namespace, @Nullable String task, Paging paging) {
    return Transport.join(queuesAsync(namespace, task, paging));
  }

  /**
   * {@link #queues(String, String, Paging)} without waiting.
   *
   * @param namespace only those of this namespace; null for all
   * @param task only those of this task; null for all
   * @param paging which part of the list
   * @return a page of them
   */
  public CompletableFuture<Page<QueueSummary>> queuesAsync(
      @Nullable String namespace, @Nullable String task, Paging paging) {
    return calls.page(
        Request.get("/api/v1/status/queues")
            .withQuery("namespace", namespace)
            .withQuery("task", task),
        paging,
        "queues",
        QueueSummary.class);
  }

  /**
   * A queue with a page of its partitions, and how far they are.
   *
   * @param queue its name
   * @param paging which of its partitions
   * @return the queue; empty if there is none of that name
   */
  public Optional<QueueStatus> queue(String queue, Paging paging) {
    return Transport.join(queueAsync(queue, paging));
  }

  /**
   * {@link #queue(String, Paging)} without waiting.
   *
   * @param queue its name
   * @param paging which of its partitions
   * @return the queue; empty if there is none of that name
   */
  public CompletableFuture<Optional<QueueStatus>> queueAsync(String queue, Paging paging) {
    return calls.find(
        calls.paged(Request.get("/api/v1/status/queues/{}", queue), paging), QueueStatus.class);
  }

  /**
   * How many messages were pushed over time. The usual range is 24 hours.
   *
   * @param interval width of its points
   * @param range of the chart
   * @param filter which queues
   * @return a chart without gaps
   */
  public PushHistory pushes(PushHistory.Interval interval, TimeRange range, QueueFilter filter) {
    return Transport.join(pushesAsync(interval, range, filter));
  }

  /**
   * {@link #pushes(PushHistory.Interval, TimeRange, QueueFilter)} without waiting.
   *
   * @param interval width of its points
   * @param range of the chart
   * @param filter which queues
   * @return a chart without gaps
   */
  public CompletableFuture<PushHistory> pushesAsync(
      PushHistory.Interval interval, TimeRange range, QueueFilter filter) {
    return calls.ask(
        AdminCalls.filtered(
            AdminCalls.ranged(Request.get("/api/v1/status/analytics"), range)
                .withQuery("interval", interval.name().toLowerCase(Locale.ROOT)),
            filter),
        PushHistory.class);
  }

  /**
   * What the broker that answers keeps on its disk until PostgreSQL takes it.
   *
   * @return its spool
   */
  public SpoolStatus spool() {
    return Transport.join(spoolAsync());
  }

  /**
   * {@link #spool()} without waiting.
   *
   * @return its spool
   */
  public CompletableFuture<SpoolStatus> spoolAsync() {
    return calls.ask(Request.get("/api/v1/status/buffers"), SpoolStatus.class);
  }

  /**
   * What was done with queues over time.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return a chart
   */
  public QueueHistory queueHistory(TimeRange range, @Nullable String queue) {
    return Transport.join(queueHistoryAsync(range, queue));
  }

  /**
   * {@link #queueHistory(TimeRange, String)} without waiting.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return a chart
   */
  public CompletableFuture<QueueHistory> queueHistoryAsync(
      TimeRange range, @Nullable String queue) {
    return calls.ask(
        AdminCalls.ranged(Request.get("/api/v1/analytics/queue-ops"), range)
            .withQuery("queue", queue),
        QueueHistory.class);
  }

  /**
   * From push to delivery, by queue and minute.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return the newest minute first; minutes without deliveries are left out
   */
  public List<QueueLatency> latency(TimeRange range, @Nullable String queue) {
    return Transport.join(latencyAsync(range, queue));
  }

  /**
   * {@link #latency(TimeRange, String)} without waiting.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return the newest minute first; minutes without deliveries are left out
   */
  public CompletableFuture<List<QueueLatency>> latencyAsync(
      TimeRange range, @Nullable String queue) {
    return calls
        .send(
            AdminCalls.ranged(Request.get("/api/v1/analytics/queue-lag"), range)
                .withQuery("queue", queue))
        .thenApply(response -> calls.list(response.json(), QueueLatency.class));
  }

  /**
   * How many polls waited over time, by queue and broker.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return a chart
   */
  public WaitingHistory waitingPolls(TimeRange range, @Nullable String queue) {
    return Transport.join(waitingPollsAsync(range, queue));
  }

  /**
   * {@link #waitingPolls(TimeRange, String)} without waiting.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return a chart
   */
  public CompletableFuture<WaitingHistory> waitingPollsAsync(
      TimeRange range, @Nullable String queue) {
    return calls.ask(
        AdminCalls.ranged(Request.get("/api/v1/analytics/queue-parked-replicas"), range)
            .withQuery("queue", queue),
        WaitingHistory.class);
  }

  /**
   * What event loops did over time.
   *
   * @param range of the chart
   * @param hostname only brokers of this machine; null for all
   * @param worker only the event loop with this number; null for all
   * @return a chart
   */
  public WorkerHistory workers(
      TimeRange range, @Nullable String hostname, @Nullable Integer worker) {
    return Transport.join(workersAsync(range, hostname, worker));
  }

  /**
   * {@link #workers(TimeRange, String, Integer)} without waiting.
   *
   * @param range of the chart
   * @param hostname only brokers of this machine; null for all
   * @param worker only the event loop with this number; null for all
   * @return a chart
   */
  public CompletableFuture<WorkerHistory> workersAsync(
      TimeRange range, @Nullable String hostname, @Nullable Integer worker) {
    return calls.ask(
        AdminCalls.ranged(Request.get("/api/v1/analytics/worker-metrics"), range)
            .withQuery("hostname", hostname)
            .withQuery("workerId", worker),
        WorkerHistory.class);
  }

  /**
   * What brokers took of their machines over time.
   *
   * @param range of the chart
   * @param hostname only brokers of this machine; null for all
   * @param broker only the broker of this name; null for all
   * @return a chart
   */
  public SystemHistory systems(
      TimeRange range, @Nullable String hostname, @Nullable String broker) {
    return Transport.join(systemsAsync(range, hostname, broker));
  }

  /**
   * {@link #systems(TimeRange, String, String)} without waiting.
   *
   * @param range of the chart
   * @param hostname only brokers of this machine; null for all
   * @param broker only the broker of this name; null for all
   * @return a chart
   */
  public CompletableFuture<SystemHistory> systemsAsync(
      TimeRange range, @Nullable String hostname, @Nullable String broker) {
    return calls.ask(
        AdminCalls.ranged(Request.get("/api/v1/analytics/system-metrics"), range)
            .withQuery("hostname", hostname)
            .withQuery("workerId", broker),
        SystemHistory.class);
  }

  /**
   * What retention and eviction removed over time.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return a chart
   */
  public RetentionHistory retention(TimeRange range, @Nullable String queue) {
    return Transport.join(retentionAsync(range, queue));
  }

  /**
   * {@link #retention(TimeRange, String)} without waiting.
   *
   * @param range of the chart
   * @param queue only this queue; null for all
   * @return a chart
   */
  public CompletableFuture<RetentionHistory> retentionAsync(
      TimeRange range, @Nullable String queue) {
    return calls.ask(
        AdminCalls.ranged(Request.get("/api/v1/analytics/retention"), range)
            .withQuery("queue", queue),
        RetentionHistory.class);
  }

  /**
   * What PostgreSQL says of itself and of the tables.
   *
   * @return caches, sizes, vacuum and statements under way
   */
  public PostgresStatistics postgres() {
    return Transport.join(postgresAsync());
  }

  /**
   * {@link #postgres()} without waiting.
   *
   * @return caches, sizes, vacuum and statements under way
   */
  public CompletableFuture<PostgresStatistics> postgresAsync() {
    return calls.ask(Request.get("/api/v1/analytics/postgres-stats"), PostgresStatistics.class);
  }
}
