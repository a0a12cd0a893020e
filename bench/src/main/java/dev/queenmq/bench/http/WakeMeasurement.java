package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * How long it takes to wake a consumer that waits on a quiet broker: from the push to the answer of
 * the pop. Each consumer has a queue of its own, which has had a message before, and acks what it
 * gets. One push at a time, 20 a second, after some without a rest: a broker that has just started
 * is another measurement.
 */
final class WakeMeasurement {
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final Duration BETWEEN = Duration.ofMillis(50);
  private static final Duration SETTLE = Duration.ofMillis(500);
  private static final Duration LONGEST_FIRST = Duration.ofMinutes(2);
  private static final String QUERY = "batch=10&wait=true&timeout=30000";

  private final Generator generator;

  WakeMeasurement(Generator generator) {
    this.generator = generator;
  }

  static String name(int waiters) {
    return "wake-up, " + waiters + (waiters == 1 ? " waiter" : " waiters");
  }

  /** Pushes without a rest for the time that it takes until the broker is warm. */
  Result run(int waiters, Duration compiled) {
    Plan plan = generator.plan();
    Meter meter = new Meter();
    Window window = generator.window(meter, name(waiters));
    List<String> queues =
        Stream.generate(() -> generator.newQueue("wake", 1)).limit(waiters).toList();
    Lanes waiting = generator.connectOnOneLoop(waiters);
    try (Lanes pushing = generator.connectOnOneLoop(1)) {
      ClosedLoop waits = new ClosedLoop(new Meter());
      Bell bell = new Bell();
      for (String queue : queues) {
        waits.start(
            waiting.context(0),
            () ->
                waiting
                    .client(0)
                    .pop(queue, QUERY)
                    .compose(messages -> waiting.client(0).ack("", bell.rang(messages))));
      }
      Blocking.sleep(SETTLE.plusMillis(waiters));
      Pusher pusher = new Pusher(pushing, queues, bell, meter, compiled);
      ClosedLoop pushes = new ClosedLoop(new Meter());
      pushes.start(pushing.context(0), pusher::once);
      Blocking.await(LONGEST_FIRST, SETTLE, pusher::hasTriedAll);
      window.warmUp(plan.warmUp());
      window.open();
      window.run(plan.length(), () -> false);
      window.awaitFirst();
      Result result = window.close("wake", new JsonObject().put("waiters", waiters));
      pushes.close();
      waits.stop();
      waiting.close();
      waits.close();
      return result;
    }
  }

  /** Reports to a pusher that its message was received. For one event loop. */
  private static final class Bell {
    private long awaited = -1;
    private long heardAt;

    void await(long number) {
      awaited = number;
      heardAt = 0;
    }

    List<PopMessage> rang(List<PopMessage> messages) {
      for (PopMessage message : messages) {
        if (message.number() == awaited) {
          heardAt = System.nanoTime();
        }
      }
      return messages;
    }

    boolean isHeard() {
      return heardAt != 0;
    }

    long heardAt() {
      return heardAt;
    }
  }

  /** Pushes to one waiter, waits until that was heard, and rests. For one event loop. */
  private static final class Pusher {
    private final Lanes lanes;
    private final List<MessageProducer> producers;
    private final Bell bell;
    private final Meter meter;
    private final SplittableRandom random = new SplittableRandom(1);
    private final long restFrom;
    private long number;
    private volatile boolean triedAll;

    Pusher(Lanes lanes, List<String> queues, Bell bell, Meter meter, Duration compiled) {
      this.lanes = lanes;
      this.bell = bell;
      this.meter = meter;
      restFrom = System.nanoTime() + compiled.toNanos();
      producers = queues.stream().map(queue -> lanes.producer(0, queue, 1)).toList();
    }

    boolean hasTriedAll() {
      return triedAll;
    }

    /** The first messages, to each queue in turn, as fast as possible; then one to any of them. */
    Future<Integer> once() {
      int first = (int) number++;
      triedAll = first >= producers.size() && System.nanoTime() - restFrom >= 0;
      bell.await(number);
      MessageProducer producer =
          producers.get(triedAll ? random.nextInt(producers.size()) : first % producers.size());
      long sent = System.nanoTime();
      return producer
          .push(1, number)
          .compose(pushed -> listen(sent))
          .onFailure(meter::failed)
          .map(1);
    }

    private Future<Void> listen(long sent) {
      if (bell.isHeard()) {
        meter.done(1, bell.heardAt() - sent);
        Duration rest = BETWEEN.minusNanos(System.nanoTime() - sent);
        return !triedAll || rest.isNegative()
            ? Future.succeededFuture()
            : EventLoop.pause(lanes.context(0), rest);
      }
      if (System.nanoTime() - sent > LIMIT.toNanos()) {
        meter.failed("no consumer woke up within " + LIMIT);
        return Future.succeededFuture();
      }
      return EventLoop.pause(lanes.context(0), Duration.ofMillis(1))
          .compose(waited -> listen(sent));
    }
  }
}
