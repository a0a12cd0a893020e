package dev.queenmq.bench.bound;

import dev.queenmq.bench.bound.BoundQueue.Lane;
import dev.queenmq.bench.bound.BoundQueue.Lease;
import dev.queenmq.bench.bound.BoundQueue.Pending;
import dev.queenmq.bench.bound.BoundQueue.Poll;
import dev.queenmq.bench.bound.BoundQueue.Request;
import io.vertx.core.Context;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;

/**
 * Collects what requests ask for, and sends it in as few statements as there is time for: while
 * some are under way, the next ones gather. All on one event loop.
 *
 * <p>Order: a lane is in one push at a time, and its next offset is known here; the primary key of
 * the segments would refuse another writer. A lane has one lease at a time, which the cursor's row
 * decides. So messages are delivered in the order in which they were stored.
 */
final class BoundBroker {
  private static final int PUSHES_UNDER_WAY = 2;
  private static final long LEASE = Duration.ofSeconds(60).toNanos();

  private final Context context;
  private final BoundStatements statements;
  private final Map<String, BoundQueue> queues = new HashMap<>();
  private final Map<UUID, Lease> leases = new HashMap<>();
  private final Deque<Lane> pushing = new ArrayDeque<>();
  private final Deque<Acked> acks = new ArrayDeque<>();
  private final Set<BoundQueue> polled = new LinkedHashSet<>();
  private final SplittableRandom random = new SplittableRandom();
  private int pushesUnderWay;
  private boolean popUnderWay;
  private boolean ackUnderWay;
  private boolean scheduled;

  private record Acked(Lease lease, Request request) {}

  BoundBroker(Context context, BoundStatements statements) {
    this.context = context;
    this.statements = statements;
    context.owner().setPeriodic(100, tick -> expire());
  }

  UUID newId() {
    return new UUID(
        (random.nextLong() & ~0xf000L) | 0x4000L,
        (random.nextLong() & 0x3fffffffffffffffL) | 0x8000000000000000L);
  }

  /** The lane, which is made if there is none. */
  Lane lane(String queueName, String name) {
    BoundQueue queue = queue(queueName);
    Lane known = queue.lanes.get(name);
    if (known != null) {
      return known;
    }
    Lane lane = new Lane(queue, name, newId());
    queue.lanes.put(name, lane);
    statements
        .createLane(lane)
        .onSuccess(
            made -> {
              lane.stored = true;
              offer(lane);
            });
    return lane;
  }

  private BoundQueue queue(String name) {
    return queues.computeIfAbsent(name, BoundQueue::new);
  }

  /** The lane has something pending. */
  void offer(Lane lane) {
    if (lane.stored && !lane.pushing && !lane.waitsForPush && lane.pending.size() > 0) {
      lane.waitsForPush = true;
      pushing.add(lane);
    }
    schedule();
  }

  void poll(String queueName, Poll poll) {
    BoundQueue queue = queue(queueName);
    queue.polls.add(poll);
    polled.add(queue);
    schedule();
  }

  /** The lease, as long as it is in force; it is taken out. */
  Optional<Lease> take(UUID id) {
    return Optional.ofNullable(leases.remove(id));
  }

  void ack(Lease lease, Request request) {
    request.parts++;
    acks.add(new Acked(lease, request));
    schedule();
  }

  /** What has gathered leaves at the end of this turn of the loop. */
  private void schedule() {
    if (!scheduled) {
      scheduled = true;
      context.runOnContext(
          turn -> {
            scheduled = false;
            sendAcks();
            sendPushes();
            sendPops();
          });
    }
  }

  private void sendPushes() {
    while (pushesUnderWay < PUSHES_UNDER_WAY && !pushing.isEmpty()) {
      List<Lane> lanes = new ArrayList<>();
      List<Pending> pending = new ArrayList<>();
      while (lanes.size() < BoundStatements.MOST_LANES && !pushing.isEmpty()) {
        Lane lane = pushing.remove();
        lane.waitsForPush = false;
        lane.pushing = true;
        lanes.add(lane);
        pending.add(lane.pending);
        lane.pending = new Pending();
      }
      pushesUnderWay++;
      statements
          .push(lanes, pending)
          .onComplete(
              done -> {
                pushesUnderWay--;
                for (int i = 0; i < lanes.size(); i++) {
                  pushed(lanes.get(i), pending.get(i), done.succeeded());
                }
                schedule();
              });
    }
  }

