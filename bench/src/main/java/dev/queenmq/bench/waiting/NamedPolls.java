package dev.queenmq.bench.waiting;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.store.Statistics;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a push costs after many polls of partitions by name, which are over: as much as before them.
 * One poll waits in the queue all the time, so that the broker has a reason to remember things of
 * it. Blocks; for one thread.
 */
final class NamedPolls implements AutoCloseable {
  private static final String QUEUE = "named";
  private static final String QUIET = partition("quiet");
  private static final String LONG_WAIT = "?wait=true&timeout=";
  private static final int CONNECTIONS = 64;
  private static final int NOTHING = 204;

  /** So that both machines are warm before the first measurement counts. */
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  private static final Duration SETTLE = Duration.ofSeconds(2);

  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final BrokerClient pushing;
  private final BrokerClient polling;
  private final int partitions;
  private final int pushes;
  private final AtomicInteger next = new AtomicInteger();
  private final AtomicInteger wrong = new AtomicInteger();
  private long number;

  /**
   * Nothing happens yet.
   *
   * @param partitions over which each push goes
   * @param pushes whose median counts
   */
  NamedPolls(BrokerUrl url, int partitions, int pushes) {
    pushing = new BrokerClient(vertx, url, 1);
    polling = new BrokerClient(vertx, url, CONNECTIONS + 1);
    this.partitions = partitions;
    this.pushes = pushes;
    // A connection that is cut while nobody uses it has nobody else to tell.
    vertx.exceptionHandler(failure -> {});
  }

  /**
   * What was measured.
   *
   * @param before milliseconds of a push before the polls
   * @param after the same after them
   * @param pollSeconds how long the polls took, all together
   * @param wrong polls that were not answered by 204
   */
  record Outcome(double before, double after, double pollSeconds, int wrong) {
    double ratio() {
      return after / before;
    }
  }

  /** Pushes, polls so many partitions that are not pushed to, and pushes again. */
  Outcome run(int polls, Duration longest) {
    // Ends with the broker; its answer is of no interest.
    polling.get(QUIET + LONG_WAIT + longest.toMillis());
    long warm = System.nanoTime() + WARM_UP.toNanos();
    while (System.nanoTime() < warm) {
      push();
    }
    double before = median();
    long start = System.nanoTime();
    pollAll(polls);
    double seconds = (System.nanoTime() - start) / 1e9;
    return new Outcome(before, median(), seconds, wrong.get());
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
      body.item(QUEUE, "pushed-" + i, "t-" + number, "{\"n\":" + number + "}");
    }
    Blocking.get(pushing.post(BrokerClient.PUSH, body.finish()).map(Reply::orThrow));
  }

  private void pollAll(int polls) {
    List<Future<Void>> all = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      Promise<Void> over = Promise.promise();
      pollNext(polls, over);
      all.add(over.future());
    }
    Blocking.get(Future.join(all));
  }

  private void pollNext(int polls, Promise<Void> over) {
    int mine = next.getAndIncrement();
    if (mine >= polls) {
      over.complete();
      return;
    }
    // Every other one waits, if only for a moment.
    polling
        .get(partition("polled-" + mine) + (mine % 2 == 0 ? "?wait=false" : LONG_WAIT + 5))
        .onSuccess(
            reply -> {
              if (reply.status() != NOTHING) {
                wrong.incrementAndGet();
              }
              pollNext(polls, over);
            })
        .onFailure(over::fail);
  }

  private static String partition(String name) {
    return BrokerClient.popPath(QUEUE) + "/partition/" + name;
  }

  @Override
  public void close() {
    Blocking.get(Future.join(pushing.close(), polling.close()));
    Blocking.get(vertx.close());
  }
}
