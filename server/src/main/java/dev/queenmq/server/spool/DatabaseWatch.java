package dev.queenmq.server.spool;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether PostgreSQL answers. It is probed only after a call that failed or takes too long. Once it
 * does not answer it counts as away, until it does. Safe for any thread.
 */
public final class DatabaseWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseWatch.class);
  private static final long PROBE_MILLIS = 250;
  private static final long LONGEST_PROBE_MILLIS = 4_000;

  /** If it is away again sooner than this, it answers probes but does not work. */
  private static final Duration SHORT_VISIT = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final Supplier<Future<Void>> probe;
  private final LongSupplier nanoTime;
  private final List<Runnable> onReturn = new CopyOnWriteArrayList<>();
  private final AtomicBoolean asking = new AtomicBoolean();
  private volatile boolean away;
  private volatile boolean stopped;
  // Set by the one caller that probes.
  private long pauseMillis = PROBE_MILLIS;
  private volatile long backSince;

  /**
   * Believes that it is there.
   *
   * @param probe asks it, and fails soon if there is no answer
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public DatabaseWatch(Vertx vertx, Supplier<Future<Void>> probe, LongSupplier nanoTime) {
    this.vertx = vertx;
    this.probe = probe;
    this.nanoTime = nanoTime;
    backSince = nanoTime.getAsLong() - SHORT_VISIT.toNanos();
  }

  /** Whether it is known to be away. */
  public boolean isAway() {
    return away;
  }

  /** Called each time it is back. */
  public void onReturn(Runnable listener) {
    onReturn.add(listener);
  }

  /** Something did not go as it should: asks now whether it is still there. */
  public void doubt() {
    if (!away && asking.compareAndSet(false, true)) {
      ask();
    }
  }

  /** Asks no more. */
  public void stop() {
    stopped = true;
  }

  private void ask() {
    if (stopped) {
      asking.set(false);
      return;
    }
    probe
        .get()
        .onComplete(
            answer -> {
              if (answer.succeeded()) {
                isThere();
              } else {
                isNot(answer.cause());
              }
            });
  }

  private void isThere() {
    boolean returned = away;
    if (returned) {
      backSince = nanoTime.getAsLong();
      away = false;
      LOG.info("PostgreSQL is back");
    }
    asking.set(false);
    if (returned) {
      onReturn.forEach(Runnable::run);
    }
  }

  private void isNot(Throwable why) {
    if (!away) {
      boolean soon = nanoTime.getAsLong() - backSince < SHORT_VISIT.toNanos();
      pauseMillis = soon ? Math.min(LONGEST_PROBE_MILLIS, 2 * pauseMillis) : PROBE_MILLIS;
      away = true;
      LOG.warn("PostgreSQL does not answer, pushes go to the spool: {}", String.valueOf(why));
    }
    vertx.setTimer(pauseMillis, again -> ask());
  }
}
