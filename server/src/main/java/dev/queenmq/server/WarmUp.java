package dev.queenmq.server;

import dev.queenmq.server.broker.Directory;
import dev.queenmq.server.config.HttpConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.http.messages.BrokerApi;
import dev.queenmq.server.http.messages.EmptyPop;
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.messages.PopDefaults;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpFront;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.postgres.Slots;
import dev.queenmq.server.sidecar.SidecarLimits;
import dev.queenmq.server.sidecar.Sidecars;
import dev.queenmq.server.sidecar.WorkerContext;
import dev.queenmq.server.store.MessageStore;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.queues.SweepTurns;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages through a second set of a broker's parts before its port opens.
 *
 * <p>The first requests of a JVM are slow: their classes are loaded, call sites are linked, and
 * everything is interpreted. Meanwhile requests queue up, and it takes seconds until the queue is
 * gone. So the broker is its own first client. It makes HTTP servers on a port of the loopback
 * interface that the system chooses, and routes, sidecars and stores behind them, all of them like
 * the real ones and all of them thrown away afterwards. Then it pushes, pops and acks for a moment.
 *
 * <p>Nothing of it is to be seen, by these means:
 *
 * <ul>
 *   <li>The stores use the real connections of the workers, so that these are open and their
 *       statements are prepared and planned; but each for a short transaction that is rolled back.
 *       The queues have random names, and no other transaction sees them.
 *   <li>A store reaches a connection only while its transaction is open: {@link Gate}. The gate
 *       closes on the event loop before the rollback is sent. So no statement comes after it.
 *   <li>The transactions are short, because PostgreSQL's oldest transaction holds back what other
 *       brokers read of the tail.
 *   <li>Figures, memories and limits belong to the parts that are thrown away. No other broker is
 *       told anything ({@link NoPeers}), and the tail is not read.
 *   <li>Requests need a random key; whoever else finds the port is disconnected.
 * </ul>
 *
 * <p>It never fails: a broker whose warm-up went wrong starts cold, as it would without one.
 */
