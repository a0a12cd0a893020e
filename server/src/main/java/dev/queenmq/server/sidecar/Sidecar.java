package dev.queenmq.server.sidecar;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.CallTracing;
import dev.queenmq.server.broker.Peers;
import dev.queenmq.server.broker.SidecarFigures.OperationFigures;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.sidecar.figures.DatabaseClock;
import dev.queenmq.server.sidecar.figures.OperationStatistics;
import dev.queenmq.server.sidecar.figures.Traffic;
import dev.queenmq.server.sidecar.lane.EventLoop;
import dev.queenmq.server.sidecar.lane.Lane;
import dev.queenmq.server.sidecar.lane.RequestWeight;
import dev.queenmq.server.sidecar.polling.PopBackend;
import dev.queenmq.server.sidecar.polling.WaitingRoomShell;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

/**
 * Carries the operations of one event loop to the store. While a slot is free, requests are sent as
 * soon as the loop has read what its sockets have: requests that arrived together share one call.
 * While all slots are busy requests queue up, and the next call carries all of one kind. Belongs to
 * its event loop.
 */
final class Sidecar {
  private static final int PUSH_ATTEMPTS = 6;
  private static final int POP_ATTEMPTS = 2;
  private static final int ACK_ATTEMPTS = 6;

  /**
   * In one call. Of a segment that is not taken whole, what its messages take is estimated, and may
   * be 128 KiB more: with many such the memory that was reserved would say little.
   */
  private static final int MOST_POPS = 256;

  private static final long STOP_TICK_MILLIS = 10;

  private final int number;
  private final Vertx vertx;
  private final EventLoop loop;
  private final MessageStore store;
  private final SidecarLimits limits;
  private final int slots;
  private final int calls;
  private final GivenBack givenBack;
  private final IntSupplier busy;
  private final List<Lane<?, ?>> lanes;
  private final List<OperationStatistics> statistics = new ArrayList<>();
  private final Lane<Message, PushOutcome> pushes;
  private final Lane<PopRequest, PopOutcome> pops;
  private final Lane<Ack, AckOutcome> acks;
  private final Lane<Transaction, TransactionOutcome> transactions;
  private final Lane<Cycle, CycleOutcome> cycles;
  private final Lane<Renewal, RenewOutcome> renewals;
  private final WaitingRoomShell room;
  private final Traffic traffic;
  private final CallTracing tracing;
  private final LongSupplier nanoTime;
  private final LongAdder databaseErrors = new LongAdder();
  private final AtomicInteger running = new AtomicInteger();
  private int turn;
  private boolean pumping;
  private boolean gathering;
  private boolean holding;
  private boolean stopping;

  /**
   * A sidecar.
   *
   * @param looks the broker's tail queries
   * @param givenBack called for messages that were returned
   * @param wallClock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  Sidecar(
      int number,
      Vertx vertx,
      WorkerContext worker,
      SidecarLimits limits,
      DatabaseClock clock,
      PopBackend.Looks looks,
      GivenBack givenBack,
      Peers peers,
      CallTracing tracing,
      InstantSource wallClock,
      LongSupplier nanoTime) {
    this.number = number;
    this.vertx = vertx;
    this.loop = new EventLoop(worker.context(), worker.thread());
    this.store = worker.store();
    this.limits = limits;
    this.slots = worker.slots();
    this.calls = worker.calls();
    this.givenBack = givenBack;
    this.busy = worker.busy();
    this.tracing = tracing;
    this.nanoTime = nanoTime;
    this.traffic = new Traffic(limits.maxCountedQueues(), clock);
    // Few calls of each kind: they become larger, and a connection is free for the other kinds.
    // One push call at a time, or two full ones over different partitions: the next one carries all
    // that came meanwhile, and the dedup memory has the ids that were pushed to its partitions.
    pushes =
        this.<Message, PushOutcome>lane(
                new OperationStatistics("push"),
                Math.max(1, Math.min(2, slots - 1)),
                PUSH_ATTEMPTS,
                limits.maxItemsPerCall(),
                true,
                limits.pushesOnce(),
                message -> Map.entry(message.queue(), message.partition()),
                this::carry)
            .marking((message, ago) -> message.sentAt(wallClock.instant().minus(ago)));
    OperationStatistics popped = OperationStatistics.ofPops();
    pops =
        lane(
            popped,
            Math.max(1, slots - 1),
            POP_ATTEMPTS,
            Math.min(limits.maxItemsPerCall(), MOST_POPS),
            false,
            false,
            pop -> pop,
            store::pop);
    acks =
        this.<Ack, AckOutcome>lane(
                new OperationStatistics("ack"),
                Math.max(1, slots - 2),
                ACK_ATTEMPTS,
                limits.maxItemsPerCall(),
                false,
                false,
                Ack::partitionId,
                store::ack)
            .ambiguousWhen(AckOutcome::isLeaseLost);
    // Never fused: each is all or nothing. Only a transaction is found if it has happened.
    transactions =
        this.<Transaction, TransactionOutcome>alone(
                OperationStatistics.ofTransactions(),
                ACK_ATTEMPTS,
                one -> new Object(),
                store::transaction)
            .marking((transaction, ago) -> transaction.again());
    cycles = alone(new OperationStatistics("cycle"), 1, Cycle::turn, store::cycle);
    renewals =
        lane(
            new OperationStatistics("renew"),
            1,
            ACK_ATTEMPTS,
            limits.maxItemsPerCall(),
            false,
            false,
            renewal -> renewal,
            store::renew);
    lanes = List.of(pushes, pops, acks, transactions, cycles, renewals);
    room =
        new WaitingRoomShell(
            vertx,
            clock,
            limits.backoff(),
            new PopBackend(
                pops,
                store,
                looks,
                peers::popsPaused,
                this::release,
                popped,
                step -> loop.context().runOnContext(go -> step.run())),
            peers,
            traffic);
    loop.context().runOnContext(go -> new LoopWatch(vertx, new Watched(), nanoTime).start());
  }

  int number() {
    return number;
  }

  EventLoop loop() {
    return loop;
  }

  MessageStore store() {
    return store;
  }

  WaitingRoomShell room() {
    return room;
  }

  Traffic traffic() {
    return traffic;
  }

  /** Requests that wait for a slot. */
  int pending() {
    int pending = 0;
    for (OperationStatistics each : statistics) {
      pending += each.pending();
    }
    return pending;
  }

