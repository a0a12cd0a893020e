package dev.queenmq.server.sidecar.waiting;

import dev.queenmq.server.model.PartitionBatch;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled.EmptyReason;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.SkippedPartition;
import dev.queenmq.server.model.polling.ReadyPartition;
import dev.queenmq.server.model.polling.ReconcilePage;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where polls wait for messages, without a thread, a connection or a statement of their own.
 *
 * <p>A state machine: events go in as method calls with the time, and {@link Action}s come out,
 * which the caller takes with {@link #next} after each call. It knows no clock, thread or database.
 * A shell asks PostgreSQL, sets the one timer ({@link #nextAlarm}) and answers clients; a test
 * drives millions of random events through the room in virtual time.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li><b>No poll is answered "empty" wrongly.</b> A poll gets no messages only if, after it
 *       arrived, PostgreSQL was asked for everything that the room believes to be leased, delayed,
 *       paused or empty; or if PostgreSQL cannot be asked.
 *   <li><b>No poll waits long while there is a free message.</b> An event at this broker wakes
 *       polls at once. An event elsewhere is noticed by a packet, by the next query of the tail, or
 *       by a check of what is held, whichever is first.
 *   <li><b>Every poll is answered at its deadline</b>, or when the question that is in progress
 *       then ends.
 *   <li><b>Nothing is kept for polls that have left</b>, except a queue's list for a few minutes.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p>Polls of one queue and consumer group form a {@link WaitGroup} with a {@link ReadyList}. A
 * group has at most one question under way, which carries all of its polls for which there is a
 * candidate; the first to come gets the first candidate. So a thousand polls cost one statement.
 *
 * <p><b>Turns.</b> Every event gets a number. A poll knows its own, a question its own, and a list
 * knows for each partition the number of the question that last showed what holds it. "After it
 * arrived" is a comparison of numbers, not of times.
 *
 * <p><b>Partitions that are not on a list are believed to be empty.</b> That is right if all were
 * listed once ({@link ListCoverage}) and all appends since then are known. Own appends are events;
 * those of others are found in the tail. So one query of the tail that began after a poll arrived
 * proves, for all polls of the broker, that everything off the list is empty. Partitions that are
 * listed as held are asked for on behalf of polls that cannot wait.
 *
 * <p><b>Suspicion.</b> If only this broker grants leases and takes acks, its list is exact, and
 * checking it would be a futile question for every waiting poll. While other brokers are up, as
 * each look at the tail says, the room is suspicious: each poll that arrives asks once for what is
 * held, and each look asks again while a poll waits. So it is for a minute after any other sign
 * that others consume (a foreign append, an ack of a foreign lease, a lease that ended early). A
 * broker that is alone ignores these signs: it causes them itself, when a look shows an own append
 * before the push is answered. Heeding them made two of three questions futile.
 *
 * <p><b>Hints.</b> Partitions that another broker has announced as leased are tried last, but
 * always tried. Putting them off for a second was tried: a consumer that sends each request to
 * another broker became ten times slower than without hints.
 *
 * <p><b>Announcing.</b> Other brokers send packets about a queue only to those that announced a
 * poll for it. A poll is announced when there is nothing to ask for on its behalf. On arrival would
 * be too early: consumers of a backlog find messages at once, and need no packets.
 *
 * <p><b>Handing over.</b> A push whose messages a poll waits for may lease them by its own commit
 * ({@link #claim}). The poll is then asked for in the sense of this class, outside the question of
 * its group, and the partition as well. If the push takes long, the poll is let go, and messages
 * that are leased for it after all are given back.
 *
 * <p><b>Failures.</b> A question that fails leaves the list as it was. Polls that can wait try
 * again after an interval; the others are answered empty, since the fault may pass.
 */
public final class WaitingRoom {
  /** How long after the last sign the room assumes that other brokers consume too. */
  private static final long SUSPICION_MILLIS = 60_000;

  /** How many held partitions of a group are checked at a time. */
  private static final int DOUBTS = 50;

  /** After this long the list of a queue is read again, if a poll needs it. */
  private static final long RELIST_MILLIS = 600_000;

  /** How long the list of a group without polls is kept. */
  private static final long FORGET_MILLIS = 300_000;

  /** A moment that has passed may not be seen as such yet by the database. */
  private static final long SOONEST_MILLIS = 5;

  private final BackoffRules rules;
  private final Hints hints;
  private final ToLongFunction<Instant> when;
  private final Map<String, QueueWaiters> rooms = new HashMap<>();
  private final Set<WaitGroup> occupied = new LinkedHashSet<>();
  private final Map<QueueGroup, Long> abandoned = new LinkedHashMap<>();
  private final NavigableSet<Alarm> alarms = new TreeSet<>();
  private final Deque<Action> actions = new ArrayDeque<>();
  private long turn;
  private long alarmSerial;
  private long looksDone;

  /** The turn at which a look at the tail was last wanted; none is needed for older polls. */
  private long lookWanted = Long.MIN_VALUE;

  private long suspiciousUntil = Long.MIN_VALUE;

  /** No other broker is up, as the last look at the tail says. */
  private boolean alone;

  private boolean closing;

  /**
   * An empty room.
   *
   * @param when the moment, on the clock of the caller, at which the database's shows this
   */
  public WaitingRoom(BackoffRules rules, Hints hints, ToLongFunction<Instant> when) {
    this.rules = rules;
    this.hints = hints;
    this.when = when;
  }

  /** What is to be done next; null: nothing more. To be asked after each event until then. */
  public @Nullable Action next() {
    return actions.poll();
  }

  /** When {@link #alarm} is to be called, at the latest. */
  public long nextAlarm() {
    return alarms.isEmpty() ? ReadyList.NEVER : alarms.first().at();
  }

  // What clients do.

  /**
   * A poll arrives.
   *
   * @param looksBegun how many looks at the tail have begun so far
   */
  public Waiter enter(PollRequest request, long looksBegun, long now) {
    Waiter waiter = new Waiter(request, ++turn, looksBegun);
    WaitGroup group = group(request);
    boolean first = group.waiters.isEmpty();
    group.waiters.add(waiter);
    group.eager.add(waiter);
    if (group instanceof QueueGroup whole) {
      abandoned.remove(whole);
    }
    occupied.add(group);
    if (request.patience().isZero()) {
      waiter.become(WaiterState.LEAVING);
    } else {
      group.unannounced.add(waiter);
      // Part of this millisecond has passed before it came: it must not be answered early.
      waiter.deadline = alarm(now + request.patience().toMillis() + 1, () -> deadline(waiter));
    }
    if (group instanceof PartitionGroup one && first) {
      // Without a poll no events were recorded: nothing is known.
      one.list.question(PartitionGroup.IT, turn);
    }
    serve(group, now);
    return waiter;
  }

  /** The client of a poll has gone. */
  public void cancel(Waiter waiter, long now) {
    turn++;
    if (waiter.state == WaiterState.DONE || waiter.state == WaiterState.CANCELLED) {
      return;
    }
    WaitGroup group = group(waiter.request());
    if (waiter.isAsked()) {
      waiter.become(WaiterState.CANCELLED);
      group.eager.remove(waiter);
      noDeadline(waiter);
      return;
    }
    leave(group, waiter, now);
    actions.add(new Action.Drop(waiter));
    settle(group, now);
  }

  /**
   * The client of a poll waits no longer. If the store is being asked for it, it gets the answer.
   */
  public void end(Waiter waiter, long now) {
    turn++;
    if (waiter.state == WaiterState.WAITING) {
      // Not before: the group of a poll that is answered may be gone.
      WaitGroup group = group(waiter.request());
      leave(group, waiter, now);
      actions.add(new Action.Drop(waiter));
      settle(group, now);
    } else if (waiter.state == WaiterState.ASKED) {
      noDeadline(waiter);
      deadline(waiter);
    }
  }

  /** Answers all polls with nothing. No poll waits from now on. */
  public void close(long now) {
    closing = true;
    List.copyOf(occupied).forEach(group -> dismissAll(group, now));
  }

  /** Those that the store is asked for get what it says. */
  private void dismissAll(WaitGroup group, long now) {
    for (Waiter waiter : List.copyOf(group.waiters)) {
      if (!waiter.isAsked()) {
        dismiss(group, waiter, EmptyReason.TIMED_OUT, now);
      }
    }
  }

  // What is heard.

  /** A partition got messages. */
  public void appended(String queue, String partition, UUID partitionId, long now) {
    appended(queue, partition, partitionId, Optional.empty(), now);
  }

  /**
   * A partition got messages.
   *
   * @param leasedTo the group that got a lease on them by the same commit: see {@link #served}
   */
  public void appended(
      String queue, String partition, UUID partitionId, Optional<String> leasedTo, long now) {
    turn++;
    QueueWaiters room = rooms.get(queue);
    if (room == null) {
      return;
    }
    Collection<QueueGroup> concerned =
        leasedTo.isEmpty()
            ? room.groups()
            : room.groups().stream().filter(group -> !group.group.equals(leasedTo.get())).toList();
    concerned.forEach(group -> group.list.appended(partitionId, turn));
    room.named(partition).forEach(group -> group.list.question(PartitionGroup.IT, turn));
    wake(concerned, now);
    wake(room.named(partition), now);
  }

  /** Others append or consume as well. */
  public void foreign(long now) {
    suspiciousUntil = now + SUSPICION_MILLIS;
  }

  /** What has happened looks as if others consumed as well. */
  private void seemsForeign(long now) {
    if (!alone) {
      foreign(now);
    }
  }

  /**
   * A group's lease on a partition is over, by a call of this broker.
   *
   * @param done all that was leased is done
   */
  public void released(
      String queue,
      String partition,
      UUID partitionId,
      String group,
      Optional<UUID> lease,
      boolean done,
      long now) {
    turn++;
    QueueWaiters room = rooms.get(queue);
    if (room == null) {
      return;
    }
    QueueGroup whole = room.group(group);
    if (whole != null) {
      if (whole.list.ended(partitionId, lease, done, turn)) {
        seemsForeign(now);
      }
      wake(List.of(whole), now);
    }
    PartitionGroup one = room.named(partition, group);
    if (one != null) {
      one.list.question(PartitionGroup.IT, turn);
      wake(List.of(one), now);
    }
  }

  /** Another broker reports that a group's lease on a partition is over. */
  public void freed(String queue, String partition, UUID partitionId, String group, long now) {
    turn++;
    foreign(now);
    QueueWaiters room = rooms.get(queue);
    if (room == null) {
      return;
    }
    QueueGroup whole = room.group(group);
    if (whole != null) {
      whole.list.freed(partitionId, turn);
      wake(List.of(whole), now);
    }
    PartitionGroup one = room.named(partition, group);
    if (one != null) {
      one.list.freed(PartitionGroup.IT, turn);
      wake(List.of(one), now);
    }
  }

  /** A group was moved on a queue: list it again. */
  public void moved(String queue, String group, long now) {
    turn++;
    QueueWaiters room = rooms.get(queue);
    if (room == null) {
      return;
    }
    List<WaitGroup> concerned =
        room.all().stream().filter(each -> each.group.equals(group)).toList();
    for (WaitGroup each : concerned) {
      if (each instanceof QueueGroup whole) {
        whole.list.clear(turn);
      }
      unknown(each);
    }
    wake(concerned, now);
  }

  /** A queue has changed: list it again. */
  public void changed(String queue, long now) {
    turn++;
    QueueWaiters room = rooms.get(queue);
    if (room != null) {
      List<WaitGroup> concerned = room.all();
      concerned.forEach(this::unknown);
      wake(concerned, now);
    }
  }

  /** Events may have been lost: list all queues again. */
  public void allChanged(long now) {
    List.copyOf(rooms.keySet()).forEach(queue -> changed(queue, now));
  }

  /** Pops of a queue go on after a pause. */
  public void resumed(String queue, long now) {
    turn++;
    QueueWaiters room = rooms.get(queue);
    if (room != null) {
      List<WaitGroup> concerned = room.all();
      for (WaitGroup each : concerned) {
        each.resumed();
        if (each instanceof PartitionGroup one) {
          one.list.question(PartitionGroup.IT, turn);
        }
      }
      wake(concerned, now);
    }
  }

  /** A partition is gone; one of the same name may be there already. */
  public void gone(String queue, String partition, UUID partitionId, long now) {
    turn++;
    QueueWaiters room = rooms.get(queue);
    if (room != null) {
      room.groups().forEach(group -> group.list.forget(partitionId));
      room.named(partition).forEach(group -> group.list.question(PartitionGroup.IT, turn));
      wake(room.groups(), now);
      wake(room.named(partition), now);
    }
  }

  private void unknown(WaitGroup group) {
    group.resumed();
    if (group instanceof QueueGroup whole) {
      if (whole.listing.reading()) {
        whole.list.listingEnds();
      }
      whole.listing = whole.listing.next(ListCoverage.UNKNOWN);
      whole.listingTurn = turn;
    } else {
      group.list.question(PartitionGroup.IT, turn);
    }
  }

  private void wake(Collection<? extends WaitGroup> groups, long now) {
    for (WaitGroup group : List.copyOf(groups)) {
      group.backoff.reset();
      // Something was stored or answered: PostgreSQL is there.
      group.retryAt = Long.MIN_VALUE;
      serve(group, now);
    }
  }

  // Time and the tail.

  /** A moment has come for which an alarm was set. */
  public void alarm(long now) {
    turn++;
    while (!alarms.isEmpty() && alarms.first().at() <= now) {
      alarms.pollFirst().rings().run();
    }
    List<WaitGroup> rung = new ArrayList<>(ringing);
    ringing.clear();
    rung.forEach(group -> serve(group, now));
  }

  /** The groups for which an alarm rings. */
  private final Set<WaitGroup> ringing = new LinkedHashSet<>();

  private void deadline(Waiter waiter) {
    waiter.deadline = null;
    waiter.become(waiter.isAsked() ? WaiterState.LEAVING_ASKED : WaiterState.LEAVING);
    WaitGroup group = group(waiter.request());
    group.eager.add(waiter);
    ringing.add(group);
  }

  /**
   * The tail was queried, and its events have been applied.
   *
   * @param look the number of the look: how many had begun, with it
   * @param others whether other brokers are up
   */
  public void looked(long look, boolean others, long now) {
    turn++;
    alone = !others;
    if (others) {
      foreign(now);
    }
    looksDone = Math.max(looksDone, look);
    long doubtful = now - (isSuspicious(now) ? rules.closeMillis() : rules.maxMillis());
    for (WaitGroup group : List.copyOf(occupied)) {
      boolean due = group.backoff.due(now);
      if (group.state == GroupState.IDLE && (due || isSuspicious(now))) {
        group.list.doubt(doubtful, DOUBTS);
      }
      if (due) {
        group.backoff.looked(false, now);
      }
      serve(group, now);
    }
    forget(now);
  }

  /** The tail could not be looked at. */
  public void lookFailed(long now) {
    turn++;
    for (WaitGroup group : List.copyOf(occupied)) {
      if (group instanceof QueueGroup) {
        dismissLeaving(group, now);
      }
    }
  }

  private boolean isSuspicious(long now) {
    return now < suspiciousUntil;
  }

  private void forget(long now) {
    Iterator<Map.Entry<QueueGroup, Long>> oldest = abandoned.entrySet().iterator();
    while (oldest.hasNext()) {
      Map.Entry<QueueGroup, Long> next = oldest.next();
      if (now - next.getValue() < FORGET_MILLIS) {
        return;
      }
      oldest.remove();
      remove(next.getKey());
    }
  }

  // What the store says.

  /** The answers to a question, one for each request. */
  public void answered(Question question, List<PopOutcome> outcomes, long now) {
    turn++;
    WaitGroup group = question.group;
    group.state = group.state.next(GroupState.IDLE);
    group.retryAt = Long.MIN_VALUE;
    if (question.asks.isEmpty()) {
      contacted(question, outcomes.get(0), now);
      return;
    }
    boolean found = false;
    for (int i = 0; i < question.asks.size(); i++) {
      found |= answered(question, question.asks.get(i), outcomes.get(i), now);
    }
    group.backoff.release(found, now);
    if (closing) {
      dismissLeaving(group, now);
      dismissAll(group, now);
    }
    serve(group, now);
  }

  private boolean answered(Question question, Ask ask, PopOutcome outcome, long now) {
    WaitGroup group = question.group;
    Waiter waiter = ask.waiter();
    boolean cancelled = waiter.state == WaiterState.CANCELLED;
    if (!(outcome instanceof PopOutcome.Served served)) {
      ask.candidates().forEach(id -> group.list.unanswered(id, question.turn));
      leave(group, waiter, now);
      actions.add(
          new Action.Refuse(
              waiter,
              outcome instanceof PopOutcome.Rejected rejected
                  ? rejected.problem().text()
                  : "Internal error"));
      return false;
    }
    announceLeases(group, served, now);
    if (group.learn(question.turn, ask, served, learning(group, now))) {
      seemsForeign(now);
    }
    if (served.batches().isEmpty()) {
      if (cancelled) {
        leave(group, waiter, now);
        actions.add(new Action.Drop(waiter));
      } else {
        waiter.askedInVain();
        notAsked(waiter);
      }
      return false;
    }
    leave(group, waiter, now);
    if (cancelled) {
      actions.add(new Action.GiveBack(group.group, served.batches(), served.memory()));
      actions.add(new Action.Drop(waiter));
    } else {
      actions.add(new Action.Deliver(waiter, served.batches(), served.memory()));
    }
    return true;
  }

  // What pushes hand over.

  /**
   * A push to a partition is about to be sent: the poll that is to get what it appends, if one
   * waits whose group has nothing to get first. One of {@link #served} and {@link #unserved}
   * follows.
   */
  public Optional<Claim> claim(String queue, UUID partitionId, long now) {
    QueueWaiters room = rooms.get(queue);
    if (room == null || closing) {
      return Optional.empty();
    }
    for (QueueGroup group : room.groups()) {
      Optional<Ask> ask = group.askAhead(partitionId, now);
      if (ask.isPresent()) {
        ask.get().waiter().become(WaiterState.ASKED);
        Claim claim = new Claim(new Question(++turn, group, List.of(ask.get())), ask.get());
        long limit = now + Claim.LIMIT_MILLIS;
        claim.limit =
            alarm(
                limit,
                () -> {
                  letGo(claim, limit);
                  ringing.add(group);
                });
        return Optional.of(claim);
      }
    }
    return Optional.empty();
  }

  /** The push has leased messages to the group of a claimed poll. */
  public void served(Claim claim, PopOutcome.Served served, long now) {
    turn++;
    WaitGroup group = claim.question.group;
    if (claim.limit != null && claim.ask.waiter().isAsked()) {
      noLimit(claim);
      answered(claim.question, claim.ask, served, now);
      group.backoff.reset();
    } else {
      // A question may be under way that did not see the lease, or the messages.
      letGo(claim, now);
      group.list.question(claim.partitionId(), turn);
      actions.add(new Action.GiveBack(group.group, served.batches(), served.memory()));
    }
    serve(group, now);
  }

  /** The push has leased nothing to the group of a claimed poll. */
  public void unserved(Claim claim, long now) {
    turn++;
    letGo(claim, now);
    if (closing) {
      dismissLeaving(claim.question.group, now);
      dismissAll(claim.question.group, now);
    }
    serve(claim.question.group, now);
  }

  private void noLimit(Claim claim) {
    if (claim.limit != null) {
      alarms.remove(claim.limit);
      claim.limit = null;
    }
  }

  /**
   * The poll waits as before, if it was not let go already, and its group asks for the partition as
   * for any other.
   */
  private void letGo(Claim claim, long now) {
    if (claim.limit == null) {
      return;
    }
    noLimit(claim);
    WaitGroup group = claim.question.group;
    Waiter waiter = claim.ask.waiter();
    group.list.unanswered(claim.partitionId(), claim.question.turn);
    if (waiter.state == WaiterState.CANCELLED) {
      leave(group, waiter, now);
      actions.add(new Action.Drop(waiter));
    } else if (waiter.isAsked()) {
      notAsked(waiter);
    }
  }

  private static void notAsked(Waiter waiter) {
    waiter.become(waiter.isLeaving() ? WaiterState.LEAVING : WaiterState.WAITING);
  }

  /** Other brokers need not try what is leased now; and where it is, is worth remembering. */
  private void announceLeases(WaitGroup group, PopOutcome.Served served, long now) {
    List<UUID> leased = new ArrayList<>();
    long until = now;
    for (PartitionBatch batch : served.batches()) {
      if (group instanceof PartitionGroup) {
        actions.add(new Action.NoteMet(batch.queue(), batch.partition(), batch.partitionId()));
      }
      if (batch.lease().isPresent()) {
        leased.add(batch.partitionId());
        until = when.applyAsLong(batch.lease().get().expiresAt());
      }
    }
    for (SkippedPartition passed : served.passed()) {
      if (passed.reason() == SkippedPartition.Reason.LEASED && passed.partitionId().isPresent()) {
        actions.add(new Action.NoteRefused(passed.partitionId().get(), group.group));
      }
    }
    if (!leased.isEmpty()) {
      actions.add(
          new Action.AnnounceLeases(
              group.queue, group.group, leased, Duration.ofMillis(Math.max(0, until - now))));
    }
  }

  private WaitGroup.Learning learning(WaitGroup group, long now) {
    return new WaitGroup.Learning() {
      @Override
      public long now() {
        return now;
      }

      @Override
      public long dueAt(SkippedPartition passed) {
        long due = passed.dueAt().map(when::applyAsLong).orElse(now + rules.maxMillis());
        return Math.max(due, now + SOONEST_MILLIS);
      }

      @Override
      public long until(PartitionBatch batch) {
        return when.applyAsLong(batch.lease().orElseThrow().expiresAt());
      }

      @Override
      public long probeAt() {
        return now + rules.maxMillis();
      }

      @Override
      public void missing() {
        if (group instanceof PartitionGroup one) {
          actions.add(new Action.NoteMissing(one.queue, one.partition));
        }
      }
    };
  }

  /** The first contact is recorded: now find out which partitions have something. */
  private void contacted(Question question, PopOutcome outcome, long now) {
    QueueGroup group = (QueueGroup) question.group;
    group.backoff.release(true, now);
    if (outcome instanceof PopOutcome.Rejected rejected) {
      for (Waiter waiter : List.copyOf(group.waiters)) {
        leave(group, waiter, now);
        actions.add(new Action.Refuse(waiter, rejected.problem().text()));
      }
      return;
    }
    // Unless the group was moved meanwhile, perhaps deleted: then it is recorded again.
    if (group.listingTurn < question.turn) {
      read(group, ListCoverage.STARTING);
    }
    serve(group, now);
  }

  private void read(QueueGroup group, ListCoverage listing) {
    group.listing = group.listing.next(listing);
    group.listingTurn = ++turn;
    group.list.listingBegins();
    page(group, Optional.empty());
  }

  private void page(QueueGroup group, Optional<String> after) {
    actions.add(
        new Action.ReadPage(
            new Question(group.listingTurn, group, List.of()), group.queue, group.group, after));
  }

  /** A page of a queue's partitions. */
  public void read(Question question, ReconcilePage page, long now) {
    turn++;
    QueueGroup group = (QueueGroup) question.group;
    if (question.turn != group.listingTurn || !group.listing.reading()) {
      return;
    }
    for (ReadyPartition each : page.ready()) {
      long free = each.freeAt().map(when::applyAsLong).orElse(Long.MIN_VALUE);
      group.list.listed(each.partitionId(), free, question.turn, now);
    }
    if (page.next().isPresent()) {
      if (group.listing == ListCoverage.STARTING) {
        group.listing = group.listing.next(ListCoverage.RUNNING);
      }
      page(group, page.next());
    } else {
      group.listing = group.listing.next(ListCoverage.COMPLETE);
      group.listedAt = now;
      group.list.listingEnds();
    }
    serve(group, now);
  }

  /** A question could not be answered. */
  public void failed(Question question, long now) {
    turn++;
    WaitGroup group = question.group;
    if (group instanceof QueueGroup whole
        && question.turn == whole.listingTurn
        && whole.listing.reading()) {
      whole.list.listingEnds();
      whole.listing =
          whole.listing.next(
              whole.listing == ListCoverage.RENEWING
                  ? ListCoverage.COMPLETE
                  : ListCoverage.UNKNOWN);
      whole.listingTurn = turn;
    } else if (question.turn == group.asking) {
      group.state = group.state.next(GroupState.IDLE);
      group.backoff.release(false, now);
      for (Ask ask : question.asks) {
        ask.candidates().forEach(id -> group.list.unanswered(id, question.turn));
        if (ask.waiter().state == WaiterState.CANCELLED) {
          leave(group, ask.waiter(), now);
          actions.add(new Action.Drop(ask.waiter()));
        } else {
          notAsked(ask.waiter());
        }
      }
    }
    group.retryAt = now + group.backoff.intervalMillis();
    dismissLeaving(group, now);
    if (closing) {
      dismissAll(group, now);
    }
    settle(group, now);
  }

  // Serving.

  /** Asks the store on behalf of waiting polls, if there is a sign that it has messages. */
  private void serve(WaitGroup group, long now) {
    if (group.waiters.isEmpty() || group.state != GroupState.IDLE || closing) {
      settle(group, now);
      return;
    }
    if (group instanceof QueueGroup whole) {
      if (whole.listing == ListCoverage.UNKNOWN) {
        contact(whole, now);
        return;
      }
      if (whole.listing == ListCoverage.STARTING) {
        settle(group, now);
        return;
      }
      if (whole.listing == ListCoverage.COMPLETE && now - whole.listedAt > RELIST_MILLIS) {
        read(whole, ListCoverage.RENEWING);
      }
    }
    List<Ask> asks = group.asks(now, isSuspicious(now));
    if (asks.isEmpty()) {
      settle(group, now);
      return;
    }
    group.state = group.state.next(GroupState.ASKING);
    group.asking = ++turn;
    group.backoff.tryAcquire();
    for (Ask ask : asks) {
      Waiter waiter = ask.waiter();
      waiter.become(waiter.isLeaving() ? WaiterState.LEAVING_ASKED : WaiterState.ASKED);
    }
    actions.add(
        new Action.Pop(
            new Question(group.asking, group, asks), asks.stream().map(Ask::request).toList()));
    // Polls at their deadline need a look at the tail as well, which can run meanwhile.
    settle(group, now);
  }

  private void contact(QueueGroup group, long now) {
    if (now < group.retryAt && group.waiters.stream().noneMatch(Waiter::isLeaving)) {
      settle(group, now);
      return;
    }
    PollRequest first = group.waiters.iterator().next().request();
    group.state = group.state.next(GroupState.CONTACTING);
    group.asking = ++turn;
    group.backoff.tryAcquire();
    actions.add(
        new Action.Pop(
            new Question(group.asking, group, List.of()),
            List.of(
                new PopRequest(
                    new PopTarget.Candidates(Optional.of(group.queue), List.of()),
                    group.group,
                    1,
                    1,
                    first.autoAck(),
                    first.subscription()))));
  }

  /** Answers the polls for which it is proven that there is nothing, and sets the group's alarm. */
  private void settle(WaitGroup group, long now) {
    boolean look = false;
    // What the next question is going to ask for: a poll that gets it needs no look.
    int candidates = group.state == GroupState.IDLE ? 0 : group.list.readyCount();
    for (Waiter waiter : List.copyOf(group.eager)) {
      if (waiter.state == WaiterState.LEAVING) {
        if (group.isStopped(waiter) || group.proven(waiter, looksDone)) {
          dismiss(group, waiter, group.reason(waiter), now);
        } else if (group instanceof QueueGroup && looksDone <= waiter.looksBefore) {
          look |= candidates <= 0 && lookWanted < waiter.arrived;
          candidates--;
        }
      }
    }
    announce(group);
    if (look) {
      lookWanted = turn;
      actions.add(new Action.Look());
    }
    long due =
        group.waiters.isEmpty() || group.state != GroupState.IDLE
            ? ReadyList.NEVER
            : group.nextDue();
    if (group.alarm == null ? due != ReadyList.NEVER : group.alarm.at() != due) {
      if (group.alarm != null) {
        alarms.remove(group.alarm);
        group.alarm = null;
      }
      if (due != ReadyList.NEVER) {
        group.alarm =
            alarm(
                Math.max(due, now + 1),
                () -> {
                  group.alarm = null;
                  group.backoff.reset();
                  ringing.add(group);
                });
      }
    }
  }

  /**
   * Lets other brokers know of the polls that have to wait. Not before there is nothing to ask for
   * on their behalf: a consumer that finds something whenever it asks needs no packets, and a
   * packet for each of its acks would only cost.
   */
  private void announce(WaitGroup group) {
    if (group.unannounced.isEmpty() || group.mayHaveMore()) {
      return;
    }
    for (Waiter waiter : List.copyOf(group.unannounced)) {
      if (waiter.state == WaiterState.WAITING) {
        group.unannounced.remove(waiter);
        waiter.announced = true;
        actions.add(new Action.AnnounceWaiting(group.queue));
      }
    }
  }

  private void dismissLeaving(WaitGroup group, long now) {
    for (Waiter waiter : List.copyOf(group.eager)) {
      if (waiter.state == WaiterState.LEAVING) {
        dismiss(group, waiter, group.reason(waiter), now);
      }
    }
  }

  private void dismiss(WaitGroup group, Waiter waiter, EmptyReason why, long now) {
    leave(group, waiter, now);
    actions.add(new Action.Dismiss(waiter, why));
  }

  private void leave(WaitGroup group, Waiter waiter, long now) {
    waiter.become(WaiterState.DONE);
    group.waiters.remove(waiter);
    group.eager.remove(waiter);
    group.unannounced.remove(waiter);
    if (waiter.announced) {
      waiter.announced = false;
      actions.add(new Action.AnnounceGone(group.queue));
    }
    noDeadline(waiter);
    if (group.waiters.isEmpty()) {
      occupied.remove(group);
      if (group instanceof QueueGroup whole) {
        abandoned.put(whole, now);
      } else if (group.state == GroupState.IDLE) {
        remove(group);
      }
    }
  }

  private void noDeadline(Waiter waiter) {
    if (waiter.deadline != null) {
      alarms.remove(waiter.deadline);
      waiter.deadline = null;
    }
  }

  private void remove(WaitGroup group) {
    if (group.alarm != null) {
      alarms.remove(group.alarm);
      group.alarm = null;
    }
    QueueWaiters room = rooms.get(group.queue);
    if (room != null) {
      room.remove(group);
      if (room.isEmpty()) {
        rooms.remove(group.queue);
      }
    }
  }

  private Alarm alarm(long at, Runnable rings) {
    Alarm alarm = new Alarm(at, alarmSerial++, rings);
    alarms.add(alarm);
    return alarm;
  }

  private WaitGroup group(PollRequest request) {
    if (request.target() instanceof PollTarget.Partition target) {
      QueueWaiters room = rooms.computeIfAbsent(target.queue(), name -> new QueueWaiters());
      PartitionGroup group = room.named(target.partition(), request.group());
      if (group == null) {
        group =
            new PartitionGroup(target.queue(), target.partition(), request.group(), rules, hints);
        room.add(group);
      }
      return group;
    }
    if (request.target() instanceof PollTarget.Queue target) {
      QueueWaiters room = rooms.computeIfAbsent(target.queue(), name -> new QueueWaiters());
      QueueGroup group = room.group(request.group());
      if (group == null) {
        group = new QueueGroup(target.queue(), request.group(), rules, hints);
        room.add(group);
      }
      return group;
    }
    throw new IllegalArgumentException("a label has no room of its own");
  }

  // Figures.

  /** How it goes now. */
  public WaitingFigures figures() {
    return WaitingFigures.of(occupied);
  }

  /** How many polls wait for each queue. */
  public void parked(BiConsumer<String, Integer> each) {
    Map<String, Integer> polls = new HashMap<>();
    occupied.forEach(group -> polls.merge(group.queue, group.waiters.size(), Integer::sum));
    polls.forEach(each);
  }

  /** Whether others seem to append or consume as well. */
  public boolean suspicious(long now) {
    return isSuspicious(now);
  }

  /** How much it remembers: groups, polls and alarms. */
  int remembered() {
    return rooms.values().stream().mapToInt(room -> room.all().size()).sum() + alarms.size();
  }
}
