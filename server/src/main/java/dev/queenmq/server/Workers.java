package dev.queenmq.server;

import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.postgres.Backends;
import dev.queenmq.server.postgres.SharedSlots;
import dev.queenmq.server.postgres.Slots;
import dev.queenmq.server.sidecar.Sidecars;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.ack.LeaseMemory;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

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

  /** Sidecars send no more at once than they have slots; this is for a defect. */
  private static final int MOST_WAITING = 10_000;

  private record Worker(Sidecars.WorkerContext place, Slots slots) {}

  private final List<Worker> workers;

  private final Queue<Long> appends;

  private Workers(List<Worker> workers, Queue<Long> appends) {
    this.workers = workers;
    this.appends = appends;
  }

  /**
   * Makes the event loops; connections are made when they are needed.
   *
   * @param fixedPlans whether plain statements have one plan on these connections
   */
  static Future<Workers> start(
      Vertx vertx,
      PgConnectOptions options,
      boolean fixedPlans,
      Backends backends,
      Size size,
      Encryption encryption,
      MemoryBudget memory) {
    // The dedup memory of all of them takes what one alone would.
    StoreOptions one = StoreOptions.defaults();
    StoreOptions share =
        new StoreOptions(
            one.shard(),
            one.segmentMessages(),
            one.segmentBytes(),
            one.recallLimit(),
            Math.max(1, one.rememberedPartitions() / size.workers()),
            Math.max(1, one.rememberedIds() / size.workers()),
            fixedPlans);
    int each = Math.max(2, (size.slots() + size.workers() - 1) / size.workers());
    Queue<Long> appends = new ConcurrentLinkedQueue<>();
    SweepTurns sweeps = new SweepTurns();
    LeaseMemory leases = new LeaseMemory();
    return Future.all(
            IntStream.range(0, size.workers())
                .mapToObj(
                    i ->
                        worker(
                            vertx,
                            options,
                            backends,
                            each,
                            size.deadline(),
                            share,
                            appends,
                            sweeps,
                            leases,
                            encryption,
                            memory))
                .toList())
        .map(all -> new Workers(all.list(), appends));
  }

  List<Sidecars.WorkerContext> places() {
    return workers.stream().map(Worker::place).toList();
  }

  /** The transactions in which they appended; filled by any of them. */
  Queue<Long> appends() {
    return appends;
  }

  /** Carries statements beside those of the sidecars; from any thread. */
  StoreClient client() {
    Worker worker = workers.get(0);
    return new SharedSlots(worker.place().context(), worker.slots())::call;
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
      PgConnectOptions options,
      Backends backends,
      int slots,
      Duration deadline,
      StoreOptions share,
      Queue<Long> appends,
      SweepTurns sweeps,
      LeaseMemory leases,
      Encryption encryption,
      MemoryBudget memory) {
    Promise<Worker> made = Promise.promise();
    return vertx
        .deployVerticle(
            new VerticleBase() {
              @Override
              public Future<?> start() {
                Slots own =
                    new Slots(vertx, context, options, backends, slots, MOST_WAITING, deadline);
                MessageStore store =
                    new MessageStore(
                        context,
                        own::call,
                        share,
                        ThreadLocalRandom.current().nextLong(),
                        appends::add,
                        sweeps,
                        encryption,
                        new AnswerMemory(memory),
                        leases);
                made.complete(
                    new Worker(
                        new Sidecars.WorkerContext(
                            context, Thread.currentThread(), store, slots, own::busy),
                        own));
                return Future.succeededFuture();
              }
            })
        .compose(deployed -> made.future());
  }
}
