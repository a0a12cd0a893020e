package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.Polled.Nothing;
import dev.queenmq.server.sidecar.WaitGroup.AnyPartition;
import dev.queenmq.server.sidecar.WaitGroup.Ask;
import dev.queenmq.server.sidecar.WaitGroup.OnePartition;
import dev.queenmq.server.store.PopOutcome;
import dev.queenmq.server.store.PopRequest;
import dev.queenmq.server.store.ReconcilePage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the polls of some queues wait, without a thread and without a connection, until there is
 * something for them or their time is over. Belongs to one event loop.
 */
final class WaitingRoom {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingRoom.class);

  /** What the room needs of its sidecar. */
  interface House {
    Future<List<PopOutcome>> pop(List<PopRequest> requests);

    Future<ReconcilePage> reconcile(
        String queue, String group, Optional<String> after, int partitions);

    /** A look at the tail that starts from now on; its news come in before it is done. */
    Future<Void> look();

    void release(Polled undelivered);

    /** What polls get is counted there. */
    Traffic traffic();
  }

  private final Vertx vertx;
  private final DatabaseClock clock;
  private final SidecarLimits limits;
  private final House house;
  private final PopNotes notes;
  private final Traffic traffic;
  private final FirstContact firstContact;
  private final QueueRoom.Doors doors;
  private final Map<String, QueueRoom> rooms = new HashMap<>();
  private volatile int shortestInterval = Integer.MAX_VALUE;
  private volatile RoomFigures figures = RoomFigures.NONE;

  WaitingRoom(Vertx vertx, DatabaseClock clock, SidecarLimits limits, House house, Peers peers) {
    this.traffic = house.traffic();
    this.vertx = vertx;
    this.clock = clock;
    this.limits = limits;
    this.house = house;
    this.notes = new PopNotes(clock, limits.backoff(), peers);
    this.doors = new QueueRoom.Doors(peers, limits.backoff(), () -> new GroupAlarm(vertx, clock));
    this.firstContact = new FirstContact(house, notes);
  }

  RoomFigures figures() {
    return figures;
  }

  /** How often somebody who waits here wants the tail to be looked at. */
  int shortestInterval() {
    return shortestInterval;
  }

  /** Takes a poll in. */
  Waiter enter(PollRequest request) {
    Waiter waiter = new Waiter(request);
    WaitGroup group = group(request);
    // Nobody was here to be told: what is known may be old.
    if (group.waiters.isEmpty() && group instanceof OnePartition one) {
      one.hint();
    }
    group.waiters.add(waiter);
    if (!waiter.lastLook) {
      waiter.announced = true;
      doors.peers().waitingBegan(group.queue);
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
    tell(queue, room -> room.appended(partition, partitionId));
  }

  /**
   * A group's lease on a partition is over.
   *
   * @param done all that was leased is done
   */
  void released(String queue, String partition, UUID partitionId, String group, boolean done) {
    tell(queue, room -> room.released(partition, partitionId, group, done));
  }

  /** Another broker says that a group's lease on a partition is over. */
  void freed(String queue, String partition, UUID partitionId, String group) {
    tell(queue, room -> room.freed(partition, partitionId, group));
  }

  /** A group does not stand any more where it did: find out anew. */
  void moved(String queue, String group) {
    tell(queue, room -> room.moved(group));
  }

  /** Pops of a queue go on after a pause. */
  void resumed(String queue) {
    tell(queue, QueueRoom::resumed);
  }

  /** A partition is gone. */
  void gone(String queue, String partition, UUID partitionId) {
    tell(queue, room -> room.gone(partition, partitionId));
  }

  /** The queue is not what it was: find out anew. */
  void changed(String queue) {
    tell(queue, QueueRoom::changed);
  }

  /** The database was away, and what it told before may have been lost: find out anew. */
  void allChanged() {
    List.copyOf(rooms.values()).forEach(room -> wake(room, room.changed()));
  }

  private void tell(String queue, Function<QueueRoom, List<WaitGroup>> news) {
    QueueRoom room = rooms.get(queue);
    if (room != null) {
      wake(room, news.apply(room));
    }
  }

  private void wake(QueueRoom room, List<WaitGroup> groups) {
    for (WaitGroup group : groups) {
      group.backoff.reset();
      serve(group);
    }
    room.ring();
  }

  /** Rings when something happens in a queue; runs on the room's event loop. */
  void listen(String queue, Runnable bell) {
    room(queue).listen(bell);
    doors.peers().waitingBegan(queue);
  }

  void ignore(String queue, Runnable bell) {
    QueueRoom room = rooms.get(queue);
    if (room != null && room.ignore(bell)) {
      doors.peers().waitingEnded(queue);
    }
  }

  /** The tail was looked at, and its news are in: the groups' periodic look. */
  void looked() {
    long now = clock.now();
    for (QueueRoom room : List.copyOf(rooms.values())) {
      traffic.parked(room);
      for (WaitGroup group : room.groups()) {
        if (!group.waiters.isEmpty() && !group.backoff.inFlight() && group.backoff.due(now)) {
          group.doubt(now - limits.backoff().maxMillis());
          group.backoff.looked(false, now);
          serve(group);
        }
      }
    }
    figures = RoomFigures.of(rooms.values());
    shortestInterval = figures.shortestMillis();
    rooms.values().removeIf(room -> room.forgettable(now));
  }

  /** Everybody gets their answer: nothing. */
  void empty() {
    for (QueueRoom room : rooms.values()) {
      for (WaitGroup group : room.groups()) {
        for (Waiter waiter : List.copyOf(group.waiters)) {
          waiter.lastLook = true;
          if (!waiter.asked) {
            goes(group, waiter, Nothing.TIMED_OUT);
          }
        }
      }
    }
  }

  private QueueRoom room(String queue) {
    QueueRoom room = rooms.computeIfAbsent(queue, name -> new QueueRoom(name, doors));
    room.used(clock.now());
    return room;
  }

  private WaitGroup group(PollRequest request) {
    if (request.target() instanceof PollTarget.Partition target) {
      return room(target.queue()).one(target.partition(), request.group());
    }
    if (request.target() instanceof PollTarget.Queue target) {
      return room(target.queue()).any(request.group());
    }
    throw new IllegalArgumentException("a label has no room of its own");
  }

  private void timeIsOver(WaitGroup group, Waiter waiter) {
    waiter.timer = Waiter.NO_TIMER;
    waiter.lastLook = true;
    if (!waiter.asked) {
      goes(group, waiter, group.reason(waiter));
    }
  }

  /** With empty hands. */
  private void goes(WaitGroup group, Waiter waiter, Nothing why) {
    leave(group, waiter);
    waiter.getsNothing(why);
    traffic.nothing(group.queue);
  }

  private void leave(WaitGroup group, Waiter waiter) {
    group.waiters.remove(waiter);
    if (waiter.announced) {
      waiter.announced = false;
      doors.peers().waitingEnded(group.queue);
    }
    if (waiter.timer != Waiter.NO_TIMER) {
      vertx.cancelTimer(waiter.timer);
      waiter.timer = Waiter.NO_TIMER;
    }
    if (group.waiters.isEmpty()) {
      group.alarm.clear();
    }
  }

  /** Asks the store for those who wait, if there is a hint that it has something. */
  private void serve(WaitGroup group) {
    if (group.waiters.isEmpty() || group.backoff.inFlight()) {
      return;
    }
    if (group instanceof AnyPartition any && !room(group.queue).primed(group.group, clock.now())) {
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
      notes.note(any, ask, served, now);
    } else if (group instanceof OnePartition one) {
      notes.note(one, ask, served);
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
      traffic.delivered(group.queue, served.batches());
    }
    return true;
  }

  /** There is nothing to ask for now. Who waits no longer is told so, after a look at the tail. */
  private void nothing(WaitGroup group) {
    List<Waiter> impatient = new ArrayList<>();
    for (Waiter waiter : List.copyOf(group.waiters)) {
      if (waiter.lastLook && !waiter.asked) {
        if (waiter.looked || !waiter.request.patience().isZero()) {
          goes(group, waiter, group.reason(waiter));
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
    if (!group.waiters.isEmpty()) {
      group.alarm.set(
          group.nextDue(),
          group.backoff.intervalMillis(),
          () -> {
            group.backoff.reset();
            serve(group);
          });
    }
  }

  private Future<Void> prime(AnyPartition group) {
    QueueRoom room = room(group.queue);
    room.primed(group.group, true, clock.now());
    return firstContact
        .of(group, group.waiters.iterator().next().request)
        .onFailure(
            failure -> {
              LOG.debug("cannot look at queue {}", group.queue, failure);
              room.primed(group.group, false, clock.now());
            });
  }
}
