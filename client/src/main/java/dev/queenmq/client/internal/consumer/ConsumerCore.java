package dev.queenmq.client.internal.consumer;

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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The decisions of a consumer as a state machine: events and the time go in, {@link Action}s come
 * out. It knows no threads, no sockets and no clock, so that tests drive it in virtual time. Not
 * safe for several threads; the shell calls it under a lock.
 *
 * <h2>What it holds</h2>
 *
 * <p>A pop brings messages of one or more lanes under one lease. What it brings of one lane is a
 * <em>grant</em>. A lane usually has one grant; it has a second one if its lease ran out while a
 * handler still works on the first, and the broker gave the lane to us again. Then the second waits
 * for the handler. So at most one handler works on a lane, whatever the concurrency and whatever
 * happens to leases: this is what keeps order.
 *
 * <p>A grant ends early
 *
 * <ul>
 *   <li>by a disposition {@code failed} or {@code retry}: the broker takes the rest of the batch
 *       back and delivers it again, beginning with that message. What we still hold of the grant is
 *       dropped, because handling it now would be out of order. Only if the failed message became a
 *       dead letter is the rest still ours: the lane waits for the answer to know;
 *   <li>when its lease is lost or has run out: another consumer may have the lane already;
 *   <li>by a stop: the first message that no handler got is acked with {@code retry}, which gives
 *       it and all after it back at once. That needs the answers of the pops that are under way:
 *       messages in an answer that is not read come again only when their lease ends. So pops that
 *       wait are ended by the broker, and not by us.
 * </ul>
 *
 * <h2>How many pops wait</h2>
 *
 * <p>The broker fills a batch from as few lanes as it can. When lanes are deep a pop brings one
 * lane, so that as many pops are needed as lanes are free; when lanes hold a message each, one pop
 * brings many. {@code lanesPerPop} is a moving average of what pops brought, and decides how many
 * are sent and how many lanes each asks for. {@code window} limits them: it doubles with each pop
 * that brought something and falls to one with each that did not, so that an idle consumer has one
 * pop waiting.
 *
 * <h2>Errors</h2>
 *
 * <p>Nothing stops a consumer but a stop. After a failed pop all pops pause, longer each time.
 * Dispositions that could not be sent are retried until their lease has run out; then the broker
 * delivers the messages again, and they are dropped here. A request that the broker refuses is not
 * repeated as it is: its dispositions are sent in smaller ones.
 *
 * @param <M> a message
 */
public final class ConsumerCore<M> {

  /** Also the first renewal, because the broker's clock may differ from ours. */
  private static final Duration FIRST_RENEWAL = Duration.ofSeconds(10);

  private static final Duration SHORTEST_LEASE = Duration.ofSeconds(1);
  private static final Duration LONGEST_LEASE = Duration.ofHours(1);

  private final ConsumerLimits limits;

  private final Map<String, Deque<Grant>> lanes = new HashMap<>();
  private final Map<String, Lease> leases = new HashMap<>();
  private final Map<Long, Run> running = new HashMap<>();
  private final LinkedHashSet<String> ready = new LinkedHashSet<>();

  private final Map<Long, Long> polls = new LinkedHashMap<>();
  private final Set<Long> ending = new HashSet<>();
  private final Deque<Pending> pending = new ArrayDeque<>();
  private List<Pending> inFlight = List.of();

  private long ids;
  private int window = 1;
  private double lanesPerPop = 1;
  private int errors;
  private int emptyInARow;
  private long pollNotBefore;
  private long pausedAt = Long.MIN_VALUE;
  private int ackLimit;
  private int ackErrors;
  private long ackNotBefore;
  private boolean stopping;
  private boolean stopped;
  private List<Action<M>> out = new ArrayList<>();

  /** A core that does nothing until it is woken for the first time. */
  public ConsumerCore(ConsumerLimits limits) {
    this.limits = limits;
    this.ackLimit = limits.maxAcksPerCall();
  }

  /** What one pop brought of one lane. */
  private final class Grant {
    final String lane;
    final Lease lease;
    final Deque<M> waiting = new ArrayDeque<>();
    boolean isRunning;
    boolean isUndecided;
    int untold;

