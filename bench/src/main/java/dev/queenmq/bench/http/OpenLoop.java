package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import io.vertx.core.Context;
import io.vertx.core.Promise;

/**
 * Sends at a fixed rate, whatever comes back. Each piece of work has the moment at which it was
 * due, also when it leaves later: latencies count from there, so that a stall counts for all that
 * had to wait for it.
 */
public final class OpenLoop implements AutoCloseable {
  private static final long TICK_MILLIS = 1;
  private static final double NANOS = 1e9;

  /** Sends a piece of work. */
  public interface Send {
    /** It was due at this moment. */
    void at(long dueNanos);
  }

  private final Context context;
  private final double perSecond;
  private final Send send;
  private long start;
  private long timer;
  private long sent;

  /** Nothing is sent before {@link #start}. */
  public OpenLoop(Context context, double perSecond, Send send) {
    this.context = context;
    this.perSecond = perSecond;
    this.send = send;
  }

  /** Begins. */
  public void start() {
    context.runOnContext(
        go -> {
          start = System.nanoTime();
          timer = context.owner().setPeriodic(TICK_MILLIS, fired -> tick());
        });
  }

  private void tick() {
    long now = System.nanoTime();
    long due = due(sent);
    while (due <= now) {
      sent++;
      send.at(due);
      due = due(sent);
    }
  }

  private long due(long number) {
    return start + Math.round(number * NANOS / perSecond);
  }

  /** Stops to send; what was sent is still on its way. */
  @Override
  public void close() {
    Promise<Void> stopped = Promise.promise();
    context.runOnContext(
        go -> {
          context.owner().cancelTimer(timer);
          stopped.complete();
        });
    Blocking.get(stopped.future());
  }
}
