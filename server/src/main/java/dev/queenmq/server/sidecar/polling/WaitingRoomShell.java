package dev.queenmq.server.sidecar.polling;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.Directory.NamedPartition;
import dev.queenmq.server.broker.Peers;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.Polled.EmptyReason;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.polling.ReconcilePage;
import dev.queenmq.server.sidecar.figures.DatabaseClock;
import dev.queenmq.server.sidecar.figures.Traffic;
import dev.queenmq.server.sidecar.waiting.Action;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.sidecar.waiting.Claim;
import dev.queenmq.server.sidecar.waiting.Hints;
import dev.queenmq.server.sidecar.waiting.Waiter;
import dev.queenmq.server.sidecar.waiting.WaitingFigures;
import dev.queenmq.server.sidecar.waiting.WaitingRoom;
import dev.queenmq.server.store.push.WaitingPolls;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a {@link WaitingRoom} on an event loop: passes events to it, and carries out its actions.
 * Belongs to that event loop, but for the figures.
 */
public final class WaitingRoomShell implements WaitingPolls {
  private static final Logger LOG = LoggerFactory.getLogger(WaitingRoomShell.class);
  private static final long NOT_SET = -1;

  /** Partitions per page of a listing. */
  private static final int PAGE = 2000;

  /** Carries out the room's actions. */
  interface Backend {
    Future<List<PopOutcome>> pop(List<PopRequest> requests);

    Future<ReconcilePage> reconcile(
        String queue, String group, Optional<String> after, int partitions);

    /** Wants a look at the tail that begins from now on. */
    void look();

    /** Wants a look at the tail that begins in a moment. */
    void lookSoon();

    /** How many looks have begun. */
    long looksBegun();

    /** Returns messages that cannot be delivered. */
    void release(Polled undelivered);

    /** Whether pops are paused at this broker. */
    boolean popsPaused();

    /** A push has leased messages for a poll. Does something once the push is answered. */
    void served(PopOutcome.Served messages, Runnable next);

    /** A push has leased nothing for a poll. Does something once the push is answered. */
    void unserved(Runnable next);
  }

  private final Vertx vertx;
  private final DatabaseClock clock;
  private final BackoffRules rules;
  private final Backend backend;
  private final Peers peers;
  private final Traffic traffic;
  private final WaitingRoom room;
  private final Map<Waiter, Promise<Polled>> answers = new HashMap<>();
  private final Map<String, Set<Runnable>> listeners = new HashMap<>();
  private long timer = NOT_SET;
  private long timerAt = Long.MAX_VALUE;
  private boolean acting;
  private volatile WaitingFigures figures = WaitingFigures.NONE;
  private volatile boolean suspicious;
  private volatile int shortestInterval = Integer.MAX_VALUE;

  public WaitingRoomShell(
      Vertx vertx,
      DatabaseClock clock,
      BackoffRules rules,
      Backend backend,
      Peers peers,
      Traffic traffic) {
    this.vertx = vertx;
    this.clock = clock;
    this.rules = rules;
    this.backend = backend;
    this.peers = peers;
    this.traffic = traffic;
    this.room =
        new WaitingRoom(
            rules,
            new Hints() {
              @Override
              public boolean leasedElsewhere(UUID partitionId, String group) {
                return peers.leasedElsewhere(partitionId, group);
              }

              @Override
              public Optional<UUID> partitionId(String queue, String partition) {
                return peers.partitionId(queue, partition);
              }
            },
            clock::when);
  }

  /** A poll for what a push is about to append. */
  @Override
  public Optional<WaitingPoll> claim(String queue, UUID partitionId) {
    if (backend.popsPaused()) {
      return Optional.empty();
    }
    Optional<Claim> claim = room.claim(queue, partitionId, clock.now());
    claim.ifPresent(claimed -> setTimer());
    return claim.map(Claimed::new);
  }

  /**
   * A poll that a push serves. It is answered after the push, so that the next push is sent first.
   */
  private final class Claimed implements WaitingPoll {
    private final Claim claim;

    Claimed(Claim claim) {
      this.claim = claim;
    }

    @Override
    public PopRequest request() {
      return claim.request();
    }

    @Override
    public void served(PopOutcome.Served messages) {
      backend.served(messages, () -> event(now -> room.served(claim, messages, now)));
    }

    @Override
    public void unserved() {
      backend.unserved(() -> event(now -> room.unserved(claim, now)));
    }

    @Override
    public void unknown(PopOutcome.Served messages) {
      unserved();
      backend.release(
          new Polled(
              claim.request().group(), messages.batches(), EmptyReason.NONE, messages.memory()));
    }
  }

