package dev.queenmq.client;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers of a request on their way to the callers, in their order. Callbacks of callers run
 * while they get them. So that one which blocks does not hold up the others, several threads may
 * give them.
 */
final class AnswerDelivery {
  private static final Logger log = LoggerFactory.getLogger(AnswerDelivery.class);

  /** After this, a callback is taken for one that blocks. */
  private static final long CALLBACK_MILLIS = 20;

  private final int count;
  private final IntConsumer answer;
  private final ScheduledExecutorService timer;
  private final Executor threads;
  private final AtomicInteger next = new AtomicInteger();

  /**
   * A delivery that has not begun.
   *
   * @param count how many callers there are
   * @param answer gives the answer to one of them, 0 to {@code count} - 1
   * @param timer looks whether a callback blocks
   * @param threads go on if one does
   */
  AnswerDelivery(int count, IntConsumer answer, ScheduledExecutorService timer, Executor threads) {
    this.count = count;
    this.answer = answer;
    this.timer = timer;
    this.threads = threads;
  }

  /** Gives the answers that no other thread has taken. */
  void give() {
    ScheduledFuture<?> look = count > 1 ? lookLater() : null;
    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
      answer.accept(i);
    }
    if (look != null) {
      look.cancel(false);
    }
  }

  private @Nullable ScheduledFuture<?> lookLater() {
    try {
      return timer.schedule(this::goOnElsewhere, CALLBACK_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      log.debug("The client is closed", e);
      return null;
    }
  }

  private void goOnElsewhere() {
    if (next.get() >= count) {
      return;
    }
    try {
      threads.execute(this::give);
    } catch (RejectedExecutionException e) {
      log.debug("The client is closed", e);
    }
  }
}
