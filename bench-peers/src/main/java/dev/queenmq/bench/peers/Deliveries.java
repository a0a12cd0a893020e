package dev.queenmq.bench.peers;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Messages that a system sends by itself, until a worker takes them. Threads of the client add; the
 * worker takes one batch at a time, on its event loop.
 *
 * @param <T> a message of the client
 */
final class Deliveries<T> {
  /** How long a batch is waited for that does not become full. */
  private static final long LONGEST_WAIT_MILLIS = 50;

  private final Context context;
  private final int batch;
  private final int enough;
  private final boolean waits;
  private final ArrayDeque<T> messages = new ArrayDeque<>();
  private Optional<Promise<List<T>>> taker = Optional.empty();
  private boolean closed;

  /**
   * None so far.
   *
   * @param waits whether to wait for the first message, however long; else a batch should be full,
   *     and one that does not become full is answered after a moment
   */
  Deliveries(Context context, int batch, boolean waits) {
    this.context = context;
    this.batch = batch;
    this.waits = waits;
    enough = waits ? 1 : batch;
  }

  synchronized void add(T message) {
    messages.add(message);
    if (messages.size() >= enough) {
      answer();
    }
  }

  /**
   * The same once there is room for it: a client that asks for more as soon as it has delivered
   * would fetch the whole queue. For a thread of the client's own.
   */
  synchronized void addWhenThereIsRoom(T message) throws InterruptedException {
    while (messages.size() >= batch && !closed) {
      wait();
    }
    add(message);
  }

  /** The next batch. */
  synchronized Future<List<T>> take() {
    if (closed || messages.size() >= enough) {
      return Future.succeededFuture(next());
    }
    Promise<List<T>> promise = Promise.promise();
    taker = Optional.of(promise);
    if (!waits) {
      context.owner().setTimer(LONGEST_WAIT_MILLIS, fired -> answer(promise));
    }
    return promise.future();
  }

  private synchronized void answer(Promise<List<T>> promise) {
    if (taker.isPresent() && taker.get() == promise) {
      answer();
    }
  }

  private synchronized void answer() {
    if (taker.isPresent()) {
      Promise<List<T>> promise = taker.get();
      List<T> next = next();
      taker = Optional.empty();
      context.runOnContext(go -> promise.complete(next));
    }
  }

  private synchronized List<T> next() {
    int count = Math.min(batch, messages.size());
    List<T> next = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      next.add(messages.remove());
    }
    notifyAll();
    return next;
  }

  /** Ends all waits. */
  synchronized void close() {
    closed = true;
    notifyAll();
    answer();
  }
}