  /** The figures as of the last event. For any thread. */
  public WaitingFigures figures() {
    return figures;
  }

  private void showFigures() {
    figures = room.figures();
    shortestInterval = figures.shortestMillis();
  }

  /**
   * The interval at which waiting polls want the tail to be queried; the largest number if none
   * waits. For any thread.
   */
  int shortestInterval() {
    return shortestInterval;
  }

  /** Whether others seem to append or consume as well. For any thread. */
  boolean suspicious() {
    return suspicious;
  }

  /** A poll in the room. */
  final class Stay {
    private final Waiter waiter;
    private final Future<Polled> answer;

    private Stay(Waiter waiter, Future<Polled> answer) {
      this.waiter = waiter;
      this.answer = answer;
    }

    Future<Polled> answer() {
      return answer;
    }

    /** The client waits no longer. */
    void end() {
      event(now -> room.end(waiter, now));
    }

    /** The client has gone. */
    void cancel() {
      event(now -> room.cancel(waiter, now));
    }
  }

  /** Adds a poll. */
  Stay enter(PollRequest request) {
    Promise<Polled> answer = Promise.promise();
    Waiter waiter = room.enter(request, backend.looksBegun(), clock.now());
    answers.put(waiter, answer);
    if (!request.patience().isZero()) {
      // A look may be due for this group sooner than for those that were here.
      shortestInterval = Math.min(shortestInterval, rules.initialMillis());
    }
    act();
    return new Stay(waiter, answer.future());
  }

  /** Partitions of a queue got messages. */
  void appended(String queue, List<NamedPartition> partitions) {
    appended(queue, partitions, Map.of());
  }

  /**
   * Partitions of a queue got messages.
   *
   * @param leasedTo by partition, the group that got a lease on them by the same commit
   */
  void appended(String queue, List<NamedPartition> partitions, Map<UUID, String> leasedTo) {
    event(
        now ->
            partitions.forEach(
                each ->
                    room.appended(
                        queue,
                        each.partition(),
                        each.partitionId(),
                        Optional.ofNullable(leasedTo.get(each.partitionId())),
                        now)));
    ring(queue);
  }

  /** The same, by others. */
  public void appendedElsewhere(String queue, List<NamedPartition> partitions) {
    event(room::foreign);
    appended(queue, partitions);
  }

  /** See {@link WaitingRoom#released}. */
  void released(
      String queue,
      String partition,
      UUID partitionId,
      String group,
      Optional<UUID> lease,
      boolean done) {
    event(now -> room.released(queue, partition, partitionId, group, lease, done, now));
    ring(queue);
  }

  /** See {@link WaitingRoom#freed}. */
  public void freed(String queue, String partition, UUID partitionId, String group) {
    event(now -> room.freed(queue, partition, partitionId, group, now));
    ring(queue);
  }

  /** See {@link WaitingRoom#moved}. */
  public void moved(String queue, String group) {
    event(now -> room.moved(queue, group, now));
    ring(queue);
  }

  /** See {@link WaitingRoom#resumed}. */
  void resumed(String queue) {
    event(now -> room.resumed(queue, now));
    ring(queue);
  }

  /** See {@link WaitingRoom#gone}. */
  void gone(String queue, String partition, UUID partitionId) {
    event(now -> room.gone(queue, partition, partitionId, now));
    ring(queue);
  }

  /** See {@link WaitingRoom#changed}. */
  public void changed(String queue) {
    event(now -> room.changed(queue, now));
    ring(queue);
  }

  /** See {@link WaitingRoom#allChanged}. */
  void allChanged() {
    event(room::allChanged);
    List.copyOf(listeners.keySet()).forEach(this::ring);
  }

  /**
   * The tail was queried, and its events have been passed on.
   *
   * @param others whether other brokers are up
   */
  void looked(long look, boolean others) {
    room.parked(traffic::parked);
    event(now -> room.looked(look, others, now));
    showFigures();
    suspicious = room.suspicious(clock.now());
  }

  /** The tail could not be looked at. */
  void lookFailed() {
    event(room::lookFailed);
    showFigures();
  }

  /** Answers all polls. */
  public void close() {
    event(room::close);
  }

  /** Called when something happens in a queue. */
  void listen(String queue, Runnable listener) {
    listeners.computeIfAbsent(queue, name -> new LinkedHashSet<>()).add(listener);
    waitingBegan(queue);
  }

  void ignore(String queue, Runnable listener) {
    @Nullable Set<Runnable> those = listeners.get(queue);
    if (those != null && those.remove(listener)) {
      peers.waitingEnded(queue);
      if (those.isEmpty()) {
        listeners.remove(queue);
      }
    }
  }

