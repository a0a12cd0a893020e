package dev.queenmq.server.sidecar.lane;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.sidecar.figures.OperationStatistics;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The requests of one kind (pushes, pops, acks ...) on one event loop, sent to the store in
 * batches.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>Every request is answered exactly once, with one answer for each of its items in their
 *       order, or with a {@link BrokerException}.
 *   <li>In an exclusive lane, as that of pushes, requests for the same place (the same partition)
 *       are never under way at the same time, and are sent in the order in which they came. Only a
 *       call that is cut in two gives up that order; a producer that needs it waits for an answer
 *       before its next push.
 *   <li>A request that PostgreSQL rejects does not fail the others of its call.
 *   <li>A request is not answered "nothing happened" if an attempt may have been carried out.
 *   <li>It can say in advance whether a request would have to wait for more than about a second, so
 *       that the caller can reject it at once.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p><b>Batching.</b> While a slot is free, a request is sent as soon as the event loop has read
 * what its sockets have. While all slots are busy, requests queue up in a {@link Backlog}, and the
 * next call carries as many as fit. So calls grow with the load, and there is no delay without
 * load. The answers are split by position.
 *
 * <p><b>Failures.</b> A transient failure (a conflict, a lost connection) is retried with a growing
 * pause. After a lost reply the items are marked as sent before, so that the store can find what
 * the first attempt did ({@link #marking}); for answers that stay ambiguous, see {@link
 * #ambiguousWhen}. A call that fails for good is cut in two, again and again, until the request
 * that causes it is alone. A call that waited too long for a lock is cut by place instead: each
 * attempt may take as long again, and this needs only one.
 *
 * <p><b>Slow calls.</b> A call that has not returned after {@value #LATE_MILLIS} ms, usually
 * because another transaction holds a lock, no longer counts against {@code maxConcurrent}: the
 * next call is sent without the requests for the same places, which would only wait as well. So one
 * locked partition does not stop the others.
 *
 * <p><b>Overload.</b> The limit is a time, not a number of messages: 100,000 messages are one
 * second of work on one machine and ten on another. The lane keeps a moving average of what a full
 * call takes and compares it with what is ahead of a request ({@link #servesSoon}).
 *
 * <h2>Alternatives</h2>
 *
 * <p>Two push calls at a time for the same partitions: the second would not know the transaction
 * ids that the first is about to append, so PostgreSQL would have to compare them, and the calls
 * would take turns at the partition's lock anyway. Two for different partitions, full or not: twice
 * as many calls, each half as large, and a sixth less of single pushes. So the second one goes only
 * if it is full, when waiting would not make it larger. A fixed delay to collect requests ({@code
 * MICRO_BATCH_WAIT_MS}) costs latency without load, so it is 0 by default. With strict order of
 * arrival, one client with large requests delays all others; hence the two lines of {@link
 * Backlog}.
 *
 * <p>Belongs to one event loop. Decision 012.
 *
 * @param <Q> an item of a request
 * @param <A> the answer to an item
 */
public final class Lane<Q, A> {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  /** A call that takes longer makes way. */
  private static final long LATE_MILLIS = 250;

  /** How long an accepted request may wait. */
  private static final double PATIENCE_NANOS = 1e9;

  /** This many calls may always wait: the duration of a few calls says little about the next. */
  private static final double ALWAYS_CALLS = 4;

  /** The weight of the last call in the expected duration of the next. */
  private static final double LAST_SHARE = 0.125;

  /** The same call may succeed in a moment. */
  private static final Set<StoreException.Kind> PASSING =
      Set.of(StoreException.Kind.CONFLICT, StoreException.Kind.UNAVAILABLE);

  /** What carries a call. */
  public interface Carrier {
    /** Lets time pass before another attempt. */
    void later(long millis, Runnable attempt);

    /** A request came. Others may come with it, and go in the same call. */
    void arrived();

    /** Something may be sent now. */
    void changed();

    /** What the clock shows, as {@link System#nanoTime}. */
    long nanos();

    /** PostgreSQL did not carry out a call. */
    void databaseError();
  }

  /**
   * How a lane treats its requests.
   *
   * @param exclusive whether requests that touch the same place are never under way at the same
   *     time: in the store one would wait for the lock of the other, and occupy a slot meanwhile.
   *     And a call goes beside another one only if it is full
   * @param once whether a call that may have happened is not retried
   */
  public record Rules(
      String name,
      int maxItems,
      long maxBytes,
      int maxConcurrent,
      int attempts,
      boolean exclusive,
      boolean once) {
    public Rules(String name, int maxItems, long maxBytes, int maxConcurrent, int attempts) {
      this(name, maxItems, maxBytes, maxConcurrent, attempts, false, false);
    }
  }

  /** A call under way. */
  private final class Call {
    final List<LaneRequest<Q, A>> requests;
    final long since = carrier.nanos();
    boolean late;

    /** Why an attempt got no answer, though it or a part of it may have happened. */
    @Nullable Throwable lostReply;

    Call(List<LaneRequest<Q, A>> requests, boolean late, @Nullable Throwable lostReply) {
      this.requests = requests;
      this.late = late;
      this.lostReply = lostReply;
    }
  }

  private final Rules rules;
  private final Function<Q, Object> place;
  private final Function<List<Q>, Future<List<A>>> store;
  private final Carrier carrier;
  private final OperationStatistics statistics;
  private Predicate<A> ambiguous = any -> false;
  private BiFunction<Q, Duration, Q> sentBefore = (item, ago) -> item;
  private final Backlog<Q, A> backlog;
  private final Set<Call> calls = new LinkedHashSet<>();
  private int late;
  private boolean watching;
  private int heldItems;
  private long heldBytes;
  private double fullCallNanos;

  /**
   * A lane.
   *
   * @param place what an item may have to wait for, together with others of the same
   */
  public Lane(
      Rules rules,
      Function<Q, Object> place,
      Function<List<Q>, Future<List<A>>> store,
      Carrier carrier,
      OperationStatistics statistics) {
    this.rules = rules;
    this.place = place;
    this.store = store;
    this.carrier = carrier;
    this.statistics = statistics;
    backlog = new Backlog<>(rules.maxItems(), rules.maxBytes(), place);
  }

  /**
   * Declares the answers that are ambiguous after a lost reply: a repeated attempt gets them also
   * if the attempt before was carried out. Such a request fails as unknown. Call it before the
   * first request.
   */
  public Lane<Q, A> ambiguousWhen(Predicate<A> answers) {
    ambiguous = answers;
    return this;
  }

  /** The same, with items that are marked, given their age, if an attempt may have happened. */
  public Lane<Q, A> marking(BiFunction<Q, Duration, Q> mark) {
    sentBefore = mark;
    return this;
  }

  public Future<List<A>> add(List<Q> items, long bytes) {
    LaneRequest<Q, A> request = new LaneRequest<>(items, bytes, carrier.nanos());
    heldItems += items.size();
    heldBytes += bytes;
    backlog.add(request);
    statistics.pending(backlog.size());
    carrier.arrived();
    watch();
    return request.answer.future();
  }

  /** Items that are not answered yet, sent or not. */
  public int heldItems() {
    return heldItems;
  }

  public long heldBytes() {
    return heldBytes;
  }

  /**
   * Whether a request that comes now would be served in good time, judged by the calls so far. A
   * limit in time and not in messages: how many a second can be served depends on the machine.
   */
  public boolean servesSoon(int items, long bytes) {
    // Small ones wait for each other only, and have half of every call.
    double ahead =
        backlog.isSmall(items, bytes)
            ? 2 * calls(backlog.smallItems(), backlog.smallBytes())
            : calls(heldItems, heldBytes);
    return ahead <= ALWAYS_CALLS || ahead * fullCallNanos / rules.maxConcurrent() <= PATIENCE_NANOS;
  }

  /** How many full calls that makes. */
  private double calls(int items, long bytes) {
    return Math.max((double) items / rules.maxItems(), (double) bytes / rules.maxBytes());
  }

  public boolean idle() {
    return calls.isEmpty() && backlog.isEmpty();
  }

  public boolean sendable() {
    int underWay = calls.size() - late;
    return underWay < rules.maxConcurrent()
        && backlog.sendable()
        && (underWay == 0 || !rules.exclusive() || backlog.full());
  }

  /** How long the oldest has waited. */
  public long waitedNanos() {
    return backlog.waitedNanos(carrier.nanos());
  }

  /** Whether one call would not hold more. */
  public boolean full() {
    return backlog.full();
  }

  /** Sends one call. */
  public void send() {
    List<LaneRequest<Q, A>> batch = backlog.take();
    statistics.pending(backlog.size());
    start(batch, false, null);
  }

  private void start(List<LaneRequest<Q, A>> batch, boolean isLate, @Nullable Throwable lostReply) {
    Call call = new Call(batch, isLate, lostReply);
    calls.add(call);
    if (isLate) {
      late++;
    }
    if (occupies(call)) {
      batch.forEach(backlog::occupy);
    }
    attempt(call, 1);
  }

  /** While requests wait: looks for calls that are late. */
  private void watch() {
    if (!watching && !backlog.isEmpty() && calls.size() > late) {
      watching = true;
      carrier.later(
          LATE_MILLIS,
          () -> {
            watching = false;
            long now = carrier.nanos();
            for (Call call : calls) {
              if (!call.late && now - call.since >= LATE_MILLIS * 1_000_000) {
                call.late = true;
                late++;
                call.requests.forEach(backlog::occupy);
              }
            }
            carrier.changed();
            watch();
          });
    }
  }

  private void attempt(Call call, int attempt) {
    List<LaneRequest<Q, A>> batch = call.requests;
    List<Q> items = batch.size() == 1 ? batch.get(0).items : joined(batch);
    statistics.called(batch.size(), items.size());
    long sent = carrier.nanos();
    call(items)
        .onComplete(
            answers -> {
              if (answers.succeeded()) {
                learn(batch, carrier.nanos() - sent);
                ended(call);
                // First the next call, so that PostgreSQL works while the answers are written.
                carrier.changed();
                split(call, answers.result());
              } else {
                failed(call, attempt, answers.cause());
              }
            });
  }

  /** Small calls are left out: most of their time is a fixed cost. */
  private void learn(List<LaneRequest<Q, A>> batch, long nanos) {
    int items = 0;
    long bytes = 0;
    for (LaneRequest<Q, A> request : batch) {
      items += request.items.size();
      bytes += request.bytes;
    }
    double size = calls(items, bytes);
    if (size >= 0.5) {
      double full = nanos / size;
      fullCallNanos += fullCallNanos == 0 ? full : (full - fullCallNanos) * LAST_SHARE;
    }
  }

  private Future<List<A>> call(List<Q> items) {
    try {
      return store.apply(items);
    } catch (RuntimeException defect) {
      return Future.failedFuture(defect);
    }
  }

  private List<Q> joined(List<LaneRequest<Q, A>> batch) {
    int count = 0;
    for (LaneRequest<Q, A> request : batch) {
      count += request.items.size();
    }
    List<Q> items = new ArrayList<>(count);
    batch.forEach(request -> items.addAll(request.items));
    return items;
  }

  private void split(Call call, List<A> answers) {
    List<LaneRequest<Q, A>> batch = call.requests;
    int from = 0;
    for (LaneRequest<Q, A> request : batch) {
      int to = from + request.items.size();
      List<A> own = batch.size() == 1 ? answers : answers.subList(from, to);
      from = to;
      leaves(request);
      if (call.lostReply != null && own.stream().anyMatch(ambiguous)) {
        statistics.failed(carrier.nanos() - request.since);
        request.answer.fail(refusal(call.lostReply));
      } else {
        statistics.answered(own, carrier.nanos() - request.since);
        request.answer.complete(own);
      }
    }
  }

  private void failed(Call call, int attempt, Throwable failure) {
    carrier.databaseError();
    List<LaneRequest<Q, A>> batch = call.requests;
    Optional<StoreException.Kind> kind =
        failure instanceof StoreException store ? Optional.of(store.kind()) : Optional.empty();
    boolean passing = kind.filter(PASSING::contains).isPresent();
    if (failure instanceof StoreException store && store.mayHaveHappened()) {
      long now = carrier.nanos();
      batch.forEach(request -> request.mark(sentBefore, now));
      call.lostReply = failure;
    }
    boolean mayHaveHappened = kind.equals(Optional.of(StoreException.Kind.UNAVAILABLE));
    if (passing && attempt < rules.attempts() && !(rules.once() && mayHaveHappened)) {
      carrier.later(Math.min(1000, 10L << attempt), () -> attempt(call, attempt + 1));
      return;
    }
    ended(call);
    List<List<LaneRequest<Q, A>>> parts = passing ? List.of(batch) : parts(batch, kind);
    if (parts.size() > 1) {
      boolean makesWay = call.late || kind.equals(Optional.of(StoreException.Kind.LOCKED));
      parts.forEach(part -> start(part, makesWay, call.lostReply));
    } else {
      BrokerException refusal = refusal(failure);
      for (LaneRequest<Q, A> request : batch) {
        leaves(request);
        statistics.failed(carrier.nanos() - request.since);
        request.answer.fail(refusal);
      }
    }
    carrier.changed();
  }

  /** The part to retry by itself, to find the request that makes the call fail. */
  private List<List<LaneRequest<Q, A>>> parts(
      List<LaneRequest<Q, A>> batch, Optional<StoreException.Kind> kind) {
    if (batch.size() == 1) {
      return List.of(batch);
    }
    if (kind.equals(Optional.of(StoreException.Kind.LOCKED))) {
      // Each try may take as long as this one did: by place, so that there is only one more.
      Map<Object, List<LaneRequest<Q, A>>> places = new LinkedHashMap<>();
      for (LaneRequest<Q, A> request : batch) {
        places
            .computeIfAbsent(place.apply(request.items.get(0)), key -> new ArrayList<>())
            .add(request);
      }
      return List.copyOf(places.values());
    }
    int half = batch.size() / 2;
    return List.of(
        List.copyOf(batch.subList(0, half)), List.copyOf(batch.subList(half, batch.size())));
  }

  /** Its places are free again for requests that waited for it. */
  private void ended(Call call) {
    calls.remove(call);
    if (call.late) {
      late--;
    }
    if (occupies(call)) {
      backlog.freeAllBut(
          calls.stream().filter(this::occupies).flatMap(each -> each.requests.stream()).toList());
    }
  }

  /** Whether requests for its places wait until it is over. */
  private boolean occupies(Call call) {
    return call.late || rules.exclusive();
  }

  private BrokerException refusal(Throwable failure) {
    if (failure instanceof BrokerException known) {
      return known;
    }
    if (failure instanceof StoreException store) {
      LOG.warn(
          "{} failed: {} ({})", rules.name(), store.getMessage(), String.valueOf(store.getCause()));
      return BrokerException.of(store);
    }
    LOG.error("{} failed", rules.name(), failure);
    return new BrokerException(BrokerException.Kind.INTERNAL, "Internal error");
  }

  private void leaves(LaneRequest<Q, A> request) {
    heldItems -= request.items.size();
    heldBytes -= request.bytes;
  }
}
