package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Directory.NamedPartition;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.TailLook;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker's one look at what was appended, by whomever: for all queues and groups at once, as
 * often as those who wait want it. Belongs to one event loop.
 */
final class TailFeed {
  private static final long TICK_MILLIS = 50;
  private static final long UNWATCHED_MILLIS = 1000;

  /** Also without a reason: what the tail has told until then may go. */
  private static final long LONGEST_PAUSE_MILLIS = 20_000;

  private static final long TRIM_MILLIS = 5_000;
  private static final int TRIMS_TO_ANSWERS = 12;
  private static final Duration KEEP = Duration.ofMinutes(2);

  /** After a longer pause between two looks, part of the tail may be gone that was never read. */
  private static final long LONGEST_ABSENCE_MILLIS = KEEP.toMillis() / 2;

  private static final int REMEMBERED_NAMES = 100_000;

  private final Vertx vertx;
  private final Context context;
  private final MessageStore store;
  private final Directory directory;
  private final DatabaseClock clock;
  private final List<Sidecar> sidecars;
  private final Queue<Long> ownAppends;
  private final IntSupplier leastInterval;
  private final Map<UUID, NamedPartition> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, NamedPartition> eldest) {
          return size() > REMEMBERED_NAMES;
        }
      };
  private Optional<String> bookmark = Optional.empty();
  private @Nullable Future<Void> current;
  private @Nullable Promise<Void> following;
  private boolean away;
  private long lastLook;
  private long lastSuccess;
  private long lastTrim;
  private int trims;
  private boolean trimming;
  private long timer = -1;

  /**
   * A feed.
   *
   * @param leastInterval the shortest time between two looks, while others tell what they append
   */
  TailFeed(
      Vertx vertx,
      Context context,
      MessageStore store,
      Directory directory,
      DatabaseClock clock,
      List<Sidecar> sidecars,
      Queue<Long> ownAppends,
      IntSupplier leastInterval) {
    this.vertx = vertx;
    this.context = context;
    this.store = store;
    this.directory = directory;
    this.clock = clock;
    this.sidecars = sidecars;
    this.ownAppends = ownAppends;
    this.leastInterval = leastInterval;
    this.lastTrim = clock.now();
  }

  /** Starts to look now and then; done when it knows where to start from. */
  Future<Void> start() {
    Promise<Void> started = Promise.promise();
    context.runOnContext(
        go -> {
          timer = vertx.setPeriodic(TICK_MILLIS, tick -> tick());
          look().onComplete(started);
        });
    return started.future();
  }

  void stop() {
    context.runOnContext(go -> vertx.cancelTimer(timer));
  }

  /** A look that starts from now on; those who come while one is under way share the next. */
  Future<Void> look() {
    if (current == null) {
      Future<Void> look = once();
      if (!look.isComplete()) {
        current = look;
        look.onComplete(
            done -> {
              current = null;
              if (following != null) {
                Promise<Void> next = following;
                following = null;
                look().onComplete(next);
              }
            });
      }
      return look;
    }
    if (following == null) {
      following = Promise.promise();
    }
    return following.future();
  }

  private void tick() {
    long now = clock.now();
    int interval =
        sidecars.stream().mapToInt(sidecar -> sidecar.room().shortestInterval()).min().orElse(0);
    // While nobody waits, only to keep short what the next look has to tell.
    boolean due =
        interval == Integer.MAX_VALUE
            ? now - lastLook >= (ownAppends.isEmpty() ? LONGEST_PAUSE_MILLIS : UNWATCHED_MILLIS)
            : now - lastLook >= Math.max(interval, leastInterval.getAsInt());
    if (current == null && due) {
      look();
    }
    if (now - lastTrim > TRIM_MILLIS && !trimming) {
      trim(now);
    }
  }

  private void trim(long now) {
    lastTrim = now;
    trims++;
    trimming = true;
    Future<Long> trimmed = store.trim(KEEP);
    (trims % TRIMS_TO_ANSWERS == 0
            ? trimmed.compose(rows -> store.trimAnswers()).mapEmpty()
            : trimmed.mapEmpty())
        // The next one removes what this one could not.
        .onComplete(done -> trimming = false);
  }

  private Future<Void> once() {
    long asked = clock.now();
    if (bookmark.isPresent() && asked - lastSuccess > LONGEST_ABSENCE_MILLIS) {
      away = true;
    }
    lastLook = asked;
    List<Long> known = new ArrayList<>();
    for (Long own = ownAppends.poll(); own != null; own = ownAppends.poll()) {
      known.add(own);
    }
    return store
        .tail(bookmark, known)
        .compose(
            look -> {
              clock.observed(look.now(), asked, clock.now());
              if (away) {
                // The tail does not survive a crash of the database, and its old part is removed.
                away = false;
                sidecars.forEach(
                    sidecar -> sidecar.context().runOnContext(go -> sidecar.room().allChanged()));
              }
              moved(look);
              return named(look);
            })
        .map(
            appended -> {
              tell(appended);
              return (Void) null;
            })
        .onFailure(failure -> away = true)
        // Also after a look in vain: those who wait have been looked after.
        .eventually(
            () -> {
              sidecars.forEach(
                  sidecar -> sidecar.context().runOnContext(go -> sidecar.room().looked()));
              return Future.succeededFuture();
            });
  }

  private void moved(TailLook look) {
    for (TailLook.MovedGroup each : look.moved()) {
      Sidecar owner = sidecars.get(Ownership.of(each.queue(), sidecars.size()));
      owner.context().runOnContext(go -> owner.room().moved(each.queue(), each.group()));
    }
  }

  private Future<List<NamedPartition>> named(TailLook look) {
    List<UUID> unknown = new ArrayList<>();
    for (UUID id : look.partitionIds()) {
      if (!names.containsKey(id)) {
        unknown.add(id);
      }
    }
    Future<List<NamedPartition>> found =
        unknown.isEmpty() ? Future.succeededFuture(List.of()) : directory.names(unknown);
    return found.map(
        fresh -> {
          fresh.forEach(name -> names.put(name.partitionId(), name));
          List<NamedPartition> all = new ArrayList<>(look.partitionIds().size());
          for (UUID id : look.partitionIds()) {
            NamedPartition name = names.get(id);
            if (name != null) {
              all.add(name);
            }
          }
          // Only now: a look whose names could not be had is repeated.
          bookmark = Optional.of(look.bookmark());
          lastSuccess = lastLook;
          return all;
        });
  }

  private void tell(List<NamedPartition> appended) {
    if (appended.isEmpty()) {
      return;
    }
    for (Sidecar sidecar : sidecars) {
      List<NamedPartition> own =
          appended.stream()
              .filter(name -> Ownership.of(name.queue(), sidecars.size()) == sidecar.number())
              .toList();
      if (!own.isEmpty()) {
        sidecar
            .context()
            .runOnContext(
                go ->
                    own.forEach(
                        name ->
                            sidecar
                                .room()
                                .appended(name.queue(), name.partition(), name.partitionId())));
      }
    }
  }
}
