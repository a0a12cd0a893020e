package dev.queenmq.client.admin;

import dev.queenmq.client.admin.groups.Lease;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Request.Retry;
import dev.queenmq.client.internal.Transport;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Leases: who holds which messages, and since when. */
public final class LeaseAdmin {
  private final AdminCalls calls;

  LeaseAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * The leases that are live now, by queue, partition and group. All brokers show the same.
   *
   * @param queue only those of this queue; null for all
   * @param group only those of this group; null for all
   * @param paging which part of the list
   * @return a page of them
   */
  public Page<Lease> list(@Nullable String queue, @Nullable String group, Paging paging) {
    return Transport.join(listAsync(queue, group, paging));
  }

  /**
   * {@link #list(String, String, Paging)} without waiting.
   *
   * @param queue only those of this queue; null for all
   * @param group only those of this group; null for all
   * @param paging which part of the list
   * @return a page of them
   */
  public CompletableFuture<Page<Lease>> listAsync(
      @Nullable String queue, @Nullable String group, Paging paging) {
    return calls.page(
        Request.get("/api/v1/leases").withQuery("queue", queue).withQuery("consumerGroup", group),
        paging,
        "leases",
        Lease.class);
  }

  /**
   * The first 100 leases of all queues and groups.
   *
   * @return a page of them
   */
  public Page<Lease> list() {
    return Transport.join(listAsync());
  }

  /**
   * {@link #list()} without waiting.
   *
   * @return a page of them
   */
  public CompletableFuture<Page<Lease>> listAsync() {
    return listAsync(null, null, Paging.first());
  }

  /**
   * Ends a lease as if its time were over. Its messages can be delivered at once; what was acked
   * stays done, and its consumer cannot ack any more.
   *
   * @param leaseId of the lease
   * @return how many partitions it held; 0 if it had ended before
   */
  public int release(UUID leaseId) {
    return Transport.join(releaseAsync(leaseId));
  }

  /**
   * {@link #release(UUID)} without waiting.
   *
   * @param leaseId of the lease
   * @return how many partitions it held; 0 if it had ended before
   */
  public CompletableFuture<Integer> releaseAsync(UUID leaseId) {
    return AdminCalls.orElse(
        calls.ask(
            Request.delete("/api/v1/lease/{}", leaseId.toString()),
            answer -> answer.path("partitions").asInt()),
        0);
  }

  /**
   * Keeps the messages of a lease for longer. A lease is never shortened.
   *
   * @param leaseId of the lease
   * @param by from now on, in whole seconds
   * @return when it ends now
   */
  public Instant extend(UUID leaseId, Duration by) {
    return Transport.join(extendAsync(leaseId, by));
  }

  /**
   * {@link #extend(UUID, Duration)} without waiting.
   *
   * @param leaseId of the lease
   * @param by from now on, in whole seconds
   * @return when it ends now
   */
  public CompletableFuture<Instant> extendAsync(UUID leaseId, Duration by) {
    return calls.ask(
        Request.post("/api/v1/lease/{}/extend", leaseId.toString())
            .withBody(calls.object().put("seconds", by.toSeconds()))
            .withRetry(Retry.ALWAYS),
        answer -> Instant.parse(answer.path("expiresAt").asText()));
  }
}
