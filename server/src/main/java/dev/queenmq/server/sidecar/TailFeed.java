package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Directory.NamedPartition;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.TailLook;
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
  private static final int SUSPICIOUS_MILLIS = 150;

  /** Also without a reason: what the tail has told until then may go. */
  private static final long LONGEST_PAUSE_MILLIS = 20_000;

  private static final long TRIM_MILLIS = 5_000;
  private static final int TRIMS_TO_ANSWERS = 12;
  private static final Duration KEEP = Duration.ofMinutes(2);

  /** After a longer pause between two looks, part of the tail may be gone that was never read. */
  private static final long LONGEST_ABSENCE_MILLIS = KEEP.toMillis() / 2;

  private static final int REMEMBERED_NAMES = 100_000;

  private final Vertx vertx;
  private final EventLoop loop;
  private final MessageStore store;
  private final Directory directory;
  private final DatabaseClock clock;
  private final Rooms rooms;
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

  /** How many looks have begun; read by any thread. */
  private volatile long begun;

  /**
   * A feed.
   *
   * @param leastInterval the shortest time between two looks, while others tell what they append
   */
  TailFeed(
      Vertx vertx,
      EventLoop loop,
      MessageStore store,
      Directory directory,
      DatabaseClock clock,
      Rooms rooms,
      Queue<Long> ownAppends,
      IntSupplier leastInterval) {
    this.vertx = vertx;
    this.loop = loop;
    this.store = store;
    this.directory = directory;
    this.clock = clock;
    this.rooms = rooms;
    this.ownAppends = ownAppends;
    this.leastInterval = leastInterval;
    this.lastTrim = clock.now();
  }

  /** Starts to look now and then; done when it knows where to start from. */
  Future<Void> start() {
    Promise<Void> started = Promise.promise();
    loop.run(
        () -> {
          timer = vertx.setPeriodic(TICK_MILLIS, tick -> tick());
          look().onComplete(started);
        });
    return started.future();
  }

  void stop() {
    loop.run(() -> vertx.cancelTimer(timer));
  }

  /** How many looks have begun. For any thread. */
  long begun() {
    return begun;
  }

  /** Wants a look that begins from now on. For any thread. */
  void want() {
    loop.run(this::look);
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

  /** While others append and do not say so, looks are at most so far apart. */
  private int mostInterval() {
    return rooms.suspicious() ? SUSPICIOUS_MILLIS : Integer.MAX_VALUE;
  }

  private void tick() {
    long now = clock.now();
    int interval = rooms.shortestInterval();
    // While nobody waits, only to keep short what the next look has to tell.
    boolean due =
        interval == Integer.MAX_VALUE
            ? now - lastLook >= (ownAppends.isEmpty() ? LONGEST_PAUSE_MILLIS : UNWATCHED_MILLIS)
            : now - lastLook
                >= Math.max(Math.min(interval, mostInterval()), leastInterval.getAsInt());
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
    long number = begun + 1;
    begun = number;
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
                rooms.inAll(RoomShell::allChanged);
              }
              moved(look);
              return named(look);
            })
        .map(
            appended -> {
              tell(appended);
              return (Void) null;
            })
        // On each event loop after the news: who relies on the look has heard them.
        .onSuccess(done -> rooms.inAll(room -> room.looked(number)))
        .onFailure(
            failure -> {
              away = true;
              rooms.inAll(RoomShell::lookFailed);
            });
  }

  private void moved(TailLook look) {
    for (TailLook.MovedGroup each : look.moved()) {
      rooms.in(each.queue(), room -> room.moved(each.queue(), each.group()));
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
    Map<String, List<NamedPartition>> byQueue = new LinkedHashMap<>();
    for (NamedPartition each : appended) {
      byQueue.computeIfAbsent(each.queue(), queue -> new ArrayList<>()).add(each);
    }
    byQueue.forEach(
        (queue, partitions) -> rooms.in(queue, room -> room.appendedElsewhere(queue, partitions)));
  }
}
