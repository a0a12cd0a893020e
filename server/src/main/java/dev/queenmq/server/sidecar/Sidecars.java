package dev.queenmq.server.sidecar;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.CallTracing;
import dev.queenmq.server.broker.Directory;
import dev.queenmq.server.broker.DividedPush;
import dev.queenmq.server.broker.Figures;
import dev.queenmq.server.broker.Operator;
import dev.queenmq.server.broker.Peers;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.broker.SidecarFigures;
import dev.queenmq.server.broker.Streams;
import dev.queenmq.server.broker.TrafficSnapshot;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.model.admin.ConfigureOutcome;
import dev.queenmq.server.model.admin.DeleteOutcome;
import dev.queenmq.server.model.admin.GroupDeletion;
import dev.queenmq.server.model.admin.GroupOutcome;
import dev.queenmq.server.model.admin.QueueConfiguration;
import dev.queenmq.server.model.admin.Seek;
import dev.queenmq.server.model.admin.SeekOutcome;
import dev.queenmq.server.model.admin.SubscriptionMove;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import dev.queenmq.server.sidecar.figures.DatabaseClock;
import dev.queenmq.server.sidecar.figures.RequestTimes;
import dev.queenmq.server.sidecar.figures.RequestTimes.Kind;
import dev.queenmq.server.sidecar.polling.BrokerEvents;
import dev.queenmq.server.sidecar.polling.LabelPoll;
import dev.queenmq.server.sidecar.polling.Ownership;
import dev.queenmq.server.sidecar.polling.PopBackend;
import dev.queenmq.server.sidecar.polling.QueuePoll;
import dev.queenmq.server.sidecar.polling.RefusedPoll;
import dev.queenmq.server.sidecar.polling.TailFeed;
import dev.queenmq.server.sidecar.polling.WaitingRooms;
import dev.queenmq.server.store.MessageStore;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker's sidecars as one: brings each operation to the sidecar that owns its queue, and wakes
 * waiting polls afterwards.
 */
public final class Sidecars implements Broker, Figures {
  private final Vertx vertx;
  private final SidecarLimits limits;
  private final Directory directory;
  private final List<Sidecar> sidecars;
  private final WaitingRooms rooms;
  private final TailFeed tail;
  private final BrokerEvents events;
  private final Peers peers;
  private final RequestTimes times;
  private final DatabaseClock clock;
  private final LongSupplier nanoTime;
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * One sidecar for each worker.
   *
   * @param ownAppends the transactions in which the workers' stores appended; the tail query
   *     removes them, and does not report them again
   * @param peers the other brokers
   * @param wallClock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public Sidecars(
      Vertx vertx,
      List<WorkerContext> workers,
      SidecarLimits limits,
      Directory directory,
      Queue<Long> ownAppends,
      Peers peers,
      InstantSource wallClock,
      LongSupplier nanoTime) {
    this(
        vertx,
        workers,
        limits,
        directory,
        ownAppends,
        peers,
        CallTracing.NONE,
        wallClock,
        nanoTime);
  }

  /**
   * The same, with tracing.
   *
   * @param tracing makes a span for each call of the store
   * @param wallClock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public Sidecars(
      Vertx vertx,
      List<WorkerContext> workers,
      SidecarLimits limits,
      Directory directory,
      Queue<Long> ownAppends,
      Peers peers,
      CallTracing tracing,
      InstantSource wallClock,
      LongSupplier nanoTime) {
    this.vertx = vertx;
    this.limits = limits;
    this.directory = directory;
    this.peers = peers;
    this.nanoTime = nanoTime;
    times = new RequestTimes(nanoTime);
    clock = DatabaseClock.of(wallClock, nanoTime);
    Deferred deferred = new Deferred();
    sidecars = new ArrayList<>();
    for (int i = 0; i < workers.size(); i++) {
      sidecars.add(
          new Sidecar(
              i,
              vertx,
              workers.get(i),
              limits,
              clock,
              deferred,
              deferred,
              peers,
              tracing,
              wallClock,
              nanoTime));
    }
    rooms =
        new WaitingRooms(
            sidecars.stream()
                .map(each -> new WaitingRooms.OwnedRoom(each.loop(), each.room()))
                .toList());
    events = new BrokerEvents(rooms, peers);
    Sidecar first = sidecars.get(0);
    tail =
        new TailFeed(
            vertx,
            first.loop(),
            first.store(),
            directory,
            clock,
            rooms,
            ownAppends,
            limits.backoff(),
            peers::inTouch);
    deferred.events = events;
    deferred.tail = tail;
  }

  /** What sidecars call back. */
  private static final class Deferred implements PopBackend.Looks, Sidecar.GivenBack {
    private volatile @Nullable TailFeed tail;
    private volatile @Nullable BrokerEvents events;

