package dev.queenmq.server.spool;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.broker.DividedPush;
import dev.queenmq.server.broker.Poll;
import dev.queenmq.server.broker.Streams;
import dev.queenmq.server.model.Ack;
import dev.queenmq.server.model.AckOutcome;
import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.PartitionName;
import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.Polled;
import dev.queenmq.server.model.PushOutcome;
import dev.queenmq.server.model.RenewOutcome;
import dev.queenmq.server.model.Renewal;
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
import dev.queenmq.server.model.streams.StatePage;
import dev.queenmq.server.model.streams.StateRead;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import dev.queenmq.server.model.transactions.Operation;
import dev.queenmq.server.model.transactions.Transaction;
import dev.queenmq.server.model.transactions.TransactionOutcome;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A broker that takes pushes although PostgreSQL is away, or never was there yet: they go to the
 * spool. Polls wait meanwhile, and all else is refused.
 *
 * <p>Order: a partition of which the spool holds anything gets all further messages through the
 * spool, so that none overtakes those before it. Which partitions these are is asked once for each
 * request, before anything of it is sent. Transactions and cycles of streams cannot wait in the
 * spool, because they ack as well: those that push to such a partition are refused until it is
 * drained.
 */
public final class SpoolingBroker implements Broker {
  private static final int DIRECTLY = 0;
  private static final int SPOOLED = 1;
  private static final int REFUSED = 2;

  /** The store behind it, and what is known about it. */
  private record Behind(Broker broker, DatabaseWatch watch, BooleanSupplier maintenance) {}

  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Spools spools;
  private final SpoolIntake intake;
  private final Deadlines deadlines;
  // Kept apart from other calls, because they wait for long.
  private final Deadlines pollDeadlines;
  private final IdlePolls idle;
  private final Set<UUID> inTheAir = ConcurrentHashMap.newKeySet();
  private final Set<String> fullQueues = ConcurrentHashMap.newKeySet();
  private final StoreProgress progress = new StoreProgress();
  private final PushLoad load = new PushLoad();
  private final List<Runnable> kept = new CopyOnWriteArrayList<>();
  private volatile Optional<Behind> behind = Optional.empty();

  /**
   * With nothing behind it yet.
   *
   * @param deadline for the answer to a push
   * @param mostPolls may wait before there is anything behind it
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public SpoolingBroker(
      Vertx vertx,
      Spools spools,
      Duration deadline,
      int mostPolls,
      InstantSource clock,
      LongSupplier nanoTime) {
    this.clock = clock;
    this.nanoTime = nanoTime;
    this.spools = spools;
    intake = new SpoolIntake(spools, clock, () -> kept.forEach(Runnable::run));
    deadlines = new Deadlines(vertx, deadline, nanoTime);
    pollDeadlines = new Deadlines(vertx, deadline, nanoTime);
    idle = new IdlePolls(vertx, mostPolls);
  }

  /**
   * PostgreSQL was reached.
   *
   * @param maintenance whether pushes are to be kept away from it
   */
  public void reaches(Broker broker, DatabaseWatch watch, BooleanSupplier maintenance) {
    behind = Optional.of(new Behind(broker, watch, maintenance));
    idle.end();
  }

  /** Called when messages came into the spool. */
  void onKept(Runnable listener) {
    kept.add(listener);
  }

  /** Finds out whether the spool holds nothing. */
  void lookForQuiet() {
    if (spools.isEmpty()) {
      fullQueues.clear();
    }
    intake.lookForQuiet();
  }

  /** The messages that were sent to PostgreSQL, and are in the spool since no answer came. */
  Set<UUID> inTheAir() {
    return inTheAir;
  }

  /** Queues without room for what is in the spool; further pushes to them are rejected. */
  Set<String> fullQueues() {
    return fullQueues;
  }

  /** That PostgreSQL stores messages. */
  StoreProgress progress() {
    return progress;
  }

  /** Ends its timers. */
  public void stop() {
    deadlines.stop();
    pollDeadlines.stop();
    idle.end();
  }

  @Override
  public Future<List<PushOutcome>> push(List<Message> messages) {
    Optional<Behind> now = behind;
    if (now.isEmpty() || now.get().watch.isAway() || now.get().maintenance.getAsBoolean()) {
      return keep(messages);
    }
    if (intake.isEmpty()) {
      return send(now.get(), messages);
    }
    Map<PartitionName, Integer> ways = new HashMap<>();
    for (Message message : messages) {
      ways.computeIfAbsent(PartitionName.of(message), this::way);
    }
    return DividedPush.of(
        messages,
        message -> ways.getOrDefault(PartitionName.of(message), SPOOLED),
        (way, part) ->
            switch (way) {
              case DIRECTLY -> send(now.get(), part);
              case REFUSED ->
                  Future.succeededFuture(
                      part.stream().<PushOutcome>map(each -> new PushOutcome.QueueFull()).toList());
              default -> keep(part);
            });
  }

