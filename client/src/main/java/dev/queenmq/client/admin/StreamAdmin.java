package dev.queenmq.client.admin;

import dev.queenmq.client.admin.streams.StreamCycle;
import dev.queenmq.client.admin.streams.StreamCycleResult;
import dev.queenmq.client.admin.streams.StreamQuery;
import dev.queenmq.client.admin.streams.StreamRegistration;
import dev.queenmq.client.admin.streams.StreamState;
import dev.queenmq.client.admin.streams.StreamStateFilter;
import dev.queenmq.client.internal.Request;
import dev.queenmq.client.internal.Request.Retry;
import dev.queenmq.client.internal.Transport;
import java.util.concurrent.CompletableFuture;

/** State of stream processors, committed together with what they consume and push. */
public final class StreamAdmin {
  private final AdminCalls calls;

  StreamAdmin(AdminCalls calls) {
    this.calls = calls;
  }

  /**
   * Registers a query, or finds it. A query that is known with another hash is refused, unless its
   * state may be dropped.
   *
   * @param query what to register
   * @return its id
   */
  public StreamRegistration register(StreamQuery query) {
    return Transport.join(registerAsync(query));
  }

  /**
   * {@link #register(StreamQuery)} without waiting.
   *
   * @param query what to register
   * @return its id
   */
  public CompletableFuture<StreamRegistration> registerAsync(StreamQuery query) {
    return calls.ask(
        Request.post("/streams/v1/queries").withBody(calls.tree(query)).withRetry(Retry.ALWAYS),
        StreamRegistration.class);
  }

  /**
   * Commits one cycle: state, pushes and ack, all or nothing. It is sent again after a lost answer
   * only if it has an idempotency key.
   *
   * @param cycle what to commit
   * @return what became of it; look at {@link StreamCycleResult#success} first
   */
  public StreamCycleResult cycle(StreamCycle cycle) {
    return Transport.join(cycleAsync(cycle));
  }

  /**
   * {@link #cycle(StreamCycle)} without waiting.
   *
   * @param cycle what to commit
   * @return what became of it; look at {@link StreamCycleResult#success} first
   */
  public CompletableFuture<StreamCycleResult> cycleAsync(StreamCycle cycle) {
    return calls.ask(
        Request.post("/streams/v1/cycle")
            .withBody(calls.tree(cycle))
            .withRetry(cycle.idempotencyKey() == null ? Retry.IF_UNSENT : Retry.ALWAYS),
        StreamCycleResult.class);
  }

  /**
   * Reads state.
   *
   * @param filter which state
   * @return rows by key
   */
  public StreamState state(StreamStateFilter filter) {
    return Transport.join(stateAsync(filter));
  }

  /**
   * {@link #state(StreamStateFilter)} without waiting.
   *
   * @param filter which state
   * @return rows by key
   */
  public CompletableFuture<StreamState> stateAsync(StreamStateFilter filter) {
    return calls.ask(
        Request.post("/streams/v1/state/get").withBody(calls.tree(filter)).withRetry(Retry.ALWAYS),
        StreamState.class);
  }
}
