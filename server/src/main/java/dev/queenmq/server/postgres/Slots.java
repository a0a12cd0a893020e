package dev.queenmq.server.postgres;

import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
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
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A few connections of one event loop, each for one statement at a time. A connection is made when
 * it is needed, and made again when it broke. A statement that takes longer than the deadline is
 * cancelled, and if that does not help its connection is given up: no statement is stuck for ever.
 * One that PostgreSQL has forgotten is given up long before that.
 *
 * <p>Belongs to the event loop that it is made for, and is to be called on it.
 */
public final class Slots {
  private static final Logger LOG = LoggerFactory.getLogger(Slots.class);
  private static final Duration CANCEL_PATIENCE = Duration.ofSeconds(2);

  /** Few statements take longer: it is worth a look whether anybody works on them. */
  private static final long LOOK_MILLIS = 2_000;

  /** A server that accepts a connection and then says nothing would be waited for for ever. */
  private static final long LOGIN_MILLIS = 10_000;

  private record Call(String sql, Tuple arguments, Promise<RowSet<Row>> answer) {}

  private static final class Slot {
    Optional<PgConnection> connection = Optional.empty();
    boolean busy;
  }

  private final Vertx vertx;
  private final Context context;
  private final PgConnectOptions options;
  private final Backends backends;
  private final long deadlineMillis;
  private final int maxWaiting;
  private final List<Slot> slots;
  private final Deque<Call> waiting = new ArrayDeque<>();
  private final AtomicInteger busy = new AtomicInteger();
  private boolean closed;

  /**
   * Connects nothing yet.
   *
   * @param backends who works on what was sent
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
    this.vertx = vertx;
    this.context = context;
    this.options = options;
    this.backends = backends;
    this.maxWaiting = maxWaiting;
    this.deadlineMillis = deadline.toMillis();
    this.slots =
        IntStream.range(0, size)
            .mapToObj(i -> new Slot())
            .collect(ArrayList::new, List::add, List::addAll);
  }

  /** How many statements can be under way. */
  public int size() {
    return slots.size();
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
    waiting.add(new Call(sql, arguments, answer));
    next();
    return answer.future();
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
    connected(slot)
        .compose(connection -> watched(slot, connection, call))
        .onComplete(
            answer -> {
              slot.busy = false;
              busy.decrementAndGet();
              // First the next statement, then the one who may have a thousand answers to write.
              next();
              call.answer.handle(answer);
            });
  }

  private Future<PgConnection> connected(Slot slot) {
    if (slot.connection.isPresent()) {
      return Future.succeededFuture(slot.connection.get());
    }
    Future<PgConnection> login = PgConnection.connect(vertx, options);
    return login
        .timeout(LOGIN_MILLIS, TimeUnit.MILLISECONDS)
        .onFailure(late -> login.onSuccess(PgConnection::close))
        .map(
            connection -> {
              slot.connection = Optional.of(connection);
              connection.exceptionHandler(failure -> LOG.debug("connection", failure));
              connection.closeHandler(gone -> context.runOnContext(go -> forget(slot, connection)));
              return connection;
            });
  }

  private static void forget(Slot slot, PgConnection connection) {
    if (slot.connection.filter(current -> current == connection).isPresent()) {
      slot.connection = Optional.empty();
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

    Watch(Slot slot, PgConnection connection) {
      this.slot = slot;
      this.connection = connection;
      pause();
    }

    void answered(AsyncResult<RowSet<Row>> result) {
      vertx.cancelTimer(timer);
      if (result.succeeded()) {
        answer.tryComplete(result.result());
      } else {
        answer.tryFail(result.cause());
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
      connection.cancelRequest();
      vertx.setTimer(CANCEL_PATIENCE.toMillis(), late -> giveUp("PostgreSQL does not answer"));
    }

    /** Does not wait until the connection is closed: the driver wants the server's consent. */
    private void giveUp(String why) {
      if (answer.tryFail(new IOException(why))) {
        LOG.warn("{}: giving it up", why);
        vertx.cancelTimer(timer);
        forget(slot, connection);
        connection.close();
      }
    }
  }
}
