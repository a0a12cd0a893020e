package dev.queenmq.server.sidecar;

import dev.queenmq.server.sidecar.RequestTimes.Kind;
import dev.queenmq.server.store.Ack;
import dev.queenmq.server.store.AckOutcome;
import dev.queenmq.server.store.ConfigureOutcome;
import dev.queenmq.server.store.DeleteOutcome;
import dev.queenmq.server.store.GroupDeletion;
import dev.queenmq.server.store.GroupOutcome;
import dev.queenmq.server.store.Message;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.Operation;
import dev.queenmq.server.store.PushOutcome;
import dev.queenmq.server.store.QueueConfiguration;
import dev.queenmq.server.store.RenewOutcome;
import dev.queenmq.server.store.Renewal;
import dev.queenmq.server.store.Seek;
import dev.queenmq.server.store.SeekOutcome;
import dev.queenmq.server.store.StoreException;
import dev.queenmq.server.store.SubscriptionMove;
import dev.queenmq.server.store.Transaction;
import dev.queenmq.server.store.TransactionOutcome;
import io.vertx.core.CompositeFuture;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The broker's sidecars as one: brings each operation to the sidecar that owns its queue, and tells
 * those who wait what happened.
 */
public final class Sidecars implements Broker, Figures {

  /**
   * What one sidecar stands on.
   *
   * @param context its event loop
   * @param thread that runs it
   * @param store on its connections
   * @param slots how many calls may be under way
   * @param busy how many are; may be asked by any thread
   */
  public record Place(
      Context context, Thread thread, MessageStore store, int slots, IntSupplier busy) {}

  private final Vertx vertx;
  private final SidecarLimits limits;
  private final Directory directory;
  private final List<Sidecar> sidecars;
  private final TailFeed tail;
  private final News news;
  private final Peers peers;
  private final RequestTimes times = new RequestTimes();
  private final DatabaseClock clock = DatabaseClock.system();
  private final AtomicInteger waiting = new AtomicInteger();
  private final AtomicInteger turn = new AtomicInteger();

