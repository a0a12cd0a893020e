package dev.queenmq.bench.waiting;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.Statistics;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What a push costs after many polls of partitions by name, which are over: as much as before them.
 * One poll waits in the queue all the time, so that the broker has a reason to remember things of
 * it. Blocks; for one thread.
 */
final class NamedPolls implements AutoCloseable {
  private static final String QUEUE = "named";
  private static final String LONG_WAIT = "?wait=true&timeout=";
  private static final int CONNECTIONS = 64;
  private static final int NOTHING = 204;
  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  /** So that both machines are warm before the first measurement counts. */
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private static final Duration SETTLE = Duration.ofSeconds(2);

  private final EventLoop loop = new EventLoop();
  private final BrokerClient pushing;
  private final BrokerClient polling;
  private final int partitions;
  private final int pushes;
  private int next;
  private long number;

  /**
   * Nothing happens yet.
   *
   * @param partitions over which each push goes
   * @param pushes whose median counts
   */
  NamedPolls(BrokerUrl url, int partitions, int pushes) {
    pushing = new BrokerClient(loop.vertx(), url, 1);
    polling = new BrokerClient(loop.vertx(), url, CONNECTIONS + 1);
    this.partitions = partitions;
    this.pushes = pushes;
  }

  /**
   * What was measured.
   *
   * @param before milliseconds of a push before the polls
   * @param after the same after them
   * @param pollSeconds how long the polls took, all together
   * @param wrong polls that were not answered by 204
   */
  record Outcome(double before, double after, double pollSeconds, long wrong) {
    double ratio() {
      return after / before;
    }
  }

  /** Pushes, polls this many partitions that are not pushed to, and pushes again. */
  Outcome run(int polls, Duration longest) {
    // Ends with the broker; its answer is of no interest.
    polling.get(partition("quiet") + LONG_WAIT + longest.toMillis());
    long warm = System.nanoTime() + WARM_UP.toNanos();
    while (System.nanoTime() < warm) {
      push();
    }
    double before = median();
    long start = System.nanoTime();
    Meter meter = new Meter();
    try (ClosedLoop all = new ClosedLoop(meter)) {
      for (int i = 0; i < CONNECTIONS; i++) {
        all.start(loop.context(), () -> poll(polls));
      }
      Blocking.await(longest, POLL_INTERVAL, () -> meter.messages() + meter.errors() >= polls);
    }
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Outcome(before, median(), seconds, meter.errors());
  }

  private double median() {
    Blocking.sleep(SETTLE);
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < pushes; i++) {
      long sent = System.nanoTime();
      push();
      millis.add((System.nanoTime() - sent) / 1e6);
    }
    return Statistics.median(millis);
  }

  private void push() {
    Bodies body = Bodies.push();
    for (int i = 0; i < partitions; i++) {
      number++;
      body.item(QUEUE, "pushed-" + i, "t-" + number, PopMessage.payload(number));
    }
    Blocking.get(pushing.push(body).map(Reply::orThrow));
  }

  /** Every other one waits, if only for a moment. */
  private Future<Integer> poll(int polls) {
    int mine = next++;
    return mine >= polls
        ? Future.succeededFuture(0)
        : polling
            .get(partition("polled-" + mine) + (mine % 2 == 0 ? "?wait=false" : LONG_WAIT + 5))
            .map(
                reply -> {
                  if (reply.status() != NOTHING) {
                    throw new IllegalStateException(reply.toString());
                  }
                  return 1;
                });
  }

  private static String partition(String name) {
    return BrokerClient.popPath(QUEUE) + "/partition/" + name;
  }

  @Override
  public void close() {
    loop.close();
  }
}
