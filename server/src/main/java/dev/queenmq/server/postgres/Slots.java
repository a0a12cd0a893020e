package dev.queenmq.server.postgres;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few connections of one event loop, each for one statement at a time. A connection is made when
 * it is needed, and made again when it broke. A statement that takes longer than the deadline is
 * cancelled, and if that does not help its connection is given up: no statement is stuck for ever.
 * One that PostgreSQL has forgotten is given up long before that.
 *
 * <p>A connection goes to the server that takes writes. When that is another one, the connections
 * to the one before are closed and what is under way on them fails. If the statements are made from
 * what their caller remembers, those that wait fail as well: the caller forgets, and then makes
 * them again. So no statement reaches a server that was made for another, and no answer of the old
 * one comes after the caller has forgotten. See {@link PrimaryFinder}.
 *
 * <p>Belongs to the event loop that it is made for, and is to be called on it.
 */
public final class Slots {
  private static final Logger LOG = LoggerFactory.getLogger(Slots.class);
  private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(2);

  /** Few statements take longer: from then on PostgreSQL is asked whether it works on them. */
  private static final long LOOK_MILLIS = 2_000;

  /** A server that accepts a connection and then stays silent would block a slot for ever. */
  private static final long LOGIN_MILLIS = 10_000;

  /** Behind a pooler, a connection is asked that often which server it reaches. */
  private static final long CHECK_NANOS = 1_000_000_000L;

  /**
   * A statement.
   *
   * @param generation of the server that it was made for
   */
  private record Call(String sql, Tuple arguments, long generation, Promise<RowSet<Row>> answer) {}

  private static final class Slot {
    Optional<PgConnection> connection = Optional.empty();
    Optional<Watch> watch = Optional.empty();
    long generation;
    long checkedAt;
    boolean busy;
  }

  private final Vertx vertx;
  private final Context context;
  private final PrimaryFinder primary;
  private final PrimaryFinder.Login login;
  private final Optional<Runnable> forget;
  private final Backends backends;
  private final long deadlineMillis;
  private final int maxWaiting;
  private final List<Slot> slots;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private final AtomicInteger busy = new AtomicInteger();
  private long generation;
  private boolean closed;

  /**
   * Of a single server.
   *
   * @param backends knows whether PostgreSQL still has a connection
   * @param maxWaiting statements that may wait for a slot; further ones fail at once
   * @param deadline for one statement; longer than PostgreSQL's own statement timeout
   */
  public Slots(
      Vertx vertx,
      Context context,
      PgConnectOptions options,
      Backends backends,
      int size,
      int maxWaiting,
      Duration deadline) {
    this(
        vertx,
        context,
        PrimaryFinder.of(vertx, options),
        server -> OpenedConnection.open(vertx, options),
        Optional.empty(),
        backends,
        size,
        maxWaiting,
        deadline);
  }

  private Slots(
      Vertx vertx,
      Context context,
      PrimaryFinder primary,
      PrimaryFinder.Login login,
      Optional<Runnable> forget,
      Backends backends,
      int size,
      int maxWaiting,
      Duration deadline) {
    this.vertx = vertx;
    this.context = context;
    this.primary = primary;
    this.login = login;
    this.forget = forget;
    this.backends = backends;
    this.maxWaiting = maxWaiting;
    this.deadlineMillis = deadline.toMillis();
    this.generation = primary.generation();
    this.slots =
        IntStream.range(0, size)
            .mapToObj(i -> new Slot())
            .collect(ArrayList::new, List::add, List::addAll);
    primary.onChange(() -> context.runOnContext(go -> changed(primary.generation())));
  }

  /**
   * For statements that say all they need.
   *
   * @param backends who works on what was sent
   * @param maxWaiting statements that may wait for a slot; further ones fail at once
   * @param deadline for one statement; longer than PostgreSQL's own statement timeout
   */
  public static Slots of(
      Vertx vertx,
      Context context,
      PrimaryFinder primary,
      Backends backends,
      int size,
      int maxWaiting,
      Duration deadline) {
    return new Slots(
        vertx,
        context,
        primary,
        server -> OpenedConnection.open(vertx, server.options()),
        Optional.empty(),
        backends,
        size,
        maxWaiting,
        deadline);
  }

  /**
   * For pushes, pops and acks, which are made from what was remembered.
   *
   * @param forget drops that; is run on the event loop at each change of the server
   * @param backends who works on what was sent
   * @param maxWaiting statements that may wait for a slot; further ones fail at once
   * @param deadline for one statement; longer than PostgreSQL's own statement timeout
   */
  public static Slots ofStore(
      Vertx vertx,
      Context context,
      PrimaryFinder primary,
      Runnable forget,
      Backends backends,
      int size,
      int maxWaiting,
      Duration deadline) {
    return new Slots(
        vertx,
        context,
        primary,
        server -> OpenedConnection.open(vertx, server.storeOptions()),
        Optional.of(forget),
        backends,
        size,
        maxWaiting,
        deadline);
  }

  /** How many statements are under way; may be asked by any thread. */
  public int busy() {
    return busy.get();
  }