  private void ring(String queue) {
    List.copyOf(listeners.getOrDefault(queue, Set.of())).forEach(Runnable::run);
  }

  /** Something that happens now. */
  private interface Event {
    void at(long now);
  }

  private void event(Event event) {
    event.at(clock.now());
    act();
  }

  /** Does what the room wants done; what comes of it at once is done by the call that is here. */
  private void act() {
    if (acting) {
      return;
    }
    acting = true;
    try {
      for (Action next = room.next(); next != null; next = room.next()) {
        act(next);
      }
    } finally {
      acting = false;
    }
    setTimer();
  }

  private void act(Action action) {
    if (action instanceof Action.Pop pop) {
      backend
          .pop(pop.requests())
          .onComplete(
              done ->
                  event(
                      now -> {
                        if (done.succeeded()) {
                          room.answered(pop.question(), done.result(), now);
                        } else {
                          room.failed(pop.question(), now);
                        }
                      }));
    } else if (action instanceof Action.ReadPage page) {
      backend
          .reconcile(page.queue(), page.group(), page.after(), PAGE)
          .onComplete(
              done ->
                  event(
                      now -> {
                        if (done.succeeded()) {
                          room.read(page.question(), done.result(), now);
                        } else {
                          LOG.debug("cannot list queue {}", page.queue(), done.cause());
                          room.failed(page.question(), now);
                        }
                      }));
    } else if (action instanceof Action.Look) {
      backend.look();
    } else if (action instanceof Action.Deliver deliver) {
      traffic.delivered(queue(deliver.waiter()), deliver.batches());
      answer(deliver.waiter())
          .tryComplete(
              new Polled(
                  deliver.waiter().request().group(),
                  deliver.batches(),
                  EmptyReason.NONE,
                  deliver.memory()));
    } else if (action instanceof Action.Dismiss dismiss) {
      traffic.nothing(queue(dismiss.waiter()));
      answerNothing(dismiss.waiter(), dismiss.why());
    } else if (action instanceof Action.Drop drop) {
      answerNothing(drop.waiter(), EmptyReason.TIMED_OUT);
    } else if (action instanceof Action.Refuse refuse) {
      answer(refuse.waiter())
          .tryFail(new BrokerException(BrokerException.Kind.INTERNAL, refuse.problem()));
    } else if (action instanceof Action.GiveBack back) {
      backend.release(new Polled(back.group(), back.batches(), EmptyReason.NONE, back.memory()));
    } else {
      announce(action);
    }
  }

  private static String queue(Waiter waiter) {
    return waiter.request().target() instanceof PollTarget.Partition one
        ? one.queue()
        : ((PollTarget.Queue) waiter.request().target()).queue();
  }

  /** What is sent to other brokers, and what is cached of them. */
  private void announce(Action action) {
    if (action instanceof Action.AnnounceLeases it) {
      peers.leased(it.queue(), it.group(), it.partitionIds(), it.lease());
    } else if (action instanceof Action.NoteRefused it) {
      peers.leaseRefused(it.partitionId(), it.group());
    } else if (action instanceof Action.NoteMet it) {
      peers.partitionMet(new NamedPartition(it.partitionId(), it.queue(), it.partition()));
    } else if (action instanceof Action.NoteMissing it) {
      peers.partitionMissing(it.queue(), it.partition());
    } else if (action instanceof Action.AnnounceWaiting it) {
      waitingBegan(it.queue());
    } else if (action instanceof Action.AnnounceGone it) {
      peers.waitingEnded(it.queue());
    }
  }

  private void waitingBegan(String queue) {
    if (peers.waitingBegan(queue)) {
      // Other brokers did not announce to this one what they appended before.
      backend.lookSoon();
    }
  }

  private void answerNothing(Waiter waiter, EmptyReason why) {
    answer(waiter).tryComplete(new Polled(waiter.request().group(), List.of(), why));
  }

  private Promise<Polled> answer(Waiter waiter) {
    @Nullable Promise<Polled> answer = answers.remove(waiter);
    if (answer == null) {
      throw new IllegalStateException("a poll is answered twice");
    }
    return answer;
  }

  private void setTimer() {
    long next = room.nextAlarm();
    if (next == Long.MAX_VALUE || (next >= timerAt && timer != NOT_SET)) {
      return;
    }
    if (timer != NOT_SET) {
      vertx.cancelTimer(timer);
    }
    timerAt = next;
    timer =
        vertx.setTimer(
            Math.max(1, next - clock.now()),
            over -> {
              timer = NOT_SET;
              timerAt = Long.MAX_VALUE;
              event(room::alarm);
            });
  }
}