    Grant(String lane, Lease lease) {
      this.lane = lane;
      this.lease = lease;
    }

    boolean isDone() {
      return waiting.isEmpty() && !isRunning && untold == 0;
    }
  }

  /** A lease and what we hold under it. */
  private final class Lease {
    final String id;
    final long renewUntil;
    final Duration length;
    final Set<Grant> grants = new HashSet<>();
    long expires;
    long renewAt;
    long extendSent;
    boolean extending;

    Lease(String id, Duration held, long now) {
      this.id = id;
      this.length = clamp(held, SHORTEST_LEASE, LONGEST_LEASE);
      this.renewUntil = now + limits.renewFor().toNanos();
      this.expires = now + length.toNanos();
      this.renewAt = now + Math.min(length.toNanos() / 2, FIRST_RENEWAL.toNanos());
    }

    boolean hasExpired(long now) {
      return now - expires >= 0;
    }
  }

  /** A handler at work. */
  private final class Run {
    final Grant grant;
    final List<M> messages;

    Run(Grant grant, List<M> messages) {
      this.grant = grant;
      this.messages = messages;
    }
  }

  private final class Pending {
    final Grant grant;
    final M message;
    final Disposition disposition;

    Pending(Grant grant, M message, Disposition disposition) {
      this.grant = grant;
      this.message = message;
      this.disposition = disposition;
    }
  }

  // Events

  /** The time that {@link #nextWake} named has come, or the consumer starts. */
  public List<Action<M>> wake(long now) {
    return pump(now);
  }

  /**
   * A pop was answered.
   *
   * @param id of the action
   * @param deliveries in order, empty if there was nothing
   * @param waited whether the broker waited for messages as long as it was asked to
   */
  public List<Action<M>> polled(long id, List<Delivery<M>> deliveries, boolean waited, long now) {
    polls.remove(id);
    ending.remove(id);
    errors = 0;
    if (deliveries.isEmpty()) {
      window = 1;
      // A broker that does not wait, for example one in maintenance, must not be asked in a loop.
      emptyInARow = waited ? 0 : emptyInARow + 1;
      if (emptyInARow > 0 && !stopping) {
        pausePolls(emptyInARow, now);
      }
      return pump(now);
    }
    emptyInARow = 0;
    window = Math.min(window * 2, limits.concurrency());
    Map<String, Grant> brought = new LinkedHashMap<>();
    for (Delivery<M> each : deliveries) {
      Grant grant =
          brought.computeIfAbsent(
              each.lane(),
              lane ->
                  new Grant(
                      lane,
                      leases.computeIfAbsent(
                          each.leaseId(), lease -> new Lease(lease, each.held(), now))));
      grant.waiting.add(each.message());
    }
    lanesPerPop += (brought.size() - lanesPerPop) / 4;
    for (Grant grant : brought.values()) {
      grant.lease.grants.add(grant);
      lanes.computeIfAbsent(grant.lane, lane -> new ArrayDeque<>()).add(grant);
      if (stopping) {
        giveBack(grant);
      } else {
        offer(grant.lane);
      }
    }
    return pump(now);
  }

  /** A pop failed, for whatever reason. */
  public List<Action<M>> pollFailed(long id, long now) {
    Long sent = polls.remove(id);
    ending.remove(id);
    window = 1;
    // Pops that were under way together fail together: that is one error.
    if (!stopping && sent != null && sent >= pausedAt) {
      errors++;
      pausePolls(errors, now);
    }
    return pump(now);
  }

