package dev.queenmq.server;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.postgres.Backends;
import dev.queenmq.server.postgres.PrimaryFinder;
import dev.queenmq.server.postgres.SharedSlots;
import dev.queenmq.server.postgres.Slots;
import dev.queenmq.server.sidecar.WorkerContext;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The event loops of a broker that speak with PostgreSQL, each with connections of its own. */
final class Workers {

  /**
   * How many there are.
   *
   * @param workers event loops
   * @param slots connections, of all together
   * @param deadline after which a statement is stuck
   */
  record Size(int workers, int slots, Duration deadline) {}

  /** Sidecars never send more at once than they have slots; the limit guards against a defect. */
  private static final int MOST_WAITING = 10_000;

  private record Worker(WorkerContext place, Slots slots) {}

  private final List<Worker> workers;

  private final Queue<Long> appends;
  private final List<Runnable> onForgotten;

  private Workers(List<Worker> workers, Queue<Long> appends, List<Runnable> onForgotten) {
    this.workers = workers;
    this.appends = appends;
    this.onForgotten = onForgotten;
  }

  /**
   * Makes the event loops; connections are made when they are needed.
   *
   * @param fixedPlans whether plain statements have one plan on these connections
   * @param durable whether commits survive a crash; if not, an offset may get another message later
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  static Future<Workers> start(
      Vertx vertx,
      PrimaryFinder primary,
      boolean fixedPlans,
      boolean durable,
      Backends backends,
      Size size,
      Encryption encryption,
      MemoryBudget memory,
      InstantSource clock,
      LongSupplier nanoTime) {
    // All workers together use the dedup memory that one alone would.
    StoreOptions one = StoreOptions.defaults();
    StoreOptions share =
        new StoreOptions(
            one.shard(),
            one.segmentMessages(),
            one.segmentBytes(),
            one.recallLimit(),
            Math.max(1, one.rememberedPartitions() / size.workers()),
            Math.max(1, one.rememberedIds() / size.workers()),
            durable ? one.recentBytes() / size.workers() : 0,
            fixedPlans);
    int each = Math.max(2, (size.slots() + size.workers() - 1) / size.workers());
    Queue<Long> appends = new ConcurrentLinkedQueue<>();
    SweepTurns sweeps = new SweepTurns();
    LeaseMemory leases = new LeaseMemory(clock);
    List<Runnable> onForgotten = new CopyOnWriteArrayList<>();
    return Future.all(
            IntStream.range(0, size.workers())
                .mapToObj(
                    i ->
                        worker(
                            vertx,
                            primary,
                            () -> onForgotten.forEach(Runnable::run),
                            backends,
                            each,
                            size.deadline(),
                            share,
                            appends,
                            sweeps,
                            leases,
                            encryption,
                            memory,
                            clock,
                            nanoTime))
                .toList())
        .map(all -> new Workers(all.list(), appends, onForgotten));
  }

  /**
   * Called by each worker when it has forgotten what it knew, since another server takes the
   * writes. From then on it adds nothing of the server before to {@link #appends}.
   */
  void onForgotten(Runnable listener) {
    onForgotten.add(listener);
  }

  /** What a worker forgets; the store needs its slots, and the slots what it forgets. */
  private static final class Memory implements Runnable {
    private final Runnable forgotten;
    private @Nullable MessageStore store;

    Memory(Runnable forgotten) {
      this.forgotten = forgotten;
    }

    @Override
    public void run() {
      if (store != null) {
        store.forgetAll();
      }
      forgotten.run();
    }
  }

  /** The statements of a store on its connections. */
  private record Client(Slots slots) implements StoreClient {
    @Override
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
      return slots.call(sql, arguments);
    }

    @Override
    public Future<RowSet<Row>> quick(String sql, Tuple arguments) {
      return slots.quick(sql, arguments);
    }
  }

  List<WorkerContext> places() {
    return workers.stream().map(Worker::place).toList();
  }

  /** The connections of each, in the same order; to be used on its event loop. */
  List<Slots> slots() {
    return workers.stream().map(Worker::slots).toList();
  }

  /** The transactions in which the workers appended messages. */
  Queue<Long> appends() {
    return appends;
  }

  /** Closes the connections. */
  Future<Void> close() {
    return Future.join(workers.stream().map(Workers::close).toList()).mapEmpty();
  }

  private static Future<Void> close(Worker worker) {
    return new SharedSlots(worker.place().context(), worker.slots()).close();
  }

  private static Future<Worker> worker(
      Vertx vertx,
      PrimaryFinder primary,
      Runnable forgotten,
      Backends backends,
      int slots,
      Duration deadline,
      StoreOptions share,
      Queue<Long> appends,
      SweepTurns sweeps,
      LeaseMemory leases,
      Encryption encryption,
      MemoryBudget memory,
      InstantSource clock,
      LongSupplier nanoTime) {
    Promise<Worker> made = Promise.promise();
    return vertx
        .deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                Memory remembered = new Memory(forgotten);
                Slots own =
                    Slots.ofStore(
                        vertx,
                        context,
                        primary,
                        remembered,
                        backends,
                        slots,
                        share.plainStatements(),
                        MOST_WAITING,
                        deadline,
                        nanoTime);
                MessageStore store =
                    new MessageStore(
                        context,
                        new Client(own),
                        share,
                        ThreadLocalRandom.current().nextLong(),
                        appends::add,
                        sweeps,
                        encryption,
                        new AnswerMemory(memory),
                        leases,
                        clock,
                        nanoTime);
                remembered.store = store;
                made.complete(
                    new Worker(
                        new WorkerContext(
                            context,
                            Thread.currentThread(),
                            store,
                            slots,
                            own.capacity(),
                            own::busy),
                        own));
                return Future.succeededFuture();
              }
            })
        .compose(deployed -> made.future());
  }
}
