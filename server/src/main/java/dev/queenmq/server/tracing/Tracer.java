package dev.queenmq.server.tracing;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.queenmq.server.broker.CallTracing;
import dev.queenmq.server.broker.RequestTrace;
import dev.queenmq.server.broker.RequestTracing;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.transactions.Transaction;
import io.vertx.core.Future;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes the spans of a broker.
 *
 * <p>A request gets a span. PostgreSQL gets its items together with those of other requests, in
 * calls that no request owns. The span of a call is a child of the first request that it carries
 * and has links to the others. Which requests those are is found by the items: a request that is
 * under way is remembered by each of its items, and by nothing that the untraced path would have to
 * carry.
 */
public final class Tracer implements RequestTracing, CallTracing {

  /** Leases whose pop is remembered, for the link from the ack. */
  private static final long MOST_LEASES = 10_000;

  private final Sampler sampler;
  private final InstantSource clock;
  private final LongSupplier nanos;
  private final Consumer<Span> ended;
  private final Map<Object, SpanContext> underWay = new ConcurrentHashMap<>();
  private final Cache<UUID, SpanContext> pops =
      Caffeine.newBuilder().maximumSize(MOST_LEASES).build();

  /**
   * A tracer.
   *
   * @param ended gets each span that is over; from any thread
   */
  Tracer(Sampler sampler, InstantSource clock, LongSupplier nanos, Consumer<Span> ended) {
    this.sampler = sampler;
    this.clock = clock;
    this.nanos = nanos;
    this.ended = ended;
  }

  @Override
  public RequestTrace begin(String operation, @Nullable String traceparent) {
    return new RequestSpan(this, operation, SpanContext.parse(traceparent), now());
  }

  @Override
  public <Q, A> Function<List<Q>, Future<List<A>>> around(
      String operation, Function<List<Q>, Future<List<A>>> call) {
    return items -> {
      Set<SpanContext> requests = requests(items);
      if (requests.isEmpty()) {
        return call.apply(items);
      }
      SpanContext first = requests.iterator().next();
      Span span =
          new Span(
              first.child(),
              Optional.of(first),
              Span.Kind.CLIENT,
              "postgresql " + operation,
              now());
      span.put("db.system.name", "postgresql");
      span.put("db.operation.name", operation);
      span.put("db.operation.batch.size", items.size());
      requests.forEach(span::link);
      return call.apply(items).onComplete(done -> end(span, done.cause()));
    };
  }

  /** A span of a request, if its trace is kept. */
  Optional<Span> start(String operation, Optional<SpanContext> parent, Moment start) {
    SpanContext fresh = parent.map(SpanContext::child).orElseGet(() -> SpanContext.root(true));
    return sampler.keeps(parent, fresh.traceLow())
        ? Optional.of(new Span(fresh.sampled(true), parent, Span.Kind.SERVER, operation, start))
        : Optional.empty();
  }

  void end(Span span) {
    span.endAt(span.start().after(nanos.getAsLong()));
    ended.accept(span);
  }

  private void end(Span span, @Nullable Throwable failure) {
    if (failure instanceof StoreException store) {
      span.failed(store.kind().name());
    } else if (failure != null) {
      span.failed(failure.getClass().getSimpleName());
    }
    end(span);
  }

  /** A request with this item is under way. */
  void enters(Object item, SpanContext request) {
    underWay.put(key(item), request);
  }

  void leaves(Object item, SpanContext request) {
    underWay.remove(key(item), request);
  }

  /** A pop got this lease. */
  void leased(UUID leaseId, SpanContext pop) {
    pops.put(leaseId, pop);
  }

  /** The pop that got a lease, if it was one of ours and not long ago. */
  Optional<SpanContext> popOf(UUID leaseId) {
    return Optional.ofNullable(pops.getIfPresent(leaseId));
  }

  private Set<SpanContext> requests(List<?> items) {
    if (underWay.isEmpty()) {
      return Set.of();
    }
    Set<SpanContext> found = new LinkedHashSet<>();
    for (Object item : items) {
      @Nullable SpanContext request = underWay.get(key(item));
      if (request != null) {
        found.add(request);
      }
    }
    return found;
  }

  /** What of an item stays the same on its way to the store. */
  private static Object key(Object item) {
    if (item instanceof Message message) {
      return message.id();
    } else if (item instanceof PopRequest pop) {
      return new SameObject(pop.holder());
    } else if (item instanceof Transaction transaction && transaction.id().isPresent()) {
      return transaction.id().get();
    } else if (item instanceof Ack || item instanceof Renewal) {
      return item;
    }
    return new SameObject(item);
  }

  private Moment now() {
    Instant now = clock.instant();
    return new Moment(now.getEpochSecond() * 1_000_000_000 + now.getNano(), nanos.getAsLong());
  }

  /** Equal to the same object alone. */
  private record SameObject(Object object) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof SameObject same && same.object == object;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(object);
    }
  }
}