final class WarmUp {
  static final String KEY_HEADER = "X-Queen-Warm-Up";

  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);

  /** After the last round has begun, until it has ended: a busy machine may stand still. */
  private static final Duration LAST_ROUND = Duration.ofSeconds(5);

  /** Of the transactions. */
  private static final Duration TURN = Duration.ofMillis(100);

  private static final int ROUNDS_A_TURN = 40;

  /** On each event loop: from then on more of them bring nothing. */
  private static final int ENOUGH_ROUNDS = 2_000;

  private static final long MEMORY_BYTES = 16L << 20;

  /** One of the event loops, with the parts that are thrown away. */
  private record Loop(
      Context context, Slots slots, Gate gate, MessageStore store, Sidecars sidecars, String key) {}

  private final Vertx vertx;
  private final InstantSource clock;
  private final LongSupplier nanoTime;
  private final Duration length;
  private final long deadline;
  private final List<Loop> loops = new ArrayList<>();
  private final HttpLimits limits = HttpLimits.defaults();

  private WarmUp(Vertx vertx, Duration length, InstantSource clock, LongSupplier nanoTime) {
    this.vertx = vertx;
    this.length = length;
    this.clock = clock;
    this.nanoTime = nanoTime;
    deadline = nanoTime.getAsLong() + length.toNanos();
  }

  /**
   * Warms up; always succeeds.
   *
   * @param fixedPlans whether plain statements have one plan on these connections
   * @param length after which nothing more begins
   * @param clock the time of day, of this machine
   * @param nanoTime as {@link System#nanoTime} counts
   */
  static Future<Void> run(
      Vertx vertx,
      Workers workers,
      boolean fixedPlans,
      Duration length,
      InstantSource clock,
      LongSupplier nanoTime) {
    long began = nanoTime.getAsLong();
    WarmUp warmUp = new WarmUp(vertx, length, clock, nanoTime);
    Promise<Void> over = Promise.promise();
    Future.succeededFuture()
        .compose(go -> warmUp.run(workers, fixedPlans))
        .timeout(length.plus(LAST_ROUND).toMillis(), TimeUnit.MILLISECONDS)
        .onSuccess(
            rounds ->
                LOG.debug(
                    "warmed up with {} rounds in {} ms",
                    rounds,
                    TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - began)))
        .onFailure(failure -> LOG.info("starts without a warm-up: {}", failure.toString()))
        .onComplete(done -> over.complete());
    return over.future();
  }

  private Future<Integer> run(Workers workers, boolean fixedPlans) {
    List<WorkerContext> places = workers.places();
    for (int i = 0; i < places.size(); i++) {
      loops.add(loop(places.get(i), workers.slots().get(i), fixedPlans));
    }
    Map<String, RouteTable> tables =
        loops.stream().collect(Collectors.toMap(Loop::key, each -> routes(each.sidecars)));
    return HttpFront.start(
            vertx,
            new HttpConfig("127.0.0.1", 0),
            limits,
            clock,
            nanoTime,
            loops.size(),
            number -> request -> dispatch(tables, request))
        .compose(
            front ->
                Future.join(loops.stream().map(loop -> drive(loop, front.port())).toList())
                    .map(all -> all.<Integer>list().stream().mapToInt(each -> each).sum())
                    .eventually(() -> front.stop(Duration.ZERO))
                    .eventually(this::stop));
  }

  private Loop loop(WorkerContext place, Slots slots, boolean fixedPlans) {
    Gate gate = new Gate();
    StoreOptions options = StoreOptions.defaults();
    MessageStore store =
        new MessageStore(
            place.context(),
            gate,
            fixedPlans ? options : options.withoutPlainStatements(),
            0,
            transaction -> {},
            new SweepTurns(),
            Encryption.none(),
            AnswerMemory.unlimited(),
            clock,
            nanoTime);
    Sidecars sidecars =
        new Sidecars(
            vertx,
            List.of(new WorkerContext(place.context(), place.thread(), store, 2, 2, () -> 0)),
            once(),
            new NoDirectory(),
            new ArrayDeque<>(),
            new NoPeers(),
            clock,
            nanoTime);
    return new Loop(place.context(), slots, gate, store, sidecars, UUID.randomUUID().toString());
  }

  /** What fails is not tried again. */
  private static SidecarLimits once() {
    SidecarLimits usual = SidecarLimits.defaults();
    return new SidecarLimits(
        usual.maxItemsPerCall(),
        usual.maxBytesPerCall(),
        usual.microBatchWait(),
        usual.maxPendingItems(),
        usual.maxPendingBytes(),
        usual.maxWaiting(),
        usual.backoff(),
        usual.maxCountedQueues(),
        true);
  }

  private RouteTable routes(Sidecars sidecars) {
    return new RouteTable(
        new BrokerApi(
                sidecars,
                "",
                new MessageIds(clock),
                limits,
                new BodyHandler(limits.maxBodyBytes(), BodyHandler.budget(MEMORY_BYTES)),
                Encryption.none(),
                PopDefaults.standard(),
                EmptyPop.NO_CONTENT,
                ObjectBounds.none(),
                clock)
            .routes());
  }

  private static void dispatch(Map<String, RouteTable> tables, HttpServerRequest request) {
    @Nullable String key = request.getHeader(KEY_HEADER);
    @Nullable RouteTable table = key == null ? null : tables.get(key);
    if (table == null) {
      request.connection().close();
    } else {
      table.handle(request);
    }
  }

  /** Uses the connections of an event loop in turn; answers the rounds that were done. */
  private Future<Integer> drive(Loop loop, int port) {
    return on(
            loop.context,
            () ->
                BlockingCall.run(
                    vertx, "warm-up", () -> new WarmUpTraffic(port, loop.key, nanoTime)))
        .compose(
            traffic ->
                turns(loop, traffic, 0, 0)
                    .eventually(() -> BlockingCall.close(vertx, "warm-up", traffic)));
  }

  private Future<Integer> turns(Loop loop, WarmUpTraffic traffic, int turn, int rounds) {
    // Each connection gets a turn, if only a short one.
    boolean over = turn >= loop.slots.size() && nanoTime.getAsLong() - deadline >= 0;
    if (over || rounds >= ENOUGH_ROUNDS) {
      return Future.succeededFuture(rounds);
    }
    Promise<Integer> done = Promise.promise();
    return on(
            loop.context,
            () ->
                loop.slots.rehearse(
                    turn % loop.slots.size(),
                    length.plus(LAST_ROUND),
                    connection -> turn(loop, traffic, connection).onComplete(done).mapEmpty()))
        .compose(rolledBack -> done.future())
        .compose(more -> turns(loop, traffic, turn + 1, rounds + more));
  }

  private Future<Integer> turn(Loop loop, WarmUpTraffic traffic, PgConnection connection) {
    loop.gate.open(connection);
    String queue = "warm-up-" + UUID.randomUUID();
    long end = nanoTime.getAsLong() + TURN.toNanos();
    return BlockingCall.run(vertx, "warm-up", () -> traffic.run(queue, ROUNDS_A_TURN, end))
        .onComplete(
            done -> {
              // What it remembers is rolled back now.
              loop.gate.close();
              loop.store.forgetAll();
            });
  }

  private Future<Void> stop() {
    return Future.join(loops.stream().map(loop -> loop.sidecars.stop()).toList()).mapEmpty();
  }

  private static <T> Future<T> on(Context context, Supplier<Future<T>> call) {
    Promise<T> promise = Promise.promise();
    context.runOnContext(
        go -> Future.succeededFuture().compose(started -> call.get()).onComplete(promise));
    return promise.future();
  }

  /** Lets statements through to a connection while it is lent. For one event loop. */
  private static final class Gate implements StoreClient {
    private Optional<PgConnection> connection = Optional.empty();

    void open(PgConnection lent) {
      connection = Optional.of(lent);
    }

    void close() {
      connection = Optional.empty();
    }

    @Override
    public Future<RowSet<Row>> call(String sql, Tuple arguments) {
      return connection
          .map(lent -> lent.preparedQuery(sql).execute(arguments))
          .orElseGet(
              () -> Future.failedFuture(new RejectedExecutionException("the warm-up has ended")));
    }
  }

  /** There is nothing to be found. */
  private static final class NoDirectory implements Directory {
    @Override
    public Future<List<NamedPartition>> names(List<UUID> partitionIds) {
      return Future.succeededFuture(List.of());
    }

    @Override
    public Future<List<String>> labelled(Optional<String> namespace, Optional<String> task) {
      return Future.succeededFuture(List.of());
    }
  }
}
