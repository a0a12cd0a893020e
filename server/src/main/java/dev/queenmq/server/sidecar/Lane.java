package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.StoreException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pending requests of one kind. What waits when a slot becomes free goes in one call of the
 * store, up to a limit, and the answers are split back by position. A call that fails for a passing
 * reason is made again; one that fails for good is cut in two until the request that is to blame
 * stands alone.
 *
 * @param <Q> an item of a request
 * @param <A> the answer to an item
 */
final class Lane<Q, A> {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  /** What carries a call. */
  interface Carrier {
    /** Lets time pass before another attempt. */
    void later(long millis, Runnable attempt);

    /** Something may be sent now. */
    void changed();

    /** PostgreSQL did not carry out a call. */
    void databaseError();
  }

  /** How a lane treats its requests. */
  record Rules(String name, int maxItems, long maxBytes, int maxConcurrent, int attempts) {}

  private final class Request {
    final List<Q> items;
    final long bytes;
    final Promise<List<A>> answer = Promise.promise();
    final long since = System.nanoTime();

    Request(List<Q> items, long bytes) {
      this.items = items;
      this.bytes = bytes;
    }
  }

  private final Rules rules;
  private final Function<List<Q>, Future<List<A>>> store;
  private final Carrier carrier;
  private final OperationStatistics statistics;
  private final Deque<Request> pending = new ArrayDeque<>();
  private int running;
  private int heldItems;
  private long heldBytes;

  Lane(
      Rules rules,
      Function<List<Q>, Future<List<A>>> store,
      Carrier carrier,
      OperationStatistics statistics) {
    this.rules = rules;
    this.store = store;
    this.carrier = carrier;
    this.statistics = statistics;
  }

  Future<List<A>> add(List<Q> items, long bytes) {
    Request request = new Request(items, bytes);
    heldItems += items.size();
    heldBytes += bytes;
    pending.add(request);
    statistics.pending(pending.size());
    carrier.changed();
    return request.answer.future();
  }

  /** Items that are not answered yet, sent or not. */
  int heldItems() {
    return heldItems;
  }

  long heldBytes() {
    return heldBytes;
  }

  boolean idle() {
    return running == 0 && pending.isEmpty();
  }

  boolean sendable() {
    return !pending.isEmpty() && running < rules.maxConcurrent();
  }

  /** How long the oldest has waited. */
  long waitedNanos() {
    Request oldest = pending.peek();
    return oldest == null ? 0 : System.nanoTime() - oldest.since;
  }

  /** Whether one call would not hold more. */
  boolean full() {
    int items = 0;
    for (Request request : pending) {
      items += request.items.size();
      if (items >= rules.maxItems()) {
        return true;
      }
    }
    return false;
  }

  /** Sends one call. */
  void send() {
    List<Request> batch = new ArrayList<>();
    int items = 0;
    long bytes = 0;
    while (!pending.isEmpty()) {
      Request next = pending.peek();
      if (!batch.isEmpty()
          && (items + next.items.size() > rules.maxItems()
              || bytes + next.bytes > rules.maxBytes())) {
        break;
      }
      batch.add(pending.remove());
      items += next.items.size();
      bytes += next.bytes;
    }
    statistics.pending(pending.size());
    running++;
    attempt(batch, 1);
  }

  private void attempt(List<Request> batch, int attempt) {
    List<Q> items = batch.size() == 1 ? batch.get(0).items : joined(batch);
    statistics.called(batch.size());
    call(items)
        .onComplete(
            answers -> {
              if (answers.succeeded()) {
                split(batch, answers.result());
                finished();
              } else {
                failed(batch, attempt, answers.cause());
              }
            });
  }

  private Future<List<A>> call(List<Q> items) {
    try {
      return store.apply(items);
    } catch (RuntimeException defect) {
      return Future.failedFuture(defect);
    }
  }

  private List<Q> joined(List<Request> batch) {
    List<Q> items = new ArrayList<>();
    batch.forEach(request -> items.addAll(request.items));
    return items;
  }

  private void split(List<Request> batch, List<A> answers) {
    int from = 0;
    for (Request request : batch) {
      int to = from + request.items.size();
      List<A> own = batch.size() == 1 ? answers : answers.subList(from, to);
      from = to;
      leaves(request);
      statistics.answered(request.items.size(), System.nanoTime() - request.since);
      request.answer.complete(own);
    }
  }

  private void failed(List<Request> batch, int attempt, Throwable failure) {
    carrier.databaseError();
    boolean passing =
        failure instanceof StoreException store
            && (store.kind() == StoreException.Kind.CONFLICT
                || store.kind() == StoreException.Kind.UNAVAILABLE);
    if (passing && attempt < rules.attempts()) {
      carrier.later(Math.min(1000, 10L << attempt), () -> attempt(batch, attempt + 1));
    } else if (!passing && batch.size() > 1) {
      int half = batch.size() / 2;
      running++;
      attempt(List.copyOf(batch.subList(0, half)), 1);
      attempt(List.copyOf(batch.subList(half, batch.size())), 1);
    } else {
      BrokerException refusal = refusal(failure);
      for (Request request : batch) {
        leaves(request);
        statistics.failed(System.nanoTime() - request.since);
        request.answer.fail(refusal);
      }
      finished();
    }
  }

  private BrokerException refusal(Throwable failure) {
    if (failure instanceof BrokerException known) {
      return known;
    }
    if (failure instanceof StoreException store) {
      LOG.warn("{} failed: {}", rules.name(), store.getMessage(), store.getCause());
      return BrokerException.of(store);
    }
    LOG.error("{} failed", rules.name(), failure);
    return new BrokerException(BrokerException.Kind.INTERNAL, "Internal error");
  }

  private void leaves(Request request) {
    heldItems -= request.items.size();
    heldBytes -= request.bytes;
  }

  private void finished() {
    running--;
    carrier.changed();
  }
}