  private int way(PartitionName partition) {
    if (!spools.holds(partition)) {
      return DIRECTLY;
    }
    return fullQueues.contains(partition.queue()) ? REFUSED : SPOOLED;
  }

  private Future<List<PushOutcome>> keep(List<Message> messages) {
    return intake.keep(messages, OptionalLong.empty(), Vertx.currentContext());
  }

  private Future<List<PushOutcome>> send(Behind now, List<Message> messages) {
    long sentAtMillis = clock.millis();
    return new GuardedPush(
            intake,
            now.watch,
            deadlines,
            inTheAir,
            progress,
            load,
            messages,
            sentAtMillis,
            nanoTime,
            load.count(messages, now.broker.push(messages)))
        .answer();
  }

  @Override
  public Poll pop(PollRequest request) {
    Optional<Behind> now = behind;
    if (now.isEmpty()) {
      return idle.of(request);
    }
    Poll poll = now.get().broker.pop(request);
    // What is done as soon as it is handed out cannot be given back: its answer is waited for.
    return request.autoAck()
        ? poll
        : new GuardedPoll(
            now.get().watch, pollDeadlines, request, poll, nanoTime, now.get().broker::release);
  }

  @Override
  public Future<List<AckOutcome>> ack(List<Ack> acks) {
    return soon(broker -> broker.ack(acks));
  }

  @Override
  public Future<RenewOutcome> renew(Renewal renewal) {
    return soon(broker -> broker.renew(renewal));
  }

  /** Bounded while PostgreSQL is away: the client retries. */
  private <T> Future<T> soon(Function<Broker, Future<T>> call) {
    Optional<Behind> now = behind;
    if (now.isEmpty() || now.get().watch.isAway()) {
      return away();
    }
    return new GuardedCall<>(now.get().watch, deadlines, call.apply(now.get().broker)).answer();
  }

  @Override
  public Future<TransactionOutcome> transaction(Transaction transaction) {
    Optional<PartitionName> held =
        held(
            transaction.operations().stream()
                .filter(Operation.Push.class::isInstance)
                .map(each -> ((Operation.Push) each).message()));
    return held.isPresent()
        ? comesFirst(held.get())
        : soon(broker -> broker.transaction(transaction));
  }

  /** The same, except that no cycle pushes to a partition of which the spool holds anything. */
  public Streams inFrontOf(Streams streams) {
    return new Streams() {
      @Override
      public Future<StreamRegistration> register(StreamQuery query) {
        return streams.register(query);
      }

      @Override
      public Future<CycleOutcome> cycle(Cycle cycle) {
        Optional<PartitionName> held = held(cycle.messages().stream());
        return held.isPresent() ? comesFirst(held.get()) : streams.cycle(cycle);
      }

      @Override
      public Future<StatePage> state(StateRead read) {
        return streams.state(read);
      }
    };
  }

  /** The first partition that the spool holds anything of. */
  private Optional<PartitionName> held(Stream<Message> messages) {
    return intake.isEmpty()
        ? Optional.empty()
        : messages.map(PartitionName::of).filter(spools::holds).findFirst();
  }

  private static <T> Future<T> comesFirst(PartitionName held) {
    return Future.failedFuture(
        new BrokerException(
            BrokerException.Kind.OVERLOADED,
            "Partition %s of queue %s has messages in the spool, which come first; try again"
                .formatted(held.partition(), held.queue())));
  }

  @Override
  public Future<ConfigureOutcome> configure(QueueConfiguration configuration) {
    return soon(broker -> broker.configure(configuration));
  }

  @Override
  public Future<DeleteOutcome> deleteQueue(String queue) {
    return soon(broker -> broker.deleteQueue(queue));
  }

  @Override
  public Future<SeekOutcome> seek(Seek seek) {
    return soon(broker -> broker.seek(seek));
  }

  @Override
  public Future<GroupOutcome> deleteGroup(GroupDeletion deletion) {
    return soon(broker -> broker.deleteGroup(deletion));
  }

  @Override
  public Future<GroupOutcome> moveSubscription(SubscriptionMove move) {
    return soon(broker -> broker.moveSubscription(move));
  }

  @Override
  public void release(Polled undelivered) {
    behind.ifPresent(now -> now.broker.release(undelivered));
  }

  static <T> Future<T> away() {
    return Future.failedFuture(
        new BrokerException(BrokerException.Kind.UNAVAILABLE, "PostgreSQL cannot be reached"));
  }
}
