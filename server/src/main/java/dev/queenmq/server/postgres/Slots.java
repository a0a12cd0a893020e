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
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few connections of one event loop. A connection is made when it is needed, and made again when
 * it broke. A statement that takes longer than the deadline is cancelled, and if that does not help
 * its connection is given up: no statement is stuck for ever. One that PostgreSQL has forgotten is
 * given up long before that.
 *
 * <p><b>One at a time, or one behind the other.</b> Most connections carry one statement at a time.
 * The first one of those that push, pop and ack carries <i>quick</i> statements only, and several
 * of them at once: PostgreSQL finds the next one when it has answered the one before, and need not
 * be woken. On few cores that saves an eighth of the processor time of small pops and acks. None of
 * them may wait for long because of the others:
 *
 * <ul>
 *   <li>If a statement would probably wait for more than {@value #PATIENCE_NANOS} ns, because
 *       commits take long or those before it are large, it takes a connection that is idle.
 *   <li>A quick statement that waits for a lock is ended after {@value #LOCK_PATIENCE_MILLIS} ms,
 *       and made again on a connection of its own. It has changed nothing, so its caller need not
 *       know.
 * </ul>
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

  /** Quick statements that may be under way on one connection. */
  private static final int DEPTH = 4;

  /** A quick statement that would wait longer behind others takes an idle connection. */
  private static final long PATIENCE_NANOS = 4_000_000;

  /** How long a statement that others may wait for waits for a lock itself. */
  private static final long LOCK_PATIENCE_MILLIS = 100;

  /**
   * A statement.
   *
   * @param generation of the server that it was made for
   */
  private record Call(String sql, Tuple arguments, long generation, Promise<RowSet<Row>> answer) {}

  /** A connection and what is under way on it. */
  private static final class Line {
    final PgConnection connection;
    final LineLoad load = new LineLoad();

    /** In the order in which they were sent, which is that of the answers. */
    final Deque<Watch> underWay = new ArrayDeque<>();

    /** Nothing new is sent on it; it is closed when nothing is under way any more. */
    boolean retired;

    Line(PgConnection connection) {
      this.connection = connection;
    }
  }

  private static final class Slot {
    /** Whether it is for quick statements, several at a time. */
    final boolean shared;

    Optional<Line> line = Optional.empty();
    long generation;
    long checkedAt;

    /** It carries the one statement that it may, is being opened, or is lent. */
    boolean taken;

    Slot(boolean shared) {
      this.shared = shared;
    }

    boolean isIdle() {
      return !taken && underWay() == 0;
    }

    int underWay() {
      return line.map(each -> each.underWay.size()).orElse(0);
    }

    double expectedWait(LongSupplier nanoTime) {
      // Not with a lambda, which would be an object for each statement.
      return line.isEmpty()
          ? 0
          : line.get().load.expectedWait(line.get().underWay.size(), nanoTime.getAsLong());
    }
  }

  private final Vertx vertx;
  private final Context context;
  private final PrimaryFinder primary;
  private final PrimaryFinder.Login login;
  private final PrimaryFinder.Login sharedLogin;
  private final Optional<Runnable> forget;
  private final Backends backends;
  private final long deadlineMillis;
  private final LongSupplier nanoTime;
  private final int maxWaiting;
  private final List<Slot> slots;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private final Deque<Call> waitingQuick = new ArrayDeque<>();
  private final AtomicInteger busy = new AtomicInteger();
  private long generation;
  private boolean closed;

  /**
   * Of a single server.
   *
   * @param backends knows whether PostgreSQL still has a connection
   * @param maxWaiting statements that may wait for a slot; further ones fail at once
   * @param deadline for one statement; longer than PostgreSQL's own statement timeout
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public Slots(
      Vertx vertx,
      Context context,
      PgConnectOptions options,
      Backends backends,
      int size,
      int maxWaiting,
      Duration deadline,
      LongSupplier nanoTime) {
    this(
        vertx,
        context,
        PrimaryFinder.of(vertx, options),
        server -> options,
        Optional.empty(),
        backends,
        size,
        false,
        maxWaiting,
        deadline,
        nanoTime);
  }

  private Slots(
      Vertx vertx,
      Context context,
      PrimaryFinder primary,
      Function<PrimaryFinder.Server, PgConnectOptions> options,
      Optional<Runnable> forget,
      Backends backends,
      int size,
      boolean sharing,
      int maxWaiting,
      Duration deadline,
      LongSupplier nanoTime) {
    this.vertx = vertx;
    this.context = context;
    this.primary = primary;
    login = server -> OpenedConnection.open(vertx, options.apply(server));
    sharedLogin = server -> OpenedConnection.open(vertx, impatient(options.apply(server)));
    this.forget = forget;
    this.backends = backends;
    this.maxWaiting = maxWaiting;
    this.deadlineMillis = deadline.toMillis();
    this.nanoTime = nanoTime;
    this.generation = primary.generation();
    this.slots =
        IntStream.range(0, size)
            .mapToObj(i -> new Slot(sharing && i == 0))
            .collect(ArrayList::new, List::add, List::addAll);
    primary.onChange(() -> context.runOnContext(go -> changed(primary.generation())));
  }

  private static PgConnectOptions impatient(PgConnectOptions options) {
    return new PgConnectOptions(options).addProperty("lock_timeout", LOCK_PATIENCE_MILLIS + "ms");
  }

  /**
   * For statements that say all they need.
   *
   * @param backends who works on what was sent
   * @param maxWaiting statements that may wait for a slot; further ones fail at once
   * @param deadline for one statement; longer than PostgreSQL's own statement timeout
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public static Slots of(
      Vertx vertx,
      Context context,
      PrimaryFinder primary,
      Backends backends,
      int size,
      int maxWaiting,
      Duration deadline,
      LongSupplier nanoTime) {
    return new Slots(
        vertx,
        context,
        primary,
        PrimaryFinder.Server::options,
        Optional.empty(),
        backends,
        size,
        false,
        maxWaiting,
        deadline,
        nanoTime);
  }

  /**
   * For pushes, pops and acks, which are made from what was remembered.
   *
   * @param forget drops that; is run on the event loop at each change of the server
   * @param backends who works on what was sent
   * @param sharing whether one of several connections is for quick statements
   * @param maxWaiting statements that may wait for a slot; further ones fail at once
   * @param deadline for one statement; longer than PostgreSQL's own statement timeout
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public static Slots ofStore(
      Vertx vertx,
      Context context,
      PrimaryFinder primary,
      Runnable forget,
      Backends backends,
      int size,
      boolean sharing,
      int maxWaiting,
      Duration deadline,
      LongSupplier nanoTime) {
    return new Slots(
        vertx,
        context,
        primary,
        PrimaryFinder.Server::storeOptions,
        Optional.of(forget),
        backends,
        size,
        sharing,
        maxWaiting,
        deadline,
        nanoTime);
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
    return add(waiting, sql, arguments);
  }

  /**
   * The same for a statement that takes a moment as a rule, and is a transaction: it may share a
   * connection with others of its kind.
   */
  public Future<RowSet<Row>> quick(String sql, Tuple arguments) {
    return add(slots.get(0).shared ? waitingQuick : waiting, sql, arguments);
  }

  private Future<RowSet<Row>> add(Deque<Call> behind, String sql, Tuple arguments) {
    if (closed) {
      return Future.failedFuture(closed());
    }
    if (waiting.size() + waitingQuick.size() >= maxWaiting) {
      return Future.failedFuture(
          new RejectedExecutionException(maxWaiting + " statements wait for a connection already"));
    }
    Promise<RowSet<Row>> answer = Promise.promise();
    behind.add(new Call(sql, arguments, generation, answer));
    next();
    return answer.future();
  }

  /** How many statements may be under way. */
  public int capacity() {
    return slots.stream().mapToInt(slot -> slot.shared ? DEPTH : 1).sum();
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
    if (closed || !slot.isIdle()) {
      return Future.failedFuture(closed ? closed() : new IOException("the connection is in use"));
    }
    slot.taken = true;
    busy.incrementAndGet();
    Call nothing = new Call("", Tuple.tuple(), generation, Promise.promise());
    return connected(slot, nothing)
        .compose(
            line ->
                rolledBack(line.connection, work)
                    .timeout(limit.toMillis(), TimeUnit.MILLISECONDS)
                    .onFailure(failure -> discard(slot, line)))
        .onComplete(
            done -> {
              slot.taken = false;
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
    takeWaiting().forEach(call -> call.answer.fail(closed()));
    return Future.join(
            slots.stream()
                .map(
                    slot ->
                        slot.line
                            .map(line -> line.connection.close())
                            .orElseGet(Future::succeededFuture))
                .toList())
        .otherwiseEmpty()
        .mapEmpty();
  }

  private static IOException closed() {
    return new IOException("the connections are closed");
  }

  private List<Call> takeWaiting() {
    List<Call> all = new ArrayList<>(waiting);
    all.addAll(waitingQuick);
    waiting.clear();
    waitingQuick.clear();
    return all;
  }

  private void next() {
    while (!waiting.isEmpty()) {
      Optional<Slot> idle = idle();
      if (idle.isEmpty()) {
        break;
      }
      alone(idle.get(), waiting.remove());
    }
    while (!waitingQuick.isEmpty() && nextQuick()) {
      // Until there is no room.
    }
  }

  /** Whether a quick statement was sent. */
  private boolean nextQuick() {
    Slot shared = slots.get(0);
    boolean room = !shared.taken && shared.underWay() < DEPTH;
    if (room && shared.expectedWait(nanoTime) <= PATIENCE_NANOS) {
      behind(shared, waitingQuick.remove());
      return true;
    }
    Optional<Slot> idle = idle();
    if (idle.isPresent()) {
      alone(idle.get(), waitingQuick.remove());
    } else if (room) {
      behind(shared, waitingQuick.remove());
    }
    return room || idle.isPresent();
  }

  /** One for a statement alone; one that is connected, if there is. */
  private Optional<Slot> idle() {
    Optional<Slot> unconnected = Optional.empty();
    for (Slot slot : slots) {
      if (!slot.shared && slot.isIdle()) {
        if (slot.line.isPresent()) {
          return Optional.of(slot);
        }
        unconnected = unconnected.or(() -> Optional.of(slot));
      }
    }
    return unconnected;
  }

  /** Sends a statement that has the connection for itself. */
  private void alone(Slot slot, Call call) {
    slot.taken = true;
    busy.incrementAndGet();
    connected(slot, call)
        .compose(line -> watched(slot, line, call))
        .onComplete(
            answer -> {
              slot.taken = false;
              busy.decrementAndGet();
              // First the next statement, then the caller, which may have a thousand answers to
              // write.
              next();
              call.answer.handle(answer);
            });
  }

  /** Sends a quick statement behind others. While the connection is opened, no other one comes. */
  private void behind(Slot slot, Call call) {
    slot.taken = slot.line.isEmpty();
    busy.incrementAndGet();
    connected(slot, call)
        .onComplete(opened -> slot.taken = false)
        .compose(line -> watched(slot, line, call))
        .onComplete(
            answer -> {
              busy.decrementAndGet();
              if (answer.failed() && isLocked(answer.cause()) && !closed) {
                // It has changed nothing. First of all, since it has waited already.
                waiting.addFirst(call);
                next();
              } else {
                next();
                call.answer.handle(answer);
              }
            });
  }

  private static boolean isLocked(Throwable failure) {
    return failure instanceof PgException refused
        && SqlStates.of(refused).equals(SqlStates.LOCK_NOT_AVAILABLE);
  }

  private Future<Line> connected(Slot slot, Call call) {
    if (slot.line.isPresent()) {
      Line current = slot.line.get();
      return primary.isPooled() && nanoTime.getAsLong() - slot.checkedAt > CHECK_NANOS
          ? checked(slot, current, call)
          : Future.succeededFuture(current);
    }
    Future<PrimaryFinder.Reached> attempt = primary.connect(slot.shared ? sharedLogin : login);
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
              Line line = new Line(connection);
              slot.line = Optional.of(line);
              slot.generation = generation;
              slot.checkedAt = nanoTime.getAsLong();
              connection.exceptionHandler(failure -> LOG.debug("connection", failure));
              connection.closeHandler(gone -> context.runOnContext(go -> forget(slot, line)));
              return meant(call, line);
            });
  }

  /** What is between may have gone to another server meanwhile. */
  private Future<Line> checked(Slot slot, Line line, Call call) {
    return primary
        .check(line.connection)
        .timeout(LOGIN_MILLIS, TimeUnit.MILLISECONDS)
        .onFailure(failure -> discard(slot, line))
        .compose(
            found -> {
              slot.generation = found;
              slot.checkedAt = nanoTime.getAsLong();
              changed(found);
              return meant(call, line);
            });
  }

  private Future<Line> meant(Call call, Line line) {
    return forget.isEmpty() || call.generation == generation
        ? Future.succeededFuture(line)
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
        slot.line.ifPresent(
            old -> {
              underWay.addAll(old.underWay);
              discard(slot, old);
            });
      }
    }
    List<Call> stale = new ArrayList<>();
    if (forget.isPresent()) {
      stale.addAll(takeWaiting());
      forget.get().run();
    }
    underWay.forEach(watch -> watch.fail(new ServerChangedException()));
    stale.forEach(call -> call.answer.fail(new ServerChangedException()));
  }

  private static void forget(Slot slot, Line line) {
    if (slot.line.filter(current -> current == line).isPresent()) {
      slot.line = Optional.empty();
    }
  }

  /** Does not wait until it is closed: the driver wants the server's consent. */
  private static void discard(Slot slot, Line line) {
    forget(slot, line);
    line.connection.close();
  }

  /** The server takes no writes any more: the next connection finds one that does. */
  private void discardReadOnly(Line failed) {
    for (Slot slot : slots) {
      slot.line
          .filter(line -> line == failed || slot.isIdle())
          .ifPresent(line -> retire(slot, line));
    }
  }

  /** Sends nothing more on it, and closes it when what is under way is answered. */
  private static void retire(Slot slot, Line line) {
    if (line.underWay.isEmpty()) {
      discard(slot, line);
    } else {
      forget(slot, line);
      line.retired = true;
    }
  }

  /** What was forgotten was seldom forgotten alone: the next statement need not find out. */
  private void lookAtIdle() {
    for (Slot slot : slots) {
      if (slot.isIdle() && slot.line.isPresent()) {
        Line idle = slot.line.get();
        backends
            .isGone(idle.connection.processId())
            .onSuccess(gone -> context.runOnContext(go -> discardIdle(slot, idle, gone)));
      }
    }
  }

  private static void discardIdle(Slot slot, Line idle, boolean gone) {
    if (gone && slot.isIdle() && slot.line.filter(current -> current == idle).isPresent()) {
      discard(slot, idle);
    }
  }

  private Future<RowSet<Row>> watched(Slot slot, Line line, Call call) {
    Watch watch = new Watch(slot, line);
    line.load.sending(line.underWay.size(), nanoTime.getAsLong());
    line.underWay.add(watch);
    if (line.underWay.size() == 1) {
      watch.begin();
    }
    line.connection.preparedQuery(call.sql).execute(call.arguments).onComplete(watch::answered);
    return watch.answer.future();
  }

  /** Looks after one statement, from when PostgreSQL may work on it. */
  private final class Watch {
    private static final long NOT_SET = -1;

    private final Slot slot;
    private final Line line;
    private final Promise<RowSet<Row>> answer = Promise.promise();
    private long leftMillis = deadlineMillis;
    private long timer = NOT_SET;
    private boolean cancelled;

    Watch(Slot slot, Line line) {
      this.slot = slot;
      this.line = line;
    }

    /** Those before it are answered. */
    void begin() {
      long millis = Math.min(leftMillis, LOOK_MILLIS);
      timer =
          vertx.setTimer(
              millis,
              late -> {
                leftMillis -= millis;
                look();
              });
    }

    void answered(AsyncResult<RowSet<Row>> result) {
      ended();
      if (result.succeeded() && cancelled) {
        // Perhaps while it waited for a standby: then it is committed here, and nowhere else.
        answer.tryFail(new IOException("it was cancelled, and may have happened"));
      } else if (result.succeeded()) {
        answer.tryComplete(result.result());
      } else {
        if (!(result.cause() instanceof PgException refused)) {
          retire(slot, line); // not PostgreSQL's answer: the connection is broken
        } else if (SqlStates.of(refused).equals(SqlStates.READ_ONLY_TRANSACTION)) {
          discardReadOnly(line);
        }
        answer.tryFail(result.cause());
      }
    }

    /** The connection is given up by whoever says so. */
    void fail(IOException why) {
      ended();
      answer.tryFail(why);
    }

    private void ended() {
      vertx.cancelTimer(timer);
      boolean first = line.underWay.peek() == this;
      if (!line.underWay.remove(this)) {
        return; // it was given up before
      }
      if (line.underWay.isEmpty() && line.retired) {
        line.connection.close();
      } else if (first) {
        line.load.answered(nanoTime.getAsLong());
        line.underWay.stream().findFirst().ifPresent(Watch::begin);
      }
    }

    private void look() {
      if (leftMillis <= 0) {
        cancel();
        return;
      }
      begin();
      backends
          .isGone(line.connection.processId())
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
      line.connection.cancelRequest();
      timer =
          vertx.setTimer(CANCEL_PATIENCE.toMillis(), late -> giveUp("PostgreSQL does not answer"));
    }

    /** With all that wait behind it. */
    private void giveUp(String why) {
      if (line.underWay.contains(this)) {
        LOG.warn("{}: giving it up", why);
        List<Watch> all = List.copyOf(line.underWay);
        discard(slot, line);
        all.forEach(watch -> watch.fail(new IOException(why)));
      }
    }
  }
}
