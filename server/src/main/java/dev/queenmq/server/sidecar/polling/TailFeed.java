package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.broker.Directory;
import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.model.polling.TailLook;
import dev.queenmq.server.sidecar.figures.DatabaseClock;
import dev.queenmq.server.sidecar.lane.EventLoop;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.store.MessageStore;
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
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The broker's one periodic query for what was appended by any broker: for all queues and groups at
 * once, as often as waiting polls need it. Belongs to one event loop.
 */
public final class TailFeed {
  private static final long TICK_MILLIS = 50;
  private static final long NOT_WANTED = Long.MAX_VALUE;
  private static final long UNWATCHED_MILLIS = 1000;

  /** Packets to other brokers have arrived by then. */
  private static final long ANNOUNCED_MILLIS = 10;

  private static final Duration LAST_WORD = Duration.ofSeconds(1);

  /** The longest interval, because rows of the tail that were read can then be removed. */
  private static final long LONGEST_PAUSE_MILLIS = 20_000;

  private static final long TRIM_MILLIS = 5_000;
  private static final int TRIMS_TO_ANSWERS = 12;
  private static final int TRIMS_TO_REGISTER = 3;

  /** By then every broker that is up has registered again. */
  private static final long REGISTERED_MILLIS = 2 * TRIMS_TO_REGISTER * TRIM_MILLIS;

  private static final Duration KEEP = Duration.ofMinutes(2);

  /** After a longer pause between two looks, part of the tail may be gone that was never read. */
  private static final long LONGEST_ABSENCE_MILLIS = KEEP.toMillis() / 2;

  private static final int REMEMBERED_NAMES = 100_000;

  private final Vertx vertx;
  private final EventLoop loop;
  private final MessageStore store;
  private final Directory directory;
  private final DatabaseClock clock;
  private final WaitingRooms rooms;
  private final Queue<Long> ownAppends;
  private final BackoffRules rules;
  private final IntPredicate inTouch;

  /** Identifies this start of the broker. */
  private final UUID broker = UUID.randomUUID();

