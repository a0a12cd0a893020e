package dev.queenmq.server.http.routing;

import dev.queenmq.server.auth.Access;
import dev.queenmq.server.auth.AuthException;
import dev.queenmq.server.auth.Caller;
import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.RequestTrace;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.admin.QueueConfiguration;
import io.vertx.core.Future;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The caller of a request, and what the audit log records about it. Owned by the request's event
 * loop.
 *
 * <p>A handler of {@link QueueScope#HANDLER} asks {@link #requireQueue} for every queue before it
 * does anything; what is thrown becomes the answer.
 */
public final class RequestContext {
  private final Caller caller;
  private final QueueNames names;
  private @Nullable Map<String, String> notes;
  private @Nullable RequestTrace trace;

  RequestContext(Caller caller, QueueNames names) {
    this.caller = caller;
    this.names = names;
  }

  /** The caller. */
  public Caller caller() {
    return caller;
  }

  /** The producer that is recorded with messages: the token's subject, and nothing else. */
  @Nullable
  public String producer() {
    return caller.subject().orElse(null);
  }

  /** Throws a {@link AuthException} unless the role is enough. */
  public void require(Access access) {
    if (!caller.may(access)) {
      throw AuthException.forbidden();
    }
  }

  /** Throws a {@link AuthException} unless the token is good for this queue. */
  public void requireQueue(String queue) {
    if (!caller.queues().allows(queue)) {
      throw AuthException.forbidden(queue);
    }
  }

  /**
   * Fails with a {@link AuthException} unless the token is good for the queues of these partitions.
   */
  public Future<Void> reachPartitions(Collection<UUID> partitionIds) {
    return caller.isLimited() && !partitionIds.isEmpty()
        ? names.ofPartitions(partitionIds).compose(this::reachAll)
        : Future.succeededFuture();
  }

  /**
   * Fails with a {@link AuthException} unless the token is good for what this lease holds.
   *
   * @return false if a limited token names a lease that is not known: there is nothing to do
   */
  public Future<Boolean> reachLease(UUID leaseId) {
    return caller.isLimited()
        ? names
            .ofLease(leaseId)
            .compose(
                queues ->
                    queues.isEmpty()
                        ? Future.succeededFuture(false)
                        : reachAll(queues).map(reached -> true))
        : Future.succeededFuture(true);
  }

  /** Fails with a {@link AuthException} if there is such a stream on a queue out of reach. */
  public Future<Void> reachStream(String name) {
    return caller.isLimited()
        ? names.ofStream(name).compose(this::reachIfAny)
        : Future.succeededFuture();
  }

  /** The same by the id of the stream's query. */
  public Future<Void> reachQuery(UUID queryId) {
    return caller.isLimited()
        ? names.ofQuery(queryId).compose(this::reachIfAny)
        : Future.succeededFuture();
  }

  /**
   * The configuration without what the token may not change; fails with a {@link AuthException} if
   * it asks for such a change. Consumers pop by namespace and task, the highest priority first, so
   * that these reach beyond the queue.
   */
  public Future<QueueConfiguration> reachLabels(QueueConfiguration asked) {
    return caller.isLimited()
        ? names
            .labels(asked.queue())
            .map(found -> LabelRules.allowed(asked, found, caller.labels()))
        : Future.succeededFuture(asked);
  }

  /** An id without a queue yet is allowed to all callers. */
  private Future<Void> reachIfAny(List<String> queues) {
    return queues.isEmpty() ? Future.succeededFuture() : reachAll(queues);
  }

  /**
   * Without their names: the caller did not say them, and need not learn them. What has no queue
   * any more is denied: what is left of it may be another's.
   */
  private Future<Void> reachAll(List<String> queues) {
    return !queues.isEmpty() && queues.stream().allMatch(caller.queues()::allows)
        ? Future.succeededFuture()
        : Future.failedFuture(AuthException.forbidden());
  }

  /** Adds what a body asks for to the audit log; never a payload. */
  public void note(String name, String value) {
    if (notes == null) {
      notes = new LinkedHashMap<>();
    }
    notes.put(name, value);
  }

  /** A tracer follows the request from here on. */
  void follow(RequestTrace follower) {
    trace = follower;
  }

  /** The messages of the request as they are to be stored: a tracer may add its trace id. */
  public List<Message> pushing(List<Message> messages) {
    return trace == null ? messages : trace.pushing(messages);
  }

  /** The broker for the calls of this request. */
  public Broker through(Broker broker) {
    return trace == null ? broker : trace.through(broker);
  }

  Map<String, String> notes() {
    return notes == null ? Map.of() : notes;
  }
}
