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
 * The requests of one kind. What waits when a slot becomes free goes in one call of the store, up
 * to a limit, and the answers are split back by position. A call that fails for a passing reason is
 * made again; one that fails for good is cut in two until the request that is to blame stands
 * alone. What an attempt without an answer may have done already is not told as if nothing had
 * happened: see {@link #ambiguousWhen}.
 *
 * <p>A call that takes long, because somebody holds a lock, does not stop the lane: the next one
 * goes meanwhile, without the requests that touch the same places, which would wait as well.
 *
 * @param <Q> an item of a request
 * @param <A> the answer to an item
 */
public final class Lane<Q, A> {
  private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

  /** A call that takes longer makes way. */
  private static final long LATE_MILLIS = 250;

  /** So long may those who are taken on wait. */
  private static final double PATIENCE_NANOS = 1e9;

  /** So many calls may always wait: how long they take says little about the next. */
  private static final double ALWAYS_CALLS = 4;

  /** The share of the last call in what we expect of the next. */
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
   * @param exclusive whether requests that touch the same place never go at the same time: the
   *     store would let one wait for the other, and each would take a slot for that
   * @param once whether a call that may have happened is not made again
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
    final long since = System.nanoTime();
    boolean late;

    /** Why an attempt got no answer, though it may have happened. */
    @Nullable Throwable lostReply;

    Call(List<LaneRequest<Q, A>> requests, boolean late) {
      this.requests = requests;
      this.late = late;
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
   * The same, with answers that an attempt also gets if the one before it has happened without an
   * answer: nobody knows then what became of the request. To be said before the first request.
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
    LaneRequest<Q, A> request = new LaneRequest<>(items, bytes);
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
   * Whether a request that comes now would be served in good time, as far as the calls so far tell.
   * A limit in time and not in messages: how many a second can be served depends on the machine.
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
    return calls.size() - late < rules.maxConcurrent() && backlog.sendable();
  }

  /** How long the oldest has waited. */
  public long waitedNanos() {
    return backlog.waitedNanos();
  }

  /** Whether one call would not hold more. */
  public boolean full() {
    return backlog.full();
  }

  /** Sends one call. */
  public void send() {
    List<LaneRequest<Q, A>> batch = backlog.take();
    statistics.pending(backlog.size());
    start(batch, rules.exclusive());
  }

  private void start(List<LaneRequest<Q, A>> batch, boolean isLate) {
    Call call = new Call(batch, isLate);
    calls.add(call);
    if (isLate) {
      late++;
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
            long now = System.nanoTime();
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
                // First the next call, so that PostgreSQL has work while we write answers.
                carrier.changed();
                split(call, answers.result());
              } else {
                failed(call, attempt, answers.cause());
              }
            });
  }

  /** Small calls tell nothing: most of their time is the same for larger ones. */
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
        statistics.failed(System.nanoTime() - request.since);
        request.answer.fail(refusal(call.lostReply));
      } else {
        statistics.answered(own, System.nanoTime() - request.since);
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
      batch.forEach(request -> request.mark(sentBefore));
    }
    boolean mayHaveHappened = kind.equals(Optional.of(StoreException.Kind.UNAVAILABLE));
    if (passing && attempt < rules.attempts() && !(rules.once() && mayHaveHappened)) {
      if (mayHaveHappened) {
        call.lostReply = failure;
      }
      carrier.later(Math.min(1000, 10L << attempt), () -> attempt(call, attempt + 1));
      return;
    }
    ended(call);
    List<List<LaneRequest<Q, A>>> parts = passing ? List.of(batch) : parts(batch, kind);
    if (parts.size() > 1) {
      boolean makesWay = call.late || kind.equals(Optional.of(StoreException.Kind.LOCKED));
      parts.forEach(part -> start(part, makesWay));
    } else {
      BrokerException refusal = refusal(failure);
      for (LaneRequest<Q, A> request : batch) {
        leaves(request);
        statistics.failed(System.nanoTime() - request.since);
        request.answer.fail(refusal);
      }
    }
    carrier.changed();
  }

  /** What to try by itself to find out who is to blame. */
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

  /** Its places are free again for those who waited for it. */
  private void ended(Call call) {
    calls.remove(call);
    if (call.late) {
      late--;
      backlog.freeAllBut(
          calls.stream()
              .filter(each -> each.late)
              .flatMap(each -> each.requests.stream())
              .toList());
    }
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
