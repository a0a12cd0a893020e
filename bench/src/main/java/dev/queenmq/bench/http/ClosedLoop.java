package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Workers that do one piece of work after the other, as fast as the answers come. */
public final class ClosedLoop implements AutoCloseable {
  private static final Duration AFTER_FAILURE = Duration.ofMillis(100);
  private static final Duration AFTER_NOTHING = Duration.ofMillis(5);

  /** What a worker does again and again. */
  public interface Work {
    /** One piece; how many messages it was. */
    Future<Integer> once();
  }

  private final Meter meter;
  private final List<Future<Void>> stopped = new ArrayList<>();
  private volatile boolean over;

  /** No worker runs yet. */
  public ClosedLoop(Meter meter) {
    this.meter = meter;
  }

  /** Starts one worker; this is not safe for several threads. */
  public void start(Context context, Work work) {
    Promise<Void> end = Promise.promise();
    stopped.add(end.future());
    context.runOnContext(go -> next(context, work, end));
  }

  private void next(Context context, Work work, Promise<Void> end) {
    if (over) {
      end.complete();
      return;
    }
    long began = System.nanoTime();
    begin(work)
        .onComplete(
            done -> {
              if (done.failed() && !over) {
                meter.failed(done.cause());
              }
              if (done.failed() || done.result() == 0) {
                EventLoop.pause(context, done.failed() ? AFTER_FAILURE : AFTER_NOTHING)
                    .onComplete(waited -> next(context, work, end));
              } else {
                meter.done(done.result(), System.nanoTime() - began);
                next(context, work, end);
              }
            });
  }

  private static Future<Integer> begin(Work work) {
    try {
      return work.once();
    } catch (RuntimeException e) {
      // Clients of other systems throw; their worker must go on all the same.
      return Future.failedFuture(e);
    }
  }

  /** From here on no worker begins another piece, and failures do not count. */
  public void stop() {
    over = true;
  }

  /** Lets all workers finish their piece. */
  @Override
  public void close() {
    stop();
    Blocking.get(Future.join(stopped));
  }
}