  /**
   * Runs a statement as soon as a slot is free. Fails with a {@link RejectedExecutionException} if
   * as many wait as may; then nothing is sent.
   */
  public Future<RowSet<Row>> call(String sql, Tuple arguments) {
    if (closed) {
      return Future.failedFuture(closed());
    }
    if (waiting.size() >= maxWaiting) {
      return Future.failedFuture(
          new RejectedExecutionException(maxWaiting + " statements wait for a connection already"));
    }
    Promise<RowSet<Row>> answer = Promise.promise();
    waiting.add(new Call(sql, arguments, generation, answer));
    next();
    return answer.future();
  }

  /** How many connections there are at most. */
  public int size() {
    return slots.size();
  }

  /**
   * Opens one of the connections, if it is not open, and lends it for work whose effects are rolled
   * back. Its statements are prepared afterwards. If the work or the end of it fails, or takes
   * longer than the limit, the connection is closed.
   *
   * @param number of the slot, from 0; it must be idle
   * @param work is given a connection within a transaction, and uses it no longer when it is done
   */
  public Future<Void> rehearse(
      int number, Duration limit, Function<PgConnection, Future<Void>> work) {
    Slot slot = slots.get(number);
    if (closed || slot.busy) {
      return Future.failedFuture(closed ? closed() : new IOException("the connection is in use"));
    }
    slot.busy = true;
    busy.incrementAndGet();
    Call nothing = new Call("", Tuple.tuple(), generation, Promise.promise());
    return connected(slot, nothing)
        .compose(
            connection ->
                rolledBack(connection, work)
                    .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .onFailure(
                        failure -> {
                          forget(slot, connection);
                          connection.close();
                        }))
        .onComplete(
            done -> {
              slot.busy = false;
              busy.decrementAndGet();
              next();
            });
  }

  private static Future<Void> rolledBack(
      PgConnection connection, Function<PgConnection, Future<Void>> work) {
    return connection
        .begin()
        .compose(transaction -> work.apply(connection).eventually(transaction::rollback));
  }

  /** Closes the connections; statements under way fail. */
  public Future<Void> close() {
    closed = true;
    waiting.forEach(call -> call.answer.fail(closed()));
    waiting.clear();
    return Future.join(
            slots.stream()
                .map(
                    slot ->
                        slot.connection.map(PgConnection::close).orElseGet(Future::succeededFuture))
                .toList())
        .otherwiseEmpty()
        .mapEmpty();
  }

  private static IOException closed() {
    return new IOException("the connections are closed");
  }

  private void next() {
    while (!waiting.isEmpty()) {
      Optional<Slot> free = free();
      if (free.isEmpty()) {
        return;
      }
      run(free.get(), waiting.remove());
    }
  }

  /** One that is connected, if there is. */
  private Optional<Slot> free() {
    Optional<Slot> unconnected = Optional.empty();
    for (Slot slot : slots) {
      if (!slot.busy && slot.connection.isPresent()) {
        return Optional.of(slot);
      }
      if (!slot.busy && unconnected.isEmpty()) {
        unconnected = Optional.of(slot);
      }
    }
    return unconnected;
  }

  private void run(Slot slot, Call call) {
    slot.busy = true;
    busy.incrementAndGet();
    connected(slot, call)
        .compose(connection -> watched(slot, connection, call))
        .onComplete(
            answer -> {
              slot.busy = false;
              busy.decrementAndGet();
              // First the next statement, then the caller, which may have a thousand answers to
              // write.
              next();
              call.answer.handle(answer);
            });
  }

  private Future<PgConnection> connected(Slot slot, Call call) {
    if (slot.connection.isPresent()) {
      PgConnection current = slot.connection.get();
      return primary.isPooled() && System.nanoTime() - slot.checkedAt > CHECK_NANOS
          ? checked(slot, current, call)
          : Future.succeededFuture(current);
    }
    Future<PrimaryFinder.Reached> attempt = primary.connect(login);
    return attempt
        .timeout(LOGIN_MILLIS, TimeUnit.MILLISECONDS)
        .onFailure(late -> attempt.onSuccess(reached -> reached.opened().close()))
        .compose(
            reached -> {
              PgConnection connection = reached.opened().connection();
              changed(reached.generation());
              if (reached.generation() != generation) {
                connection.close();
                return Future.failedFuture(new ServerChangedException());
              }
              slot.connection = Optional.of(connection);
              slot.generation = generation;
              slot.checkedAt = System.nanoTime();
              connection.exceptionHandler(failure -> LOG.debug("connection", failure));
              connection.closeHandler(gone -> context.runOnContext(go -> forget(slot, connection)));
              return meant(call, connection);
            });
  }

  /** What is between may have gone to another server meanwhile. */
  private Future<PgConnection> checked(Slot slot, PgConnection connection, Call call) {
    return primary
        .check(connection)
        .timeout(LOGIN_MILLIS, TimeUnit.MILLISECONDS)
        .onFailure(
            failure -> {
              forget(slot, connection);
              connection.close();
            })
        .compose(
            found -> {
              slot.generation = found;
              slot.checkedAt = System.nanoTime();
              changed(found);
              return meant(call, connection);
            });
  }