    @Override
    public void want() {
      Objects.requireNonNull(tail).want();
    }

    @Override
    public void wantSoon() {
      Objects.requireNonNull(tail).wantSoon();
    }

    @Override
    public long begun() {
      return Objects.requireNonNull(tail).begun();
    }

    @Override
    public void accept(String queue, String partition, UUID partitionId, String group) {
      Objects.requireNonNull(events).givenBack(queue, partition, partitionId, group);
    }
  }

  /** Starts to look for what others append. */
  public Future<Void> start() {
    return tail.start();
  }

  /** Another server takes the writes: what was read of the one before counts no more. */
  public void serverChanged() {
    tail.startOver();
  }

  /** Answers waiting polls, and lets requests in progress finish. */
  public Future<Void> stop() {
    Future<Void> silent = tail.stop();
    return Future.join(sidecars.stream().map(each -> each.loop().call(each::stop)).toList())
        .compose(stopped -> silent);
  }

  @Override
  public Future<List<PushOutcome>> push(List<Message> messages) {
    if (messages.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    if (peers.pushesPaused()) {
      return Future.failedFuture(
          new BrokerException(BrokerException.Kind.UNAVAILABLE, "Maintenance mode is on"));
    }
    Sidecar first = owner(messages.get(0).queue());
    if (messages.stream().allMatch(message -> owner(message.queue()) == first)) {
      return times.of(Kind.PUSH, first.loop().call(() -> pushTo(first, messages)), List::size);
    }
    return times.of(
        Kind.PUSH,
        DividedPush.of(
            messages,
            message -> owner(message.queue()).number(),
            (number, part) -> {
              Sidecar sidecar = sidecars.get(number);
              return sidecar.loop().call(() -> pushTo(sidecar, part));
            }),
        List::size);
  }

  @Override
  public Poll pop(PollRequest request) {
    if (!request.patience().isZero() && waiting.get() >= limits.maxWaiting()) {
      return new RefusedPoll(
          new BrokerException(BrokerException.Kind.OVERLOADED, "Too many polls are waiting"));
    }
    Poll poll =
        request.target() instanceof PollTarget.Label label
            ? new LabelPoll(new Labelled(), vertx, label, request, nanoTime)
            : queuePoll(request);
    waiting.incrementAndGet();
    times.of(Kind.POP, poll.answer(), Polled::size).onComplete(done -> waiting.decrementAndGet());
    return poll;
  }

  @Override
  public Future<List<AckOutcome>> ack(List<Ack> acks) {
    if (acks.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    // With the owner of the queue, a call carries the acks of all its consumers, and the polls that
    // it wakes are there. That the others of the request are of the same queue is likely enough.
    Sidecar sidecar =
        sidecars.get(0).store().queueOf(acks.get(0)).map(this::owner).orElseGet(this::near);
    Future<List<AckOutcome>> answer =
        sidecar
            .loop()
            .call(
                () ->
                    sidecar
                        .ack(acks)
                        .onSuccess(
                            outcomes -> {
                              events.acknowledged(acks, outcomes);
                              sidecar.traffic().acknowledged(acks, outcomes);
                            }));
    return times.of(Kind.ACK, answer, List::size);
  }

  @Override
  public Future<TransactionOutcome> transaction(Transaction transaction) {
    Sidecar sidecar =
        transaction.operations().stream()
            .filter(Operation.Push.class::isInstance)
            .map(push -> owner(((Operation.Push) push).message().queue()))
            .findFirst()
            .orElseGet(this::near);
    Future<TransactionOutcome> answer =
        sidecar
            .loop()
            .call(
                () ->
                    sidecar
                        .transaction(transaction)
                        .onSuccess(
                            outcome -> {
                              if (outcome instanceof TransactionOutcome.Committed committed) {
                                events.committed(transaction, committed.results());
                                sidecar.traffic().committed(transaction, committed.results());
                              }
                            }));
    return times.of(Kind.TRANSACTION, answer, done -> transaction.operations().size());
  }

  @Override
  public Future<RenewOutcome> renew(Renewal renewal) {
    Sidecar sidecar = near();
    return times.of(Kind.RENEW, sidecar.loop().call(() -> sidecar.renew(renewal)), done -> 1);
  }

  @Override
  public Future<ConfigureOutcome> configure(QueueConfiguration configuration) {
    Sidecar sidecar = owner(configuration.queue());
    return sidecar
        .loop()
        .call(
            () ->
                guarded(sidecar, () -> sidecar.store().configure(List.of(configuration)))
                    .map(outcomes -> outcomes.get(0))
                    .onSuccess(outcome -> events.configured(configuration.queue(), outcome)));
  }

  @Override
  public Future<DeleteOutcome> deleteQueue(String queue) {
    Sidecar sidecar = owner(queue);
    return sidecar
        .loop()
        .call(
            () ->
                guarded(sidecar, () -> sidecar.store().deleteQueues(List.of(queue)))
                    .map(outcomes -> outcomes.get(0))
                    .onSuccess(done -> events.deleted(queue)));
  }

  @Override
  public Future<SeekOutcome> seek(Seek seek) {
    Sidecar sidecar = owner(seek.queue());
    return sidecar
        .loop()
        .call(
            () ->
                guarded(sidecar, () -> sidecar.store().seek(seek))
                    // Also after a failure: it goes page by page, and some may be done.
                    .onComplete(done -> events.moved(Set.of(seek.queue()), seek.group())));
  }

  @Override
  public Future<GroupOutcome> deleteGroup(GroupDeletion deletion) {
    return changed(deletion.group(), store -> store.deleteGroup(deletion));
  }

  @Override
  public Future<GroupOutcome> moveSubscription(SubscriptionMove move) {
    return changed(move.group(), store -> store.moveSubscription(move));
  }

  private Future<GroupOutcome> changed(
      String group, Function<MessageStore, Future<GroupOutcome>> change) {
    Sidecar sidecar = near();
    return sidecar
        .loop()
        .call(
            () ->
                guarded(sidecar, () -> change.apply(sidecar.store()))
                    .onSuccess(
                        outcome -> {
                          if (outcome instanceof GroupOutcome.Changed changed) {
                            events.moved(changed.queues(), group);
                          }
                        }));
  }

  /** The operations of operators. */
  public Operator operator() {
    return new SidecarOperator(new Calls(), events);
  }

  @Override
  public void release(Polled undelivered) {
    undelivered.memory().release();
    if (!undelivered.batches().isEmpty()) {
      Sidecar sidecar = owner(undelivered.batches().get(0).queue());
      sidecar.loop().run(() -> sidecar.release(undelivered));
    }
  }

  /** Another broker reports that a partition got messages. */
  public void appendedElsewhere(String queue, String partition, UUID partitionId) {
    rooms.onOwner(
        queue,
        room ->
            room.appendedElsewhere(
                queue, List.of(new Directory.NamedPartition(partitionId, queue, partition))));
  }

  /** Another broker reports that a group's lease on a partition is over. */
  public void freedElsewhere(String queue, String partition, UUID partitionId, String group) {
    rooms.onOwner(queue, room -> room.freed(queue, partition, partitionId, group));
  }

  /** Another broker reports that it has moved a group on a queue. */
  public void movedElsewhere(String queue, String group) {
    rooms.onOwner(queue, room -> room.moved(queue, group));
  }

  /** Another broker reports that it has changed a queue. */
  public void changedElsewhere(String queue) {
    rooms.onOwner(queue, room -> room.changed(queue));
  }

  @Override
  public SidecarFigures now() {
    return Summary.of(sidecars, waiting.get(), times);
  }

  @Override
  public Future<List<TrafficSnapshot>> traffic(boolean minuteIsOver) {
    return Future.join(sidecars.stream().map(each -> traffic(each, minuteIsOver)).toList())
        .map(CompositeFuture::list);
  }

  private Future<TrafficSnapshot> traffic(Sidecar sidecar, boolean minuteIsOver) {
    return sidecar
        .loop()
        .call(() -> Future.succeededFuture(sidecar.traffic().take(sidecar.number(), minuteIsOver)));
  }

  @Override
  public long databaseMillis() {
    return clock.databaseMillis();
  }

  /** The operations of stream processors. */
  public Streams streams() {
    return new StreamSidecars(new Calls(), this::cycle, events);
  }

  /** What a poll for a label needs. */
  private final class Labelled implements LabelPoll.Queues {
    @Override
    public Future<List<String>> labelled(Optional<String> namespace, Optional<String> task) {
      return directory.labelled(namespace, task);
    }

    @Override
    public Poll pop(PollRequest request) {
      return queuePoll(request);
    }

    @Override
    public void release(Polled undelivered) {
      Sidecars.this.release(undelivered);
    }

    @Override
    public WaitingRooms rooms() {
      return rooms;
    }
  }

  private final class Calls implements StoreCalls {
    @Override
    public <T> Future<T> of(String queue, Function<MessageStore, Future<T>> call) {
      return at(owner(queue), call);
    }

    @Override
    public <T> Future<T> near(Function<MessageStore, Future<T>> call) {
      return at(Sidecars.this.near(), call);
    }

    private <T> Future<T> at(Sidecar sidecar, Function<MessageStore, Future<T>> call) {
      return sidecar.loop().call(() -> guarded(sidecar, () -> call.apply(sidecar.store())));
    }
  }

  private Sidecar owner(String queue) {
    return sidecars.get(Ownership.of(queue, sidecars.size()));
  }

  private Poll queuePoll(PollRequest request) {
    String queue = queue(request.target());
    return new QueuePoll(rooms.of(queue), owner(queue)::refusal, request);
  }

  /** By the sidecar that knows what was pushed to the first of its queues, as a transaction. */
  private Future<CycleOutcome> cycle(Cycle cycle) {
    Sidecar sidecar = cycle.messages().isEmpty() ? near() : owner(cycle.messages().get(0).queue());
    return sidecar.loop().call(() -> sidecar.cycle(cycle));
  }

  private static String queue(PollTarget target) {
    if (target instanceof PollTarget.Queue queue) {
      return queue.queue();
    }
    return ((PollTarget.Partition) target).queue();
  }

  /** The caller's own sidecar, or any: for what belongs to no queue that is known here. */
  private Sidecar near() {
    return sidecars.stream()
        .filter(each -> each.loop().isHere())
        .findFirst()
        .orElseGet(() -> sidecars.get(Math.floorMod(turn.getAndIncrement(), sidecars.size())));
  }

  private Future<List<PushOutcome>> pushTo(Sidecar sidecar, List<Message> messages) {
    return sidecar
        .push(messages)
        .onSuccess(
            outcomes -> {
              events.pushed(messages, outcomes);
              sidecar.traffic().pushed(messages, outcomes);
            });
  }

  private static <T> Future<T> guarded(Sidecar sidecar, Supplier<Future<T>> call) {
    Optional<BrokerException> refusal = sidecar.refusal();
    if (refusal.isPresent()) {
      return Future.failedFuture(refusal.get());
    }
    return call.get()
        .recover(
            failure ->
                Future.failedFuture(
                    failure instanceof StoreException store ? BrokerException.of(store) : failure));
  }
}