  /**
   * One sidecar for each place.
   *
   * @param ownAppends the transactions in which the places' stores appended; taken off by the look
   *     at the tail, which need not tell them again
   * @param peers the other brokers
   */
  public Sidecars(
      Vertx vertx,
      List<Place> places,
      SidecarLimits limits,
      Directory directory,
      Queue<Long> ownAppends,
      Peers peers) {
    this.vertx = vertx;
    this.limits = limits;
    this.directory = directory;
    this.peers = peers;
    sidecars = new ArrayList<>();
    news = new News(sidecars, peers);
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      sidecars.add(new Sidecar(i, vertx, place, limits, clock, this::look, news, peers));
    }
    Place first = places.get(0);
    tail =
        new TailFeed(
            vertx,
            first.context(),
            first.store(),
            directory,
            clock,
            sidecars,
            ownAppends,
            () -> peers.inTouch() ? limits.backoff().maxMillis() : 0);
  }

  /** Starts to look for what others append. */
  public Future<Void> start() {
    return tail.start();
  }

  /** Answers those who wait, and lets what is under way finish. */
  public Future<Void> stop() {
    tail.stop();
    return Future.join(sidecars.stream().map(each -> on(each, each::stop)).toList()).mapEmpty();
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
      return times.of(Kind.PUSH, on(first, () -> pushTo(first, messages)), List::size);
    }
    return times.of(
        Kind.PUSH,
        DividedPush.of(
            messages,
            message -> owner(message.queue()).number(),
            (number, part) -> {
              Sidecar sidecar = sidecars.get(number);
              return on(sidecar, () -> pushTo(sidecar, part));
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
            ? new LabelPoll(this, vertx, label, request)
            : new QueuePoll(this, owner(queue(request.target())), request);
    waiting.incrementAndGet();
    times.of(Kind.POP, poll.answer(), Polled::size).onComplete(done -> waiting.decrementAndGet());
    return poll;
  }

  @Override
  public Future<List<AckOutcome>> ack(List<Ack> acks) {
    if (acks.isEmpty()) {
      return Future.succeededFuture(List.of());
    }
    Sidecar sidecar = near();
    Future<List<AckOutcome>> answer =
        on(
            sidecar,
            () ->
                sidecar
                    .ack(acks)
                    .onSuccess(
                        outcomes -> {
                          news.acknowledged(acks, outcomes);
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
        on(
            sidecar,
            () ->
                sidecar
                    .transaction(transaction)
                    .onSuccess(
                        outcome -> {
                          if (outcome instanceof TransactionOutcome.Committed committed) {
                            news.committed(transaction, committed.results());
                            sidecar.traffic().committed(transaction, committed.results());
                          }
                        }));
    return times.of(Kind.TRANSACTION, answer, done -> transaction.operations().size());
  }

  @Override
  public Future<RenewOutcome> renew(Renewal renewal) {
    Sidecar sidecar = near();
    return times.of(Kind.RENEW, on(sidecar, () -> sidecar.renew(renewal)), done -> 1);
  }

  @Override
  public Future<ConfigureOutcome> configure(QueueConfiguration configuration) {
    Sidecar sidecar = owner(configuration.queue());
    return on(
        sidecar,
        () ->
            guarded(sidecar, () -> sidecar.store().configure(List.of(configuration)))
                .map(outcomes -> outcomes.get(0))
                .onSuccess(outcome -> news.configured(configuration.queue(), outcome)));
  }

  @Override
  public Future<DeleteOutcome> deleteQueue(String queue) {
    Sidecar sidecar = owner(queue);
    return on(
        sidecar,
        () ->
            guarded(sidecar, () -> sidecar.store().deleteQueues(List.of(queue)))
                .map(outcomes -> outcomes.get(0))
                .onSuccess(done -> news.deleted(queue)));
  }

  @Override
  public Future<SeekOutcome> seek(Seek seek) {
    Sidecar sidecar = owner(seek.queue());
    return on(
        sidecar,
        () ->
            guarded(sidecar, () -> sidecar.store().seek(seek))
                // Also after a failure: it goes page by page, and some may be done.
                .onComplete(done -> news.moved(Set.of(seek.queue()), seek.group())));
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
    return on(
        sidecar,
        () ->
            guarded(sidecar, () -> change.apply(sidecar.store()))
                .onSuccess(
                    outcome -> {
                      if (outcome instanceof GroupOutcome.Changed changed) {
                        news.moved(changed.queues(), group);
                      }
                    }));
  }

  /** What is done by hand. */
  public Operator operator() {
    return new SidecarOperator(this, news);
  }

  @Override
  public void release(Polled undelivered) {
    if (!undelivered.batches().isEmpty()) {
      Sidecar sidecar = owner(undelivered.batches().get(0).queue());
      sidecar.context().runOnContext(go -> sidecar.release(undelivered));
    }
  }

  /** Another broker says that a partition got messages. */
  public void appendedElsewhere(String queue, String partition, UUID partitionId) {
    news.in(queue, room -> room.appended(queue, partition, partitionId));
  }

  /** Another broker says that a group's lease on a partition is over. */
  public void freedElsewhere(String queue, String partition, UUID partitionId, String group) {
    news.in(queue, room -> room.freed(queue, partition, partitionId, group));
  }

  /** Another broker says that a group does not stand any more where it did on a queue. */
  public void movedElsewhere(String queue, String group) {
    news.in(queue, room -> room.moved(queue, group));
  }

  /** Another broker says that a queue is not what it was. */
  public void changedElsewhere(String queue) {
    news.in(queue, room -> room.changed(queue));
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
    return on(
        sidecar,
        () -> Future.succeededFuture(sidecar.traffic().take(sidecar.number(), minuteIsOver)));
  }

  @Override
  public long databaseMillis() {
    return clock.databaseMillis();
  }

  /** What it does for stream processors. */
  public Streams streams() {
    return new StreamSidecars(this, news);
  }

  Directory directory() {
    return directory;
  }

  Sidecar owner(String queue) {
    return sidecars.get(Ownership.of(queue, sidecars.size()));
  }

  /** Does it on the sidecar's event loop, and answers on the caller's. */
  <T> Future<T> on(Sidecar sidecar, Supplier<Future<T>> call) {
    if (sidecar.isHere()) {
      return call.get();
    }
    @Nullable Context caller = Vertx.currentContext();
    Promise<T> answer = Promise.promise();
    sidecar
        .context()
        .runOnContext(
            go ->
                Future.succeededFuture()
                    .compose(here -> call.get())
                    .onComplete(
                        done -> {
                          if (caller == null) {
                            answer.handle(done);
                          } else {
                            caller.runOnContext(back -> answer.handle(done));
                          }
                        }));
    return answer.future();
  }

  /** A look at the tail, from any event loop. */
  Future<Void> look() {
    return on(sidecars.get(0), tail::look);
  }

  private static String queue(PollTarget target) {
    if (target instanceof PollTarget.Queue queue) {
      return queue.queue();
    }
    return ((PollTarget.Partition) target).queue();
  }

  /** The caller's own sidecar, or any: verdicts belong to no queue until they are answered. */
  Sidecar near() {
    return sidecars.stream()
        .filter(Sidecar::isHere)
        .findFirst()
        .orElseGet(() -> sidecars.get(Math.floorMod(turn.getAndIncrement(), sidecars.size())));
  }

  private Future<List<PushOutcome>> pushTo(Sidecar sidecar, List<Message> messages) {
    return sidecar
        .push(messages)
        .onSuccess(
            outcomes -> {
              news.pushed(messages, outcomes);
              sidecar.traffic().pushed(messages, outcomes);
            });
  }

  static <T> Future<T> guarded(Sidecar sidecar, Supplier<Future<T>> call) {
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
