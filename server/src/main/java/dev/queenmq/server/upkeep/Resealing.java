package dev.queenmq.server.upkeep;

import dev.queenmq.server.store.upkeep.ResealStep;
import dev.queenmq.server.store.upkeep.ResealStore;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Re-encrypts stored payloads that have another key than the current one. Asks every few seconds,
 * which also reports the key of this broker, and takes steps while there is work. Belongs to one
 * event loop; its figures may be read by any thread.
 */
public final class Resealing {
  private static final Logger log = LoggerFactory.getLogger(Resealing.class);
  private static final long FIRST_LOOK_MILLIS = 1_000;
  private static final long LOOK_MILLIS = 20_000;
  private static final long LONGEST_REST_MILLIS = 1_000;

  private final Context context;
  private final ResealStore store;
  private final LongSupplier nanoTime;
  private final LongAdder stored = new LongAdder();
  private final LongAdder left = new LongAdder();
  private long timer = -1;
  private boolean stopping;
  private long ofThisPass;
  private long leftOfThisPass;
  private Future<?> current = Future.succeededFuture();

  /** Has not begun. */
  public Resealing(Context context, ResealStore store, LongSupplier nanoTime) {
    this.context = context;
    this.store = store;
    this.nanoTime = nanoTime;
  }

  /** Begins to look whether there is something to do. */
  public void start() {
    context.runOnContext(go -> sleep(FIRST_LOOK_MILLIS));
  }

  /** Ends with the step under way; another broker goes on. */
  public Future<Void> stop() {
    return Future.future(
        stopped ->
            context.runOnContext(
                go -> {
                  stopping = true;
                  context.owner().cancelTimer(timer);
                  current.transform(ended -> store.stopped()).otherwiseEmpty().onComplete(stopped);
                }));
  }

  /** How many messages and dead letters this broker has sealed again since its start. */
  public long stored() {
    return stored.sum();
  }

  /** How many it could not open; counted again in each pass. */
  public long left() {
    return left.sum();
  }

  private void sleep(long millis) {
    if (!stopping) {
      long jitter = ThreadLocalRandom.current().nextLong(1 + millis / 8);
      timer = context.owner().setTimer(Math.max(1, millis + jitter), over -> look());
    }
  }

  private void look() {
    if (stopping) {
      return;
    }
    long began = nanoTime.getAsLong();
    Future<ResealStep> step = store.step();
    current = step;
    step.onSuccess(done -> sleep(took(done, nanoTime.getAsLong() - began)))
        .onFailure(
            failure -> {
              log.warn("Stored payloads could not be encrypted again: {}", failure.toString());
              sleep(LOOK_MILLIS);
            });
  }

  /** How long to rest: half of the time is left to others. */
  private long took(ResealStep step, long nanos) {
    stored.add(step.stored());
    left.add(step.left());
    ofThisPass += step.stored();
    leftOfThisPass += step.left();
    if (step.state() == ResealStep.State.DONE) {
      ended();
    }
    return step.state() == ResealStep.State.MORE
        ? Math.min(LONGEST_REST_MILLIS, Duration.ofNanos(nanos).toMillis())
        : LOOK_MILLIS;
  }

  private void ended() {
    if (leftOfThisPass > 0) {
      log.warn(
          "{} stored payloads were encrypted again, and {} could not be decrypted",
          ofThisPass,
          leftOfThisPass);
    } else if (ofThisPass > 0) {
      log.info("{} stored payloads were encrypted again, and none is left", ofThisPass);
    }
    ofThisPass = 0;
    leftOfThisPass = 0;
  }
}
