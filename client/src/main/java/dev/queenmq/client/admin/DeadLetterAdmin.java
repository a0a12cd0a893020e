package dev.queenmq.client.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.admin.messages.DeadLetter;
import dev.queenmq.client.admin.messages.DeadLetterFilter;
import dev.queenmq.client.admin.messages.RedriveResult;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Request.Retry;
import dev.queenmq.client.internal.Transport;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Dead letters: messages that groups gave up. */
public final class DeadLetterAdmin {
  private final AdminCalls calls;

  DeadLetterAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * Dead letters with their payloads, the latest failure first.
   *
   * @param filter which ones; transaction ids are not looked at
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public Page<DeadLetter> list(DeadLetterFilter filter, Paging paging) {
    return Transport.join(listAsync(filter, paging));
  }

  /**
   * {@link #list(DeadLetterFilter, Paging)} without waiting.
   *
   * @param filter which ones; transaction ids are not looked at
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public CompletableFuture<Page<DeadLetter>> listAsync(DeadLetterFilter filter, Paging paging) {
    return calls.page(
        filtered(Request.get("/api/v1/dlq"), filter), paging, "messages", DeadLetter.class);
  }

  /**
   * The latest 100 dead letters of a queue.
   *
   * @param queue its name
   * @return a page of them, counted
   */
  public Page<DeadLetter> list(String queue) {
    return Transport.join(listAsync(queue));
  }

  /**
   * {@link #list(String)} without waiting.
   *
   * @param queue its name
   * @return a page of them, counted
   */
  public CompletableFuture<Page<DeadLetter>> listAsync(String queue) {
    return listAsync(DeadLetterFilter.queue(queue), Paging.first());
  }

  /**
   * Gives dead letters back to the groups that gave them up, in one transaction.
   *
   * @param filter which ones; its queue is needed
   * @param limit at most this many, up to 100,000
   * @return how many were given back
   */
  public RedriveResult redrive(DeadLetterFilter filter, int limit) {
    return Transport.join(redriveAsync(filter, limit));
  }

  /**
   * {@link #redrive(DeadLetterFilter, int)} without waiting.
   *
   * @param filter which ones; its queue is needed
   * @param limit at most this many, up to 100,000
   * @return how many were given back
   */
  public CompletableFuture<RedriveResult> redriveAsync(DeadLetterFilter filter, int limit) {
    ObjectNode body = calls.object().put("queue", queue(filter)).put("limit", limit);
    // The broker remembers it for a day: sent again after a lost answer, it does nothing twice.
    body.put("requestId", UUID.randomUUID().toString());
    put(body, "partition", filter.partition());
    put(body, "consumerGroup", filter.consumerGroup());
    put(body, "from", filter.from());
    put(body, "to", filter.to());
    if (!filter.transactionIds().isEmpty()) {
      body.set("transactionIds", calls.tree(filter.transactionIds()));
    }
    return calls.ask(
        Request.post("/api/v1/dlq/redrive").withBody(body).withRetry(Retry.ALWAYS),
        RedriveResult.class);
  }

  /**
   * Removes dead letters.
   *
   * @param filter which ones; its queue is needed
   * @return how many were removed
   */
  public long purge(DeadLetterFilter filter) {
    return Transport.join(purgeAsync(filter));
  }

  /**
   * {@link #purge(DeadLetterFilter)} without waiting.
   *
   * @param filter which ones; its queue is needed
   * @return how many were removed
   */
  public CompletableFuture<Long> purgeAsync(DeadLetterFilter filter) {
    queue(filter);
    Request request = filtered(Request.delete("/api/v1/dlq"), filter);
    return calls.ask(
        filter.transactionIds().isEmpty()
            ? request
            : request.withQuery("transactionIds", String.join(",", filter.transactionIds())),
        answer -> answer.path("purged").asLong());
  }

  private static String queue(DeadLetterFilter filter) {
    return Objects.requireNonNull(filter.queue(), "the queue of the filter is needed");
  }

  private static void put(ObjectNode body, String name, @Nullable Object value) {
    if (value != null) {
      body.put(name, value.toString());
    }
  }

  private static Request filtered(Request request, DeadLetterFilter filter) {
    return request
        .withQuery("queue", filter.queue())
        .withQuery("partition", filter.partition())
        .withQuery("consumerGroup", filter.consumerGroup())
        .withQuery("from", filter.from())
        .withQuery("to", filter.to());
  }
}
