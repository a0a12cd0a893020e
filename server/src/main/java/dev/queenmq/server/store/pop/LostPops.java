package dev.queenmq.server.store.pop;

import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.store.call.Failures;
import dev.queenmq.server.store.call.StoreClient;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pops with autoAck whose reply was lost. What they took counts as done, but was not delivered: it
 * is taken back ({@code undo_auto_pop_v1}), before this broker asks for messages of the same queue
 * for the same group again, and in any case as soon as PostgreSQL answers. Owned by the store's
 * event loop.
 *
 * <p>Only that group on that queue waits: its newer messages must not come before those that were
 * lost. A cursor that stays locked, or a slow PostgreSQL, would otherwise hold up every consumer of
 * the event loop for as long as PostgreSQL knows what the pops took. For the same reason one undo
 * that fails does not keep others from being tried, and pops that come meanwhile wait for the undo
 * under way instead of sending another.
 */
public final class LostPops {
  private static final Logger LOG = LoggerFactory.getLogger(LostPops.class);
  private static final String SQL = "select queen.undo_auto_pop_v1($1, $2)";
  private static final long AGAIN_MILLIS = 1_000;

  /** PostgreSQL knows no longer what a pop took. */
  private static final Duration KNOWN = Duration.ofMinutes(10);

  /** Beyond, the oldest are given up. */
  private static final int MOST = 10_000;

  /**
   * Whose messages were lost.
   *
   * @param queue empty if the pop named partitions alone: then it may be any
   */
  private record Place(Optional<String> queue, String group) {
    static Place of(PopRequest request) {
      return new Place(
          request.target() instanceof PopTarget.Named named
              ? Optional.of(named.queue())
              : ((PopTarget.Candidates) request.target()).queue(),
          request.group());
    }

    boolean touches(Place other) {
      return group.equals(other.group)
          && (queue.isEmpty() || other.queue.isEmpty() || queue.equals(other.queue));
    }
  }

  private record Lost(Place place, long sinceNanos) {}

  private final Context context;
  private final StoreClient client;
  private final short shard;
  private final LongSupplier nanoTime;
  // The oldest first.
  private final Map<UUID, Lost> lost = new LinkedHashMap<>();
  private final Map<Place, Future<Void>> underWay = new HashMap<>();
  private boolean waiting;

  public LostPops(Context context, StoreClient client, short shard, LongSupplier nanoTime) {
    this.context = context;
    this.client = client;
    this.shard = shard;
    this.nanoTime = nanoTime;
  }

  /** A pop got no reply. */
  void add(UUID popId, PopRequest request) {
    if (lost.size() >= MOST) {
      lost.remove(lost.keySet().iterator().next());
    }
    lost.put(popId, new Lost(Place.of(request), nanoTime.getAsLong()));
    later();
  }

  /** Takes back what lost pops took, as far as it concerns these requests. */
  Future<Void> recoverFor(List<PopRequest> requests) {
    Set<Place> asked = new LinkedHashSet<>();
    requests.forEach(request -> asked.add(Place.of(request)));
    return recover(asked);
  }

  /** Takes back what lost pops took, as far as it concerns a group on a queue. */
  public Future<Void> recoverFor(String queue, String group) {
    return recover(Set.of(new Place(Optional.of(queue), group)));
  }

  private Future<Void> recover(Set<Place> asked) {
    Future<Void> done = Future.succeededFuture();
    for (Place place : places()) {
      if (asked.stream().anyMatch(place::touches)) {
        done = done.compose(before -> recover(place));
      }
    }
    return done;
  }

  private Set<Place> places() {
    Set<Place> places = new LinkedHashSet<>();
    lost.values().forEach(each -> places.add(each.place));
    return places;
  }

  /** One after the other: what waits for a lock occupies one connection, and not all. */
  private Future<Void> recover(Place place) {
    Future<Void> running = underWay.get(place);
    if (running != null) {
      // Another may have been lost meanwhile.
      return running.compose(done -> recover(place));
    }
    Future<Void> done = Future.succeededFuture();
    for (Map.Entry<UUID, Lost> each : List.copyOf(lost.entrySet())) {
      if (each.getValue().place.equals(place)) {
        UUID popId = each.getKey();
        long since = each.getValue().sinceNanos;
        done = done.compose(before -> recover(popId, since));
      }
    }
    underWay.put(place, done);
    return done.onComplete(end -> underWay.remove(place));
  }

  private Future<Void> recover(UUID popId, long sinceNanos) {
    if (nanoTime.getAsLong() - sinceNanos > KNOWN.toNanos()) {
      lost.remove(popId);
      return Future.succeededFuture();
    }
    return client
        .call(SQL, Tuple.of(shard, popId))
        .recover(Failures::<RowSet<Row>>translate)
        .onSuccess(done -> lost.remove(popId))
        .mapEmpty();
  }

  /** Also without further polls at this broker: others may have consumers. */
  private void later() {
    if (!waiting) {
      waiting = true;
      context
          .owner()
          .setTimer(AGAIN_MILLIS, over -> context.runOnContext(go -> recoverInBackground()));
    }
  }

  private void recoverInBackground() {
    Future<Void> done = Future.succeededFuture();
    for (Place place : places()) {
      done =
          done.compose(
              before ->
                  recover(place)
                      .onFailure(why -> LOG.debug("a lost pop cannot be taken back yet", why))
                      .otherwiseEmpty());
    }
    done.onComplete(
        end -> {
          waiting = false;
          if (!lost.isEmpty()) {
            later();
          }
        });
  }

  public boolean isEmpty() {
    return lost.isEmpty();
  }
}
