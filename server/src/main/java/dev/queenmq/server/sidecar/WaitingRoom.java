package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Polled.Nothing;
import dev.queenmq.server.sidecar.WaitGroup.AnyPartition;
import dev.queenmq.server.sidecar.WaitGroup.Ask;
import dev.queenmq.server.sidecar.WaitGroup.OnePartition;
import dev.queenmq.server.store.PartitionBatch;
import dev.queenmq.server.store.Passed;
import dev.queenmq.server.store.PopOutcome;
import dev.queenmq.server.store.PopRequest;
import dev.queenmq.server.store.PopTarget;
import dev.queenmq.server.store.ReadyPartition;
import dev.queenmq.server.store.ReconcilePage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the polls of some queues wait, without a thread and without a connection, until there is
 * something for them or their time is over. Belongs to one event loop.
 */
final class WaitingRoom {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingRoom.class);

  /** Partitions per page of a full look at a queue. */
  private static final int PAGE = 2000;

  /** After this long a queue's ready list is made anew, if anybody asks. */
  private static final long RECONCILE_MILLIS = 600_000;

  /** So long a queue that nobody asks for is remembered. */
  private static final long FORGET_MILLIS = 300_000;

  /** A moment that has passed may not be seen as such yet by the database. */
  private static final long SOONEST_MILLIS = 5;

  private static final int DOUBTS = 50;

  /** What the room needs of its sidecar. */
  interface House {
    Future<List<PopOutcome>> pop(List<PopRequest> requests);

    Future<ReconcilePage> reconcile(
        String queue, String group, Optional<String> after, int partitions);

    /** A look at the tail that starts from now on; its news come in before it is done. */
    Future<Void> look();

    void release(Polled undelivered);
  }

  private record GroupKey(Optional<String> partition, String group) {}

  /** What is known of one queue. */
  private static final class QueueRoom {
    final Map<GroupKey, WaitGroup> groups = new HashMap<>();
    final Map<String, ReadyList> lists = new HashMap<>();
    final Map<String, Long> primed = new HashMap<>();
    final Set<Runnable> bells = new LinkedHashSet<>();
    long usedAt;
  }

  private final Vertx vertx;
  private final DatabaseClock clock;
  private final SidecarLimits limits;
  private final House house;
  private final Map<String, QueueRoom> rooms = new HashMap<>();
  private volatile int groupCount;
  private volatile int backedOff;
  private volatile int shortestInterval = Integer.MAX_VALUE;
  private volatile double averageInterval;

  WaitingRoom(Vertx vertx, DatabaseClock clock, SidecarLimits limits, House house) {
    this.vertx = vertx;
    this.clock = clock;
    this.limits = limits;
    this.house = house;
  }

  int groupCount() {
    return groupCount;
  }

  int backedOff() {
    return backedOff;
  }

  double averageInterval() {
    return averageInterval;
  }

  /** How often somebody who waits here wants the tail to be looked at. */
  int shortestInterval() {
    return shortestInterval;
  }

  /** Takes a poll in. */
  Waiter enter(PollRequest request) {
    Waiter waiter = new Waiter(request);
    WaitGroup group = group(request);
    group.waiters.add(waiter);
    if (!waiter.lastLook) {
      waiter.timer =
          vertx.setTimer(request.patience().toMillis(), late -> timeIsOver(group, waiter));
      shortestInterval = Math.min(shortestInterval, group.backoff.intervalMillis());
    } else if (group instanceof OnePartition one) {
      one.hint();
    }
    serve(group);
    return waiter;
  }

  /** Nobody waits for the answer any more. */
  void cancel(Waiter waiter) {
    if (waiter.answer.future().isComplete()) {
      return;
    }
    waiter.cancelled = true;
    if (!waiter.asked) {
      leave(group(waiter.request), waiter);
      waiter.getsNothing(Nothing.TIMED_OUT);
    }
  }

  /** A partition got messages. */
  void appended(String queue, String partition, UUID partitionId) {
    QueueRoom room = rooms.get(queue);
    if (room == null) {
      return;
    }
    for (ReadyList list : room.lists.values()) {
      list.add(partitionId);
    }
    for (Map.Entry<GroupKey, WaitGroup> entry : List.copyOf(room.groups.entrySet())) {
      WaitGroup group = entry.getValue();
      if (group instanceof OnePartition one) {
        if (!entry.getKey().partition.equals(Optional.of(partition))) {
          continue;
        }
        one.hint();
      }
      group.backoff.reset();
      serve(group);
    }
    List.copyOf(room.bells).forEach(Runnable::run);
  }

  /**
   * A group's lease on a partition is over.
   *
   * @param done all that was leased is done
   */
  void released(String queue, String partition, UUID partitionId, String group, boolean done) {
    QueueRoom room = rooms.get(queue);
    if (room == null) {
      return;
    }
    ReadyList list = room.lists.get(group);
    if (list != null) {
      list.released(partitionId, done);
    }
    WaitGroup any = room.groups.get(new GroupKey(Optional.empty(), group));
    if (any != null) {
      any.backoff.reset();
      serve(any);
    }
    if (room.groups.get(new GroupKey(Optional.of(partition), group)) instanceof OnePartition one) {
      one.hint();
      one.backoff.reset();
      serve(one);
    }
    List.copyOf(room.bells).forEach(Runnable::run);
  }

  /** The queue is not what it was: find out anew. */
  void changed(String queue) {
    QueueRoom room = rooms.get(queue);
    if (room != null) {
      room.primed.clear();
      for (WaitGroup group : List.copyOf(room.groups.values())) {
        if (group instanceof OnePartition one) {
          one.hint();
        }
        serve(group);
      }
    }
  }

  /** Rings when something happens in a queue; runs on the room's event loop. */
  void listen(String queue, Runnable bell) {
    room(queue).bells.add(bell);
  }

  void ignore(String queue, Runnable bell) {
    QueueRoom room = rooms.get(queue);
    if (room != null) {
      room.bells.remove(bell);
    }
  }

  /** The tail was looked at, and its news are in: the groups' periodic look. */
  void looked() {
    long now = clock.now();
    int groups = 0;
    int slow = 0;
    int shortest = Integer.MAX_VALUE;
    long intervals = 0;
    for (QueueRoom room : List.copyOf(rooms.values())) {
      for (WaitGroup group : List.copyOf(room.groups.values())) {
        if (!group.waiters.isEmpty() && !group.backoff.inFlight() && group.backoff.due(now)) {
          if (group instanceof AnyPartition any) {
            any.ready.doubt(now - limits.backoff().maxMillis(), DOUBTS);
          }
          group.backoff.looked(false, now);
          serve(group);
        }
        if (!group.waiters.isEmpty()) {
          groups++;
          slow += group.backoff.backedOff() ? 1 : 0;
          shortest = Math.min(shortest, group.backoff.intervalMillis());
          intervals += group.backoff.intervalMillis();
        }
      }
    }
    groupCount = groups;
    backedOff = slow;
    shortestInterval = shortest;
    averageInterval = groups == 0 ? 0 : intervals / (double) groups;
    rooms
        .values()
        .removeIf(
            room ->
                room.bells.isEmpty()
                    && now - room.usedAt > FORGET_MILLIS
                    && room.groups.values().stream().allMatch(group -> group.waiters.isEmpty()));
  }

  /** Everybody gets their answer: nothing. */
  void empty() {
    for (QueueRoom room : rooms.values()) {
      for (WaitGroup group : room.groups.values()) {
        for (Waiter waiter : List.copyOf(group.waiters)) {
          waiter.lastLook = true;
          if (!waiter.asked) {
            leave(group, waiter);
            waiter.getsNothing(Nothing.TIMED_OUT);
          }
        }
      }
    }
  }

  private QueueRoom room(String queue) {
    QueueRoom room = rooms.computeIfAbsent(queue, name -> new QueueRoom());
    room.usedAt = clock.now();
    return room;
  }

  private WaitGroup group(PollRequest request) {
    if (request.target() instanceof PollTarget.Partition target) {
      return room(target.queue())
          .groups
          .computeIfAbsent(
              new GroupKey(Optional.of(target.partition()), request.group()),
              key ->
                  new OnePartition(
                      target.queue(), target.partition(), request.group(), newBackoff()));
    }
    if (request.target() instanceof PollTarget.Queue target) {
      QueueRoom room = room(target.queue());
      return room.groups.computeIfAbsent(
          new GroupKey(Optional.empty(), request.group()),
          key ->
              new AnyPartition(
                  target.queue(),
                  request.group(),
                  newBackoff(),
                  room.lists.computeIfAbsent(request.group(), name -> new ReadyList())));
    }
    throw new IllegalArgumentException("a label has no room of its own");
  }

  private GroupBackoff newBackoff() {
    return new GroupBackoff(limits.backoff());
  }

  private void timeIsOver(WaitGroup group, Waiter waiter) {
    waiter.timer = Waiter.NO_TIMER;
    waiter.lastLook = true;
    if (!waiter.asked) {
      leave(group, waiter);
      waiter.getsNothing(Nothing.TIMED_OUT);
    }
  }

  private void leave(WaitGroup group, Waiter waiter) {
    group.waiters.remove(waiter);
    if (waiter.timer != Waiter.NO_TIMER) {
      vertx.cancelTimer(waiter.timer);
      waiter.timer = Waiter.NO_TIMER;
    }
    if (group.waiters.isEmpty() && group.alarmTimer != Waiter.NO_TIMER) {
      vertx.cancelTimer(group.alarmTimer);
      group.alarmTimer = Waiter.NO_TIMER;
      group.alarm = ReadyList.NEVER;
    }
  }

  /** Asks the store for those who wait, if there is a hint that it has something. */
  private void serve(WaitGroup group) {
    if (group.waiters.isEmpty() || group.backoff.inFlight()) {
      return;
    }
    if (group instanceof AnyPartition any && !primed(any)) {
      group.backoff.tryAcquire();
      prime(any)
          .onComplete(
              done -> {
                group.backoff.release(false, clock.now());
                if (done.succeeded()) {
                  serve(group);
                } else {
                  nothing(group);
                }
              });
      return;
    }
    List<Ask> asks = group.asks(clock.now());
    if (asks.isEmpty()) {
      nothing(group);
      return;
    }
    group.backoff.tryAcquire();
    asks.forEach(ask -> ask.waiter().asked = true);
    house
        .pop(asks.stream().map(Ask::request).toList())
        .onComplete(
            answers -> {
              asks.forEach(ask -> ask.waiter().asked = false);
              boolean found = false;
              if (answers.succeeded()) {
                for (int i = 0; i < asks.size(); i++) {
                  found |= answered(group, asks.get(i), answers.result().get(i));
                }
              } else {
                failed(group, asks);
              }
              group.backoff.release(found, clock.now());
              if (answers.succeeded()) {
                serve(group);
              } else {
                nothing(group);
              }
            });
  }

  /** Their question failed: what they asked for stays ready, and they ask again later. */
  private static void failed(WaitGroup group, List<Ask> asks) {
    if (group instanceof AnyPartition any) {
      asks.forEach(ask -> ask.candidates().forEach(any.ready::add));
    } else if (group instanceof OnePartition one) {
      one.dueAt(Long.MIN_VALUE);
    }
  }

  private boolean answered(WaitGroup group, Ask ask, PopOutcome outcome) {
    Waiter waiter = ask.waiter();
    if (!(outcome instanceof PopOutcome.Served served)) {
      leave(group, waiter);
      waiter.answer.tryFail(
          new BrokerException(
              BrokerException.Kind.INTERNAL,
              outcome instanceof PopOutcome.Rejected rejected
                  ? rejected.problem().text()
                  : "Internal error"));
      return false;
    }
    long now = clock.now();
    if (group instanceof AnyPartition any) {
      note(any.ready, ask, served, now);
    } else if (group instanceof OnePartition one) {
      note(one, waiter, served);
    }
    if (served.batches().isEmpty()) {
      return false;
    }
    leave(group, waiter);
    if (waiter.cancelled) {
      house.release(new Polled(group.group, served.batches(), Nothing.NONE));
      waiter.getsNothing(Nothing.TIMED_OUT);
    } else {
      waiter.gets(served.batches());
    }
    return true;
  }

  /** What the answer tells about the partitions. */
  private void note(ReadyList ready, Ask ask, PopOutcome.Served served, long now) {
    Set<UUID> unmentioned = new HashSet<>(ask.candidates());
    for (PartitionBatch batch : served.batches()) {
      unmentioned.remove(batch.partitionId());
      if (batch.lease().isPresent()) {
        ready.leased(
            batch.partitionId(),
            clock.when(batch.lease().get().expiresAt()),
            now,
            batch.backlog() > 0);
      } else if (batch.backlog() > 0) {
        ready.add(batch.partitionId());
      }
    }
    for (Passed passed : served.passed()) {
      if (passed.partitionId().isEmpty()) {
        continue;
      }
      UUID id = passed.partitionId().get();
      unmentioned.remove(id);
      switch (passed.reason()) {
        case LEASED -> ready.leased(id, dueAt(passed, now), now, true);
        case DELAYED, PAUSED, WINDOW -> ready.dueAt(id, dueAt(passed, now));
        case BUSY -> ready.dueAt(id, now + SOONEST_MILLIS);
        case ALONE -> ready.add(id);
        case EMPTY, MISSING -> ready.empty(id);
      }
    }
    unmentioned.forEach(ready::add);
  }

  private void note(OnePartition one, Waiter waiter, PopOutcome.Served served) {
    for (PartitionBatch batch : served.batches()) {
      if (batch.lease().isPresent()) {
        one.dueAt(clock.when(batch.lease().get().expiresAt()));
      } else if (batch.backlog() > 0) {
        one.hint();
      }
    }
    for (Passed passed : served.passed()) {
      passed.dueAt().ifPresent(due -> one.dueAt(dueAt(passed, clock.now())));
      waiter.reason =
          switch (passed.reason()) {
            case MISSING -> Nothing.PARTITION_NOT_FOUND;
            case LEASED -> Nothing.LEASE_HELD;
            case WINDOW -> Nothing.WINDOW_BUFFER;
            case EMPTY, DELAYED, PAUSED, BUSY, ALONE -> Nothing.EMPTY;
          };
    }
  }

  private long dueAt(Passed passed, long now) {
    Optional<Instant> due = passed.dueAt();
    long when = due.map(clock::when).orElse(now + limits.backoff().maxMillis());
    return Math.max(when, now + SOONEST_MILLIS);
  }

  /** There is nothing to ask for now. Who waits no longer is told so, after a look at the tail. */
  private void nothing(WaitGroup group) {
    List<Waiter> impatient = new ArrayList<>();
    for (Waiter waiter : List.copyOf(group.waiters)) {
      if (waiter.lastLook && !waiter.asked) {
        if (waiter.looked || !waiter.request.patience().isZero()) {
          leave(group, waiter);
          waiter.getsNothing(
              waiter.request.patience().isZero() ? waiter.reason : Nothing.TIMED_OUT);
        } else {
          impatient.add(waiter);
        }
      }
    }
    if (!impatient.isEmpty()) {
      impatient.forEach(waiter -> waiter.looked = true);
      house
          .look()
          .onComplete(
              done -> {
                serve(group);
                // Served or not, they have had their look.
                if (!group.backoff.inFlight()) {
                  nothing(group);
                }
              });
    }
    setAlarm(group);
  }

  /** Wakes the group when the next lease ends or the next delay is over. */
  private void setAlarm(WaitGroup group) {
    long next = group.nextDue();
    if (group.waiters.isEmpty() || next == ReadyList.NEVER || next == group.alarm) {
      return;
    }
    if (group.alarmTimer != Waiter.NO_TIMER) {
      vertx.cancelTimer(group.alarmTimer);
    }
    group.alarm = next;
    long now = clock.now();
    long delay = next == Long.MIN_VALUE ? group.backoff.intervalMillis() : Math.max(1, next - now);
    group.alarmTimer =
        vertx.setTimer(
            delay,
            due -> {
              group.alarm = ReadyList.NEVER;
              group.alarmTimer = Waiter.NO_TIMER;
              group.backoff.reset();
              serve(group);
            });
  }

  private boolean primed(AnyPartition group) {
    Long at = room(group.queue).primed.get(group.group);
    return at != null && clock.now() - at < RECONCILE_MILLIS;
  }

  /**
   * The group's first contact here: records where it starts, whether there is anything or not, and
   * finds out which partitions have something for it.
   */
  private Future<Void> prime(AnyPartition group) {
    QueueRoom room = room(group.queue);
    room.primed.put(group.group, clock.now());
    PollRequest first = group.waiters.iterator().next().request;
    PopRequest contact =
        new PopRequest(
            new PopTarget.Candidates(Optional.of(group.queue), List.of()),
            group.group,
            1,
            1,
            first.autoAck(),
            first.subscription());
    return house
        .pop(List.of(contact))
        .compose(recorded -> page(group, Optional.empty()))
        .onFailure(
            failure -> {
              LOG.debug("cannot look at queue {}", group.queue, failure);
              room.primed.remove(group.group);
            });
  }

  private Future<Void> page(AnyPartition group, Optional<String> after) {
    return house
        .reconcile(group.queue, group.group, after, PAGE)
        .compose(
            page -> {
              long now = clock.now();
              for (ReadyPartition partition : page.ready()) {
                long free = partition.freeAt().map(clock::when).orElse(Long.MIN_VALUE);
                if (free > now) {
                  group.ready.leased(partition.partitionId(), free, now, true);
                } else {
                  group.ready.released(partition.partitionId(), false);
                }
              }
              return page.next().isPresent() ? page(group, page.next()) : Future.succeededFuture();
            });
  }
}