  /**
   * A handler ended.
   *
   * @param id of the action
   * @param dispositions for its messages in their order, up to the first that failed
   */
  public List<Action<M>> handled(long id, List<Action.Settled<M>> dispositions, long now) {
    Run run = running.remove(id);
    if (run == null) {
      return pump(now);
    }
    Grant grant = run.grant;
    grant.isRunning = false;
    for (Action.Settled<M> each : dispositions) {
      if (each.disposition().status() != Disposition.Status.SETTLED) {
        tell(grant, each.message(), each.disposition());
      }
    }
    for (int i = run.messages.size() - 1; i >= dispositions.size(); i--) {
      grant.waiting.addFirst(run.messages.get(i));
    }
    Disposition.Status last =
        dispositions.isEmpty()
            ? Disposition.Status.RETRY
            : dispositions.get(dispositions.size() - 1).disposition().status();
    if (last == Disposition.Status.FAILED && !grant.waiting.isEmpty()) {
      // Whether we still hold the rest depends on whether the message became a dead letter.
      grant.isUndecided = true;
    } else if (last.endsLease()) {
      drop(grant);
    } else if (stopping) {
      giveBack(grant);
    }
    settle(grant);
    offer(grant.lane);
    return pump(now);
  }

  /** What the broker says to a disposition. */
  public enum Outcome {
    /** It counts, and the rest of the lane's batch is still held. */
    HELD,
    /** It counts, and nothing of the lane is held any more. */
    RELEASED,
    /** The lease was over. */
    LOST
  }

  /**
   * The broker answered an ack.
   *
   * @param outcomes for each disposition, in order
   */
  public List<Action<M>> acked(List<Outcome> outcomes, long now) {
    List<Pending> answered = inFlight;
    inFlight = List.of();
    ackErrors = 0;
    ackLimit = Math.min(limits.maxAcksPerCall(), ackLimit + Math.max(1, ackLimit / 8));
    for (int i = 0; i < answered.size(); i++) {
      Pending told = answered.get(i);
      Grant grant = told.grant;
      grant.untold--;
      boolean decides = told.disposition.status() == Disposition.Status.FAILED && grant.isUndecided;
      if (decides) {
        grant.isUndecided = false;
      }
      if (outcomes.get(i) == Outcome.LOST || (decides && outcomes.get(i) == Outcome.RELEASED)) {
        drop(grant);
      } else if (decides && stopping) {
        giveBack(grant);
      }
      settle(grant);
      offer(grant.lane);
    }
    return pump(now);
  }

  /** An ack got no answer. It is sent again while its leases live. */
  public List<Action<M>> ackFailed(long now) {
    List<Pending> again = new ArrayList<>(inFlight);
    inFlight = List.of();
    ackErrors++;
    ackNotBefore = now + pause(ackErrors);
    again.addAll(pending);
    pending.clear();
    List<M> lost = new ArrayList<>();
    for (Pending each : again) {
      if (each.grant.lease.hasExpired(now)) {
        lost.add(each.message);
        each.grant.untold--;
        drop(each.grant);
        settle(each.grant);
      } else {
        pending.add(each);
      }
    }
    if (!lost.isEmpty()) {
      out.add(new Action.Lost<>(lost));
    }
    return pump(now);
  }

  /**
   * The broker refused an ack as a whole, and would refuse the same one again: it takes fewer in
   * one call, or one of them is to blame. They are sent again in smaller calls, until the one is
   * alone. That one is given up; its message comes again when its lease ends.
   */
  public List<Action<M>> ackRefused(long now) {
    if (inFlight.size() == 1) {
      return acked(List.of(Outcome.LOST), now);
    }
    ackLimit = Math.max(1, inFlight.size() / 2);
    for (int i = inFlight.size() - 1; i >= 0; i--) {
      pending.addFirst(inFlight.get(i));
    }
    inFlight = List.of();
    return pump(now);
  }

  /** A lease was extended. */
  public List<Action<M>> extended(String leaseId, long seconds, long now) {
    Lease lease = leases.get(leaseId);
    if (lease != null) {
      lease.extending = false;
      // From when it was sent: the broker counts from a moment after that.
      lease.expires = Math.max(lease.expires, lease.extendSent + seconds * 1_000_000_000L);
      lease.renewAt = lease.extendSent + seconds * 1_000_000_000L / 2;
    }
    return pump(now);
  }