  int slots() {
    return slots;
  }

  int idleSlots() {
    return slots - Math.min(slots, busy.getAsInt());
  }

  long databaseErrors() {
    return databaseErrors.sum();
  }

  List<OperationFigures> figures() {
    return statistics.stream().map(OperationStatistics::figures).toList();
  }

  Future<List<PushOutcome>> push(List<Message> messages) {
    return accepted(pushes, messages, RequestWeight.of(messages));
  }

  Future<List<AckOutcome>> ack(List<Ack> requested) {
    return accepted(acks, requested, RequestWeight.of(requested.size()));
  }

  Future<TransactionOutcome> transaction(Transaction transaction) {
    return accepted(transactions, List.of(transaction.identified()), RequestWeight.of(transaction))
        .map(one -> one.get(0));
  }

  Future<CycleOutcome> cycle(Cycle cycle) {
    return accepted(cycles, List.of(cycle), RequestWeight.of(cycle)).map(one -> one.get(0));
  }

  Future<RenewOutcome> renew(Renewal renewal) {
    return accepted(renewals, List.of(renewal), RequestWeight.of(1)).map(one -> one.get(0));
  }

  private Future<List<PushOutcome>> carry(List<Message> messages) {
    return store.push(messages, room);
  }

  /** The reason to reject a request; none if it is accepted. */
  Optional<BrokerException> refusal() {
    if (stopping) {
      return Optional.of(
          new BrokerException(BrokerException.Kind.STOPPING, "The broker is stopping"));
    }
    return Optional.empty();
  }

  /** Returns messages that cannot be delivered. */
  void release(Polled undelivered) {
    undelivered.memory().release();
    List<Ack> releases = undelivered.givenBack();
    if (!releases.isEmpty()) {
      acks.add(releases, 0)
          .onSuccess(
              outcomes -> {
                for (int i = 0; i < outcomes.size(); i++) {
                  if (outcomes.get(i) instanceof AckOutcome.Applied applied) {
                    givenBack.accept(
                        applied.queue(),
                        applied.partition(),
                        releases.get(i).partitionId(),
                        undelivered.group());
                  }
                }
              });
    }
  }

  /** Accepts nothing more; completes when everything in progress is answered. */
  Future<Void> stop() {
    stopping = true;
    room.close();
    Promise<Void> done = Promise.promise();
    vertx.setPeriodic(
        STOP_TICK_MILLIS,
        timer -> {
          if (lanes.stream().allMatch(Lane::idle)) {
            vertx.cancelTimer(timer);
            done.tryComplete();
          }
        });
    return done.future();
  }

