package dev.queenmq.client.admin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.queenmq.client.admin.messages.Trace;
import dev.queenmq.client.admin.messages.TraceDraft;
import dev.queenmq.client.admin.messages.TraceName;
import dev.queenmq.client.admin.query.Page;
import dev.queenmq.client.admin.query.Paging;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Transport;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Traces: what consumers recorded about messages. */
public final class TraceAdmin {
  private final AdminCalls calls;

  TraceAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * Records a trace.
   *
   * @param trace what to record
   * @return the id of the trace
   */
  public UUID record(TraceDraft trace) {
    return Transport.join(recordAsync(trace));
  }

  /**
   * {@link #record(TraceDraft)} without waiting.
   *
   * @param trace what to record
   * @return the id of the trace
   */
  public CompletableFuture<UUID> recordAsync(TraceDraft trace) {
    ObjectNode body =
        calls
            .object()
            .put("partitionId", trace.partitionId().toString())
            .put("transactionId", trace.transactionId());
    body.set("data", calls.tree(trace.data()));
    body.put("consumerGroup", trace.consumerGroup());
    body.put("eventType", trace.eventType());
    body.set("traceNames", calls.tree(trace.traceNames()));
    return calls.ask(
        Request.post("/api/v1/traces").withBody(body),
        answer -> UUID.fromString(answer.path("traceId").asText()));
  }

  /**
   * Names of traces, the latest first.
   *
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public Page<TraceName> names(Paging paging) {
    return Transport.join(namesAsync(paging));
  }

  /**
   * {@link #names(Paging)} without waiting.
   *
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public CompletableFuture<Page<TraceName>> namesAsync(Paging paging) {
    return calls.page(Request.get("/api/v1/traces/names"), paging, "trace_names", TraceName.class);
  }

  /**
   * Traces with a name, with the messages that they are about, the oldest first.
   *
   * @param name of the traces
   * @param queue only those of this queue; null for all
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public Page<Trace> named(String name, @Nullable String queue, Paging paging) {
    return Transport.join(namedAsync(name, queue, paging));
  }

  /**
   * {@link #named(String, String, Paging)} without waiting.
   *
   * @param name of the traces
   * @param queue only those of this queue; null for all
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public CompletableFuture<Page<Trace>> namedAsync(
      String name, @Nullable String queue, Paging paging) {
    return calls.page(
        Request.get("/api/v1/traces/by-name/{}", name).withQuery("queue", queue),
        paging,
        "traces",
        Trace.class);
  }

  /**
   * Traces of a message, the oldest first.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public Page<Trace> ofMessage(UUID partitionId, String transactionId, Paging paging) {
    return Transport.join(ofMessageAsync(partitionId, transactionId, paging));
  }

  /**
   * {@link #ofMessage(UUID, String, Paging)} without waiting.
   *
   * @param partitionId of the message
   * @param transactionId of the message
   * @param paging which part of the list
   * @return a page of them, counted
   */
  public CompletableFuture<Page<Trace>> ofMessageAsync(
      UUID partitionId, String transactionId, Paging paging) {
    return calls.page(
        Request.get("/api/v1/traces/{}/{}", partitionId.toString(), transactionId),
        paging,
        "traces",
        Trace.class);
  }
}