  /**
   * A lease was not extended.
   *
   * @param lost whether the broker says that it is over; otherwise it did not answer
   */
  public List<Action<M>> extendFailed(String leaseId, boolean lost, long now) {
    Lease lease = leases.get(leaseId);
    if (lease != null) {
      lease.extending = false;
      if (lost) {
        lease.expires = now;
        lease.renewAt = Long.MAX_VALUE;
        for (Grant grant : List.copyOf(lease.grants)) {
          drop(grant);
          settle(grant);
        }
      } else {
        lease.renewAt = now + Math.min(lease.length.toNanos() / 8, 1_000_000_000L);
      }
    }
    return pump(now);
  }

  /** No more pops; what they still bring and what no handler got goes back; handlers finish. */
  public List<Action<M>> stop(long now) {
    if (!stopping) {
      stopping = true;
      for (Deque<Grant> lane : List.copyOf(lanes.values())) {
        for (Grant grant : List.copyOf(lane)) {
          if (!grant.isRunning && !grant.isUndecided) {
            giveBack(grant);
            settle(grant);
          }
        }
      }
    }
    return pump(now);
  }

  /** When to call {@link #wake} if nothing happens before; {@code Long.MAX_VALUE} for never. */
  public long nextWake() {
    long next = Long.MAX_VALUE;
    if (stopped) {
      return next;
    }
    if (!stopping && wantsPoll()) {
      next = Math.min(next, pollNotBefore);
    }
    if (!pending.isEmpty() && inFlight.isEmpty()) {
      next = Math.min(next, ackNotBefore);
    }
    for (Lease lease : leases.values()) {
      if (!lease.extending && lease.renewAt < lease.renewUntil) {
        next = Math.min(next, lease.renewAt);
      }
    }
    return next;
  }

  /** Messages that a handler works on now, or that wait for one. */
  public int heldLanes() {
    int held = 0;
    for (Deque<Grant> lane : lanes.values()) {
      for (Grant grant : lane) {
        if (grant.isRunning || !grant.waiting.isEmpty()) {
          held++;
          break;
        }
      }
    }
    return held;
  }

  /** Handlers at work. */
  public int runningHandlers() {
    return running.size();
  }

  /** Whether all is done after a stop. */
  public boolean isStopped() {
    return stopped;
  }

  // Decisions

  private List<Action<M>> pump(long now) {
    startHandlers(now);
    sendAcks(now);
    renewLeases(now);
    sendPolls(now);
    endPolls();
    if (stopping
        && !stopped
        && running.isEmpty()
        && pending.isEmpty()
        && inFlight.isEmpty()
        && polls.isEmpty()) {
      stopped = true;
      out.add(new Action.Stopped<>());
    }
    List<Action<M>> actions = out;
    out = new ArrayList<>();
    return actions;
  }

  private void startHandlers(long now) {
    Iterator<String> each = ready.iterator();
    List<Grant> expired = new ArrayList<>();
    while (each.hasNext() && running.size() < limits.concurrency() && !stopping) {
      String lane = each.next();
      each.remove();
      Grant grant = head(lane);
      if (grant == null || !isStartable(grant)) {
        continue;
      }
      if (grant.lease.hasExpired(now)) {
        expired.add(grant);
        continue;
      }
      List<M> messages = new ArrayList<>();
      messages.add(grant.waiting.remove());
      if (limits.wholeBatches()) {
        messages.addAll(grant.waiting);
        grant.waiting.clear();
      }
      grant.isRunning = true;
      long id = ++ids;
      running.put(id, new Run(grant, List.copyOf(messages)));
      out.add(new Action.Run<>(id, List.copyOf(messages)));
    }
    for (Grant grant : expired) {
      drop(grant);
      settle(grant);
      offer(grant.lane);
    }
    if (!expired.isEmpty()) {
      startHandlers(now);
    }
  }

  private void sendAcks(long now) {
    if (pending.isEmpty() || !inFlight.isEmpty() || now < ackNotBefore) {
      return;
    }
    List<Pending> batch = new ArrayList<>();
    while (!pending.isEmpty() && batch.size() < ackLimit) {
      batch.add(pending.remove());
    }
    inFlight = batch;
    out.add(
        new Action.Ack<>(
            batch.stream()
                .map(each -> new Action.Settled<>(each.message, each.disposition))
                .toList()));
  }