  private final Map<UUID, NamedPartition> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<UUID, NamedPartition> eldest) {
          return size() > REMEMBERED_NAMES;
        }
      };
  private Optional<String> bookmark = Optional.empty();

  /** Counts the servers: what was read of one says nothing about the next. */
  private int servers;

  private @Nullable Future<Void> current;
  private @Nullable Promise<Void> following;
  private boolean away;
  private long lastLook;
  private long lastSuccess;
  private long lastTrim;
  private int trims;
  private boolean trimming;
  private long timer = -1;
  private int others;

  /** Until then others may be up that have not registered again. */
  private long othersUnknownUntil = Long.MIN_VALUE;

  /** After a crash: until the call is answered, other looks may find the same. */
  private boolean registering;

  private boolean stopped;

  /** When the next look is wanted, even while other brokers announce what they append. */
  private volatile long wantedAt = NOT_WANTED;

  /** How many looks have begun; read by any thread. */
  private volatile long begun;

  /**
   * A feed.
   *
   * @param inTouch whether this number of other brokers all announce what they append, so that
   *     looks may be rare
   */
  public TailFeed(
      Vertx vertx,
      EventLoop loop,
      MessageStore store,
      Directory directory,
      DatabaseClock clock,
      WaitingRooms rooms,
      Queue<Long> ownAppends,
      BackoffRules rules,
      IntPredicate inTouch) {
    this.vertx = vertx;
    this.loop = loop;
    this.store = store;
    this.directory = directory;
    this.clock = clock;
    this.rooms = rooms;
    this.ownAppends = ownAppends;
    this.rules = rules;
    this.inTouch = inTouch;
    this.lastTrim = clock.now();
  }

  /** Starts to look now and then; done when it knows where to start from. */
  public Future<Void> start() {
    Promise<Void> started = Promise.promise();
    loop.run(
        () -> {
          timer = vertx.setPeriodic(TICK_MILLIS, tick -> tick());
          // First: others must know of this broker before it appends anything.
          store.register(broker).compose(registered -> look()).onComplete(started);
        });
    return started.future();
  }

  /** Stops looking, and deregisters the broker if PostgreSQL answers. */
  public Future<Void> stop() {
    return loop.call(
        () -> {
          vertx.cancelTimer(timer);
          stopped = true;
          return store
              .deregister(broker)
              .timeout(LAST_WORD.toMillis(), TimeUnit.MILLISECONDS)
              // Else its row expires.
              .otherwiseEmpty();
        });
  }

  /**
   * Another server takes the writes: its tail has transactions with the same numbers, so nothing
   * that was read before counts. The next look begins again, and all lists are read again. For any
   * thread.
   */
  public void startOver() {
    loop.run(
        () -> {
          servers++;
          bookmark = Optional.empty();
          ownAppends.clear();
          names.clear();
          away = true;
          othersUnknownUntil = clock.now() + REGISTERED_MILLIS;
          if (!stopped) {
            // First: the new server may not know of this broker.
            store.register(broker).onComplete(registered -> look());
          }
        });
  }

  /** How many looks have begun. For any thread. */
  public long begun() {
    return begun;
  }

  /** Wants a look that begins from now on. For any thread. */
  public void want() {
    loop.run(this::look);
  }

  /**
   * Wants a look in a moment: other brokers were just asked to announce what they append, and what
   * they appended before is in the tail. Callers share one look. For any thread.
   */
  public void wantSoon() {
    wantedAt = clock.now() + ANNOUNCED_MILLIS;
  }

  /** A look that starts from now on; callers that come while one is in progress share the next. */
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

  /** The interval between looks for a poll that wants one this often. */
  private int interval(int wanted) {
    if (inTouch.test(others)) {
      return Math.max(wanted, rules.maxMillis());
    }
    return others > 0 || rooms.suspicious() ? Math.min(wanted, rules.closeMillis()) : wanted;
  }

  private void tick() {
    long now = clock.now();
    int interval = rooms.shortestInterval();
    // While no poll waits, only to keep the result of the next look small.
    boolean due =
        interval == Integer.MAX_VALUE
            ? now - lastLook >= (ownAppends.isEmpty() ? LONGEST_PAUSE_MILLIS : UNWATCHED_MILLIS)
            : now >= wantedAt || now - lastLook >= interval(interval);
    if (current == null && due) {
      look();
    }
    if (now - lastTrim > TRIM_MILLIS && !trimming && !stopped) {
      trim(now);
    }
  }

  private void trim(long now) {
    lastTrim = now;
    trims++;
    trimming = true;
    Future<Long> trimmed =
        trims % TRIMS_TO_REGISTER == 0
            // First a look: it shows whether PostgreSQL has forgotten this broker.
            ? look().transform(looked -> register()).transform(done -> store.trim(KEEP))
            : store.trim(KEEP);
    (trims % TRIMS_TO_ANSWERS == 0
            ? trimmed.compose(rows -> store.trimAnswers()).mapEmpty()
            : trimmed.mapEmpty())
        // The next one removes what this one could not.
        .onComplete(done -> trimming = false);
  }

  private Future<Void> register() {
    return stopped ? Future.succeededFuture() : store.register(broker);
  }

  /** PostgreSQL has crashed, which empties the tail and the list of brokers. */
  private void crashed() {
    othersUnknownUntil = clock.now() + REGISTERED_MILLIS;
    if (!registering) {
      registering = true;
      away = true;
      register().onComplete(done -> registering = false);
    }
  }

  private Future<Void> once() {
    long asked = clock.now();
    if (bookmark.isPresent() && asked - lastSuccess > LONGEST_ABSENCE_MILLIS) {
      away = true;
    }
    lastLook = asked;
    wantedAt = NOT_WANTED;
    long number = begun + 1;
    begun = number;
    int server = servers;
    List<Long> known = new ArrayList<>();
    for (Long own = ownAppends.poll(); own != null; own = ownAppends.poll()) {
      known.add(own);
    }
    return store
        .tail(bookmark, known, broker)
        .compose(
            look -> {
              if (server != servers) {
                return Future.failedFuture(new IllegalStateException("of a server before"));
              }
              clock.observed(look.now(), asked, clock.now());
              if (look.others().isEmpty()) {
                crashed();
              }
              others = Math.max(look.others().orElse(0), clock.now() < othersUnknownUntil ? 1 : 0);
              if (away) {
                // The tail does not survive a crash of the database, and its old part is removed.
                away = false;
                rooms.inAll(WaitingRoomShell::allChanged);
              }
              moved(look);
              return named(look, server);
            })
        .map(
            appended -> {
              publish(appended);
              return (Void) null;
            })
        // On each event loop after its events, so that they are applied before the look counts as
        // done.
        .onSuccess(done -> rooms.inAll(room -> room.looked(number, others > 0)))
        .onFailure(
            failure -> {
              away = true;
              rooms.inAll(WaitingRoomShell::lookFailed);
            });
  }

  private void moved(TailLook look) {
    for (TailLook.MovedGroup each : look.moved()) {
      rooms.onOwner(each.queue(), room -> room.moved(each.queue(), each.group()));
    }
  }

  private Future<List<NamedPartition>> named(TailLook look, int server) {
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
          if (server == servers) {
            bookmark = Optional.of(look.bookmark());
            lastSuccess = lastLook;
          }
          return all;
        });
  }

  /** If no other broker is up, these are own appends whose pushes are not answered yet. */
  private void publish(List<NamedPartition> appended) {
    boolean own = others == 0;
    Map<String, List<NamedPartition>> byQueue = new LinkedHashMap<>();
    for (NamedPartition each : appended) {
      byQueue.computeIfAbsent(each.queue(), queue -> new ArrayList<>()).add(each);
    }
    byQueue.forEach(
        (queue, partitions) ->
            rooms.onOwner(
                queue,
                room -> {
                  if (own) {
                    room.appended(queue, partitions);
                  } else {
                    room.appendedElsewhere(queue, partitions);
                  }
                }));
  }
}