  private <Q, A> Lane<Q, A> lane(
      OperationStatistics own,
      int concurrent,
      int attempts,
      int maxItems,
      boolean exclusive,
      boolean once,
      Function<Q, Object> place,
      Function<List<Q>, Future<List<A>>> call) {
    statistics.add(own);
    Function<List<Q>, Future<List<A>>> followed = tracing.around(own.name(), call);
    return new Lane<>(
        new Lane.Rules(
            own.name(), maxItems, limits.maxBytesPerCall(), concurrent, attempts, exclusive, once),
        place,
        items -> counted(followed.apply(items)),
        new LaneCarrier(),
        own);
  }

  /** A lane whose requests are never fused. */
  private <Q, A> Lane<Q, A> alone(
      OperationStatistics own,
      int attempts,
      Function<Q, Object> place,
      Function<Q, Future<A>> call) {
    statistics.add(own);
    Function<List<Q>, Future<List<A>>> followed =
        tracing.around(own.name(), one -> call.apply(one.get(0)).map(List::of));
    return new Lane<>(
        new Lane.Rules(
            own.name(), 1, limits.maxBytesPerCall(), slots, attempts, true, attempts == 1),
        place,
        one -> counted(followed.apply(one)),
        new LaneCarrier(),
        own);
  }

  private <T> Future<T> counted(Future<T> call) {
    running.incrementAndGet();
    traffic.called();
    return call.onComplete(done -> running.decrementAndGet());
  }

  private <Q, A> Future<List<A>> accepted(Lane<Q, A> lane, List<Q> items, long bytes) {
    Optional<BrokerException> refusal = refusal();
    if (refusal.isPresent()) {
      return Future.failedFuture(refusal.get());
    }
    int heldItems = 0;
    long heldBytes = 0;
    for (Lane<?, ?> each : lanes) {
      heldItems += each.heldItems();
      heldBytes += each.heldBytes();
    }
    if (heldItems > 0
        && (heldItems + withRoom(items.size(), limits.maxPendingItems()) > limits.maxPendingItems()
            || heldBytes + withRoom(bytes, limits.maxPendingBytes()) > limits.maxPendingBytes()
            || !lane.servesSoon(items.size(), bytes))) {
      return Future.failedFuture(
          new BrokerException(
              BrokerException.Kind.OVERLOADED, "Too many requests are pending; try again"));
    }
    return lane.add(items, bytes);
  }

  /**
   * The room that a request needs: its own, and that of three more like it, up to a share of the
   * total. So small requests are still accepted when large ones no longer are.
   */
  private static long withRoom(long size, long limit) {
    return size + Math.min(3 * size, limit / 8);
  }

  /** Sends what can be sent once the loop has read what its sockets have. */
  private void gather() {
    if (!gathering) {
      gathering = true;
      loop.context()
          .runOnContext(
              read -> {
                gathering = false;
                pump();
              });
    }
  }

  /** Sends what can be sent: the kinds take turns. */
  private void pump() {
    if (pumping) {
      return;
    }
    pumping = true;
    try {
      int idle = 0;
      while (running.get() < calls && idle < lanes.size()) {
        Lane<?, ?> lane = lanes.get(turn++ % lanes.size());
        if (lane.sendable() && !holds(lane)) {
          lane.send();
          idle = 0;
        } else {
          idle++;
        }
      }
    } finally {
      pumping = false;
    }
  }

  /** Whether to wait a moment for more requests. */
  private boolean holds(Lane<?, ?> lane) {
    long wait = limits.microBatchWait().toNanos();
    if (wait == 0 || lane.full() || lane.waitedNanos() >= wait) {
      return false;
    }
    if (!holding) {
      holding = true;
      vertx.setTimer(
          Math.max(1, limits.microBatchWait().toMillis()),
          over -> {
            holding = false;
            pump();
          });
    }
    return true;
  }

  /** Called when messages that a consumer did not get are free again. */
  interface GivenBack {
    void accept(String queue, String partition, UUID partitionId, String group);
  }

  private final class Watched implements LoopWatch.Worker {
    @Override
    public boolean isStopping() {
      return stopping;
    }

    @Override
    public void note(double delayMillis) {
      traffic.looked(delayMillis, idleSlots(), pending(), slots, room.figures().backedOff());
    }
  }

  private final class LaneCarrier implements Lane.Carrier {
    @Override
    public void later(long millis, Runnable attempt) {
      vertx.setTimer(millis, over -> attempt.run());
    }

    @Override
    public void arrived() {
      gather();
    }

    @Override
    public void changed() {
      pump();
    }

    @Override
    public long nanos() {
      return nanoTime.getAsLong();
    }

    @Override
    public void databaseError() {
      databaseErrors.increment();
      traffic.databaseError();
    }
  }
}