  private void renewLeases(long now) {
    for (Lease lease : leases.values()) {
      if (!lease.extending
          && now >= lease.renewAt
          && lease.renewAt < lease.renewUntil
          && !lease.grants.isEmpty()) {
        lease.extending = true;
        lease.extendSent = now;
        out.add(new Action.Extend<>(lease.id, Math.max(1, (lease.length.toMillis() + 999) / 1000)));
      }
    }
  }

  private boolean wantsPoll() {
    return polls.size() < Math.min(window, wantedPolls());
  }

  private int wantedPolls() {
    int free = limits.concurrency() - heldLanes();
    return (int) Math.ceil(free / Math.max(1, lanesPerPop));
  }

  private void sendPolls(long now) {
    if (stopping || now < pollNotBefore) {
      return;
    }
    int target = Math.min(window, wantedPolls());
    int ask = (int) Math.max(1, Math.min(limits.maxPartitions(), Math.ceil(lanesPerPop * 2)));
    while (polls.size() < target) {
      long id = ++ids;
      polls.put(id, now);
      out.add(new Action.Poll<>(id, Math.min(ask, Math.max(1, limits.concurrency()))));
    }
  }

  /** After a stop. */
  private void endPolls() {
    if (!stopping) {
      return;
    }
    for (Long poll : polls.keySet()) {
      if (ending.add(poll)) {
        out.add(new Action.EndPoll<>(poll));
      }
    }
  }

  private void pausePolls(int times, long now) {
    pausedAt = now;
    pollNotBefore = now + pause(times);
  }

  private long pause(int times) {
    double full = (double) limits.firstPause().toNanos() * Math.pow(2, Math.min(times - 1, 30));
    return (long) Math.min(full, (double) limits.maxPause().toNanos());
  }

  private void tell(Grant grant, M message, Disposition disposition) {
    grant.untold++;
    pending.add(new Pending(grant, message, disposition));
  }

  /** Its first waiting message goes back, and with it the rest. */
  private void giveBack(Grant grant) {
    if (grant.waiting.isEmpty()) {
      return;
    }
    M first = grant.waiting.remove();
    drop(grant);
    tell(grant, first, new Disposition(Disposition.Status.RETRY, null));
  }

  /** Nothing more of it is handled here. */
  private void drop(Grant grant) {
    grant.isUndecided = false;
    if (!grant.waiting.isEmpty()) {
      out.add(new Action.Lost<>(List.copyOf(grant.waiting)));
      grant.waiting.clear();
    }
  }

  /** Forgets a grant when it is done, and its lease with the last one. */
  private void settle(Grant grant) {
    if (!grant.isDone()) {
      return;
    }
    grant.lease.grants.remove(grant);
    if (grant.lease.grants.isEmpty()) {
      leases.remove(grant.lease.id, grant.lease);
    }
    Deque<Grant> lane = lanes.get(grant.lane);
    if (lane != null) {
      lane.remove(grant);
      if (lane.isEmpty()) {
        lanes.remove(grant.lane);
      } else {
        offer(grant.lane);
      }
    }
  }

  /** Puts a lane in the line for a handler if it has something to handle. */
  private void offer(String lane) {
    Grant grant = head(lane);
    if (grant != null && isStartable(grant)) {
      ready.add(lane);
    }
  }

  private boolean isStartable(Grant grant) {
    return !grant.isRunning && !grant.isUndecided && !grant.waiting.isEmpty();
  }

  /** The grant whose turn it is: one that the lane must wait for, or the first with messages. */
  private @Nullable Grant head(String lane) {
    Deque<Grant> grants = lanes.get(lane);
    if (grants == null) {
      return null;
    }
    for (Grant grant : grants) {
      if (grant.isRunning || grant.isUndecided) {
        return grant;
      }
    }
    for (Grant grant : grants) {
      if (!grant.waiting.isEmpty()) {
        return grant;
      }
    }
    return null;
  }

  private static Duration clamp(Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0) {
      return least;
    }
    return value.compareTo(most) > 0 ? most : value;
  }
}
