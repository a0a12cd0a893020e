package dev.queenmq.bench.cluster;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.SplittableRandom;
import org.HdrHistogram.Histogram;

/**
 * How long a push at the first broker takes to end a poll that waits at the second. Each waiter has
 * a queue of its own. Many wait long enough to be looked after seldom; one alone does not, so that
 * there is a number of wake-ups to look at.
 */
final class WakeUps {
  static final int MANY = 100;

  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final String QUERY = "batch=10&autoAck=true&wait=true&timeout=30000";

  private final EventLoop loop;
  private final BrokerClient pushing;
  private final BrokerClient waiting;
  private final int waiters;
  private final int shortest;
  private final int longest;
  private final SplittableRandom random = new SplittableRandom(1);
  private final Histogram fromSent = new Histogram(3);
  private final Histogram fromAnswered = new Histogram(3);
  private boolean recording;
  private long number;

  WakeUps(Cluster cluster, EventLoop loop, int waiters) {
    this.loop = loop;
    this.waiters = waiters;
    shortest = waiters == 1 ? 50 : 1500;
    longest = waiters == 1 ? 150 : 2500;
    pushing = new BrokerClient(loop.vertx(), cluster.urls().get(0), Math.min(waiters, 8));
    waiting = new BrokerClient(loop.vertx(), cluster.urls().get(1), waiters);
  }

  void run(Duration length, Figures figures) {
    Meter meter = new Meter();
    try (ClosedLoop waits = new ClosedLoop(meter)) {
      for (int i = 0; i < waiters; i++) {
        String queue = "wake-" + waiters + "-" + i;
        waits.start(loop.context(), () -> once(queue));
      }
      Blocking.sleep(WARM_UP);
      loop.on(() -> recording = true);
      Blocking.sleep(length);
    }
    Blocking.get(pushing.close());
    Blocking.get(waiting.close());
    String name = "wake-up of " + waiters;
    figures.add(name + ": wake-ups", fromSent.getTotalCount());
    if (meter.errors() > 0) {
      figures.add(name + ": failures", meter.errors());
    }
    figures.add(name + ", push sent to poll answered", fromSent);
    figures.add(name + ", push answered to poll answered", fromAnswered);
  }

  private Future<Integer> once(String queue) {
    boolean counts = recording;
    Future<Long> polled =
        waiting
            .pop(queue, QUERY)
            .map(
                messages -> {
                  if (messages.isEmpty()) {
                    throw new IllegalStateException("it was not woken up");
                  }
                  return System.nanoTime();
                });
    number++;
    Bodies body = Bodies.push().item(queue, "p", "w-" + number, PopMessage.payload(number));
    return loop.pause(Duration.ofMillis(random.nextInt(shortest, longest)))
        .compose(
            rested -> {
              long sent = System.nanoTime();
              return pushing
                  .push(body)
                  .map(Reply::orThrow)
                  .compose(
                      pushed -> {
                        long answered = System.nanoTime();
                        return polled.onSuccess(woken -> record(counts, sent, answered, woken));
                      });
            })
        .map(1);
  }

  private void record(boolean counts, long sent, long answered, long woken) {
    if (counts) {
      fromSent.recordValue(Math.max(0, woken - sent));
      // The poll may be answered before the push is.
      fromAnswered.recordValue(Math.max(0, woken - answered));
    }
  }
}
