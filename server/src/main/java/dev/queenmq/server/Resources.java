package dev.queenmq.server;

import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a server has opened so far; closes it in reverse order. A resource that an interrupted start
 * adds after closing has begun is closed at once. Safe for use by several threads.
 */
final class Resources {

  private static final Logger log = LoggerFactory.getLogger(Resources.class);

  private final Deque<Supplier<Future<Void>>> closers = new ArrayDeque<>();
  private @Nullable Future<Void> closing;

  /**
   * Adds one.
   *
   * @param limit after which closing continues without it, so that one that hangs does not block
   *     the rest
   */
  synchronized void add(Duration limit, Supplier<Future<Void>> close) {
    Supplier<Future<Void>> closer = () -> limited(close.get(), limit);
    if (closing == null) {
      closers.push(closer);
    } else {
      closing = closing.compose(closed -> close(closer));
    }
  }

  /** Closes everything, whatever fails on the way; the same result for every caller. */
  synchronized Future<Void> close() {
    if (closing == null) {
      Future<Void> all = Future.succeededFuture();
      for (Supplier<Future<Void>> closer : closers) {
        all = all.compose(before -> close(closer));
      }
      closing = all;
    }
    return closing;
  }

  /** Without a context: the one to close may be the Vert.x that every context belongs to. */
  private static Future<Void> limited(Future<Void> future, Duration limit) {
    return Future.fromCompletionStage(
        future
            .toCompletionStage()
            .toCompletableFuture()
            .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS));
  }

  /** Whether the end has begun. */
  synchronized boolean closing() {
    return closing != null;
  }

  private static Future<Void> close(Supplier<Future<Void>> closer) {
    return closer
        .get()
        .recover(
            failure -> {
              log.warn("while stopping: {}", failure.toString());
              return Future.succeededFuture();
            });
  }
}