  private void pushed(Lane lane, Pending messages, boolean stored) {
    lane.pushing = false;
    if (stored) {
      lane.end += messages.size();
    }
    for (Request request : messages.requests) {
      request.failed |= !stored;
      if (--request.parts == 0) {
        BoundHttp.answer(request.response, request.failed ? 500 : 201, request.answer);
      }
    }
    offer(lane);
    becomeReady(lane);
  }

  private void becomeReady(Lane lane) {
    if (!lane.leased && !lane.ready && lane.committed < lane.end) {
      lane.ready = true;
      lane.queue.ready.add(lane);
    }
  }

  private void sendPops() {
    if (popUnderWay) {
      return;
    }
    List<Lease> granted = new ArrayList<>();
    long now = System.nanoTime();
    for (Iterator<BoundQueue> each = polled.iterator(); each.hasNext(); ) {
      BoundQueue queue = each.next();
      while (!queue.ready.isEmpty()
          && !queue.polls.isEmpty()
          && granted.size() < BoundStatements.MOST_LANES) {
        Poll poll = queue.polls.remove();
        Lane lane = queue.ready.remove();
        lane.ready = false;
        lane.leased = true;
        long high = Math.min(lane.end, lane.committed + poll.batch());
        granted.add(new Lease(newId(), lane, poll, lane.committed, high, now + LEASE));
      }
      if (queue.polls.isEmpty()) {
        each.remove();
      }
    }
    if (!granted.isEmpty()) {
      popUnderWay = true;
      statements
          .pop(granted)
          .onComplete(
              done -> {
                popUnderWay = false;
                popped(granted, done.succeeded() ? byLane(done.result()) : Map.of());
                schedule();
              });
    }
  }

  private static Map<UUID, List<Row>> byLane(RowSet<Row> rows) {
    Map<UUID, List<Row>> lanes = new LinkedHashMap<>();
    for (Row row : rows) {
      lanes.computeIfAbsent(row.getUUID("lane"), lane -> new ArrayList<>()).add(row);
    }
    return lanes;
  }

  private void popped(List<Lease> granted, Map<UUID, List<Row>> rows) {
    for (Lease lease : granted) {
      List<Row> given = rows.getOrDefault(lease.lane.id, List.of());
      if (given.isEmpty()) {
        lease.lane.leased = false;
        becomeReady(lease.lane);
        BoundHttp.fail(lease.poll.response());
      } else {
        leases.put(lease.id, lease);
        BoundHttp.deliver(lease, given);
      }
    }
  }

  private void sendAcks() {
    if (ackUnderWay || acks.isEmpty()) {
      return;
    }
    List<Acked> taken = new ArrayList<>();
    while (taken.size() < BoundStatements.MOST_LANES && !acks.isEmpty()) {
      taken.add(acks.remove());
    }
    ackUnderWay = true;
    statements
        .ack(taken.stream().map(Acked::lease).toList())
        .onComplete(
            done -> {
              ackUnderWay = false;
              Set<UUID> accepted = new HashSet<>();
              if (done.succeeded()) {
                done.result().forEach(row -> accepted.add(row.getUUID("lane")));
              }
              taken.forEach(each -> acked(each, accepted.contains(each.lease().lane.id)));
              schedule();
            });
  }

  private void acked(Acked ack, boolean accepted) {
    Lane lane = ack.lease().lane;
    lane.leased = false;
    if (accepted) {
      lane.committed = ack.lease().high;
    }
    Request request = ack.request();
    request.failed |= !accepted;
    if (--request.parts == 0) {
      BoundHttp.answer(request.response, request.failed ? 500 : 200, request.answer);
    }
    becomeReady(lane);
  }

  /** Polls whose time is over are answered, and leases that ran out are given to others. */
  private void expire() {
    long now = System.nanoTime();
    for (BoundQueue queue : polled) {
      queue.polls.removeIf(
          poll -> {
            boolean over = poll.deadline() - now <= 0;
            if (over) {
              BoundHttp.nothing(poll.response());
            }
            return over || poll.response().closed();
          });
    }
    leases
        .values()
        .removeIf(
            lease -> {
              boolean over = lease.expires - now <= 0;
              if (over) {
                lease.lane.leased = false;
                becomeReady(lease.lane);
              }
              return over;
            });
    schedule();
  }
}