  private Future<PgConnection> meant(Call call, PgConnection connection) {
    return forget.isEmpty() || call.generation == generation
        ? Future.succeededFuture(connection)
        : Future.failedFuture(new ServerChangedException());
  }

  /**
   * Ends all that belongs to a server before. Forgets first: a caller that gets a failure may ask
   * again at once.
   */
  private void changed(long now) {
    if (now <= generation) {
      return;
    }
    generation = now;
    List<Watch> underWay = new ArrayList<>();
    for (Slot slot : slots) {
      if (slot.generation < now) {
        slot.watch.ifPresent(underWay::add);
        slot.connection.ifPresent(
            old -> {
              forget(slot, old);
              old.close();
            });
      }
    }
    List<Call> stale = new ArrayList<>();
    if (forget.isPresent()) {
      stale.addAll(waiting);
      waiting.clear();
      forget.get().run();
    }
    underWay.forEach(watch -> watch.fail(new ServerChangedException()));
    stale.forEach(call -> call.answer.fail(new ServerChangedException()));
  }

  private static void forget(Slot slot, PgConnection connection) {
    if (slot.connection.filter(current -> current == connection).isPresent()) {
      slot.connection = Optional.empty();
    }
  }

  /** The server takes no writes any more: the next connection finds one that does. */
  private void discardReadOnly(Slot failed) {
    for (Slot slot : slots) {
      if ((slot == failed || !slot.busy) && slot.connection.isPresent()) {
        PgConnection old = slot.connection.get();
        forget(slot, old);
        old.close();
      }
    }
  }

  /** What was forgotten was seldom forgotten alone: the next statement need not find out. */
  private void lookAtIdle() {
    for (Slot slot : slots) {
      if (!slot.busy && slot.connection.isPresent()) {
        PgConnection idle = slot.connection.get();
        backends
            .isGone(idle.processId())
            .onSuccess(gone -> context.runOnContext(go -> discardIdle(slot, idle, gone)));
      }
    }
  }

  private static void discardIdle(Slot slot, PgConnection idle, boolean gone) {
    if (gone && !slot.busy) {
      forget(slot, idle);
      idle.close();
    }
  }

  private Future<RowSet<Row>> watched(Slot slot, PgConnection connection, Call call) {
    Watch watch = new Watch(slot, connection);
    slot.watch = Optional.of(watch);
    connection.preparedQuery(call.sql).execute(call.arguments).onComplete(watch::answered);
    return watch.answer.future();
  }

  /** Looks after one statement. */
  private final class Watch {
    private final Slot slot;
    private final PgConnection connection;
    private final Promise<RowSet<Row>> answer = Promise.promise();
    private long leftMillis = deadlineMillis;
    private long timer;
    private boolean cancelled;

    Watch(Slot slot, PgConnection connection) {
      this.slot = slot;
      this.connection = connection;
      pause();
    }

    void answered(AsyncResult<RowSet<Row>> result) {
      vertx.cancelTimer(timer);
      ended();
      if (result.succeeded() && cancelled) {
        // Perhaps while it waited for a standby: then it is committed here, and nowhere else.
        answer.tryFail(new IOException("it was cancelled, and may have happened"));
      } else if (result.succeeded()) {
        answer.tryComplete(result.result());
      } else {
        if (result.cause() instanceof PgException refused
            && SqlStates.of(refused).equals(SqlStates.READ_ONLY_TRANSACTION)) {
          discardReadOnly(slot);
        }
        answer.tryFail(result.cause());
      }
    }

    /** The connection is given up by whoever says so. */
    void fail(IOException why) {
      vertx.cancelTimer(timer);
      ended();
      answer.tryFail(why);
    }

    private void ended() {
      if (slot.watch.filter(current -> current == this).isPresent()) {
        slot.watch = Optional.empty();
      }
    }

    private void pause() {
      long millis = Math.min(leftMillis, LOOK_MILLIS);
      timer =
          vertx.setTimer(
              millis,
              late -> {
                leftMillis -= millis;
                look();
              });
    }

    private void look() {
      if (leftMillis <= 0) {
        cancel();
        return;
      }
      pause();
      backends
          .isGone(connection.processId())
          .onSuccess(
              gone -> {
                if (gone) {
                  context.runOnContext(
                      go -> {
                        giveUp("PostgreSQL has forgotten a connection");
                        lookAtIdle();
                      });
                }
              });
    }

    private void cancel() {
      LOG.warn("A statement takes longer than {} ms and is cancelled", deadlineMillis);
      cancelled = true;
      connection.cancelRequest();
      vertx.setTimer(CANCEL_PATIENCE.toMillis(), late -> giveUp("PostgreSQL does not answer"));
    }

    /** Does not wait until the connection is closed: the driver wants the server's consent. */
    private void giveUp(String why) {
      if (answer.tryFail(new IOException(why))) {
        LOG.warn("{}: giving it up", why);
        vertx.cancelTimer(timer);
        ended();
        forget(slot, connection);
        connection.close();
      }
    }
  }
}
