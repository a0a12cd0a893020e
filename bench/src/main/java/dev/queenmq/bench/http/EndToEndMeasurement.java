package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * How long a message takes from the moment it should leave its producer until a waiting consumer of
 * each group has it, at a fixed rate.
 */
public final class EndToEndMeasurement {
  private static final int PARTITIONS = 50;
  private static final int PRODUCER_CONNECTIONS = 64;
  private static final int CONSUMERS = 8;
  private static final int CONSUMERS_OF_MANY_GROUPS = 2;
  private static final Duration FIRST_DELIVERY = Duration.ofSeconds(10);
  private static final Duration LAST_DELIVERIES = Duration.ofSeconds(30);
  private static final int BATCH = 100;

  private final LoadTarget target;

  /** Measures this. */
  public EndToEndMeasurement(LoadTarget target) {
    this.target = target;
  }

  static String name(double rate, int groups) {
    return String.format(
        Locale.ROOT, "end to end at %.0f/s%s", rate, groups == 1 ? "" : ", " + groups + " groups");
  }

  /** Measures with this number of messages a push. */
  public Result run(double rate, int batch, List<String> groups, Duration warmUp) {
    return run(rate, batch, groups, Optional.of(warmUp), Duration.ZERO, latencies -> {});
  }

  /**
   * One message a push to one group, where every message counts, the first one too.
   *
   * @param first a part of the plan's length
   * @param atFirst gets the latencies of that part in microseconds, at its end
   */
  public Result runCold(double rate, Duration first, Consumer<Histogram> atFirst) {
    return run(rate, 1, List.of(""), Optional.empty(), first, atFirst);
  }

  private Result run(
      double rate,
      int batch,
      List<String> groups,
      Optional<Duration> warmUp,
      Duration first,
      Consumer<Histogram> atFirst) {
    Plan plan = target.plan();
    String queue = target.newQueue("end", PARTITIONS);
    int consumers = groups.size() * (groups.size() == 1 ? CONSUMERS : CONSUMERS_OF_MANY_GROUPS);
    int connections = plan.connections().orElse(PRODUCER_CONNECTIONS);
    // Latencies go to one meter, everything else to another.
    Meter arrivals = new Meter();
    Meter rounds = new Meter();
    Window window = target.window(arrivals, name(rate, groups.size()));
    long base = System.nanoTime();
    Span span = new Span();
    Connections consuming = target.connect(consumers);
    try (Connections producing = target.connectOnOneLoop(connections)) {
      ClosedLoop loop = new ClosedLoop(rounds);
      for (int i = 0; i < consumers; i++) {
        Demand demand = new Demand(groups.get(i % groups.size()), BATCH, true);
        MessageConsumer consumer = consuming.consumer(i, queue, demand);
        loop.start(consuming.context(i), () -> consume(consumer, base, span, arrivals));
      }
      MessageProducer sending = producing.producer(0, queue, PARTITIONS);
      OpenLoop producer =
          new OpenLoop(
              producing.context(0),
              rate / batch,
              due -> {
                span.sent(due, batch);
                sending.push(batch, due - base).onFailure(arrivals::failed);
              });
      if (warmUp.isPresent()) {
        producer.start();
        Blocking.sleep(warmUp.get());
        window.run(FIRST_DELIVERY, () -> rounds.messages() > 0);
        span.begin(window.open());
      } else {
        span.begin(window.open());
        producer.start();
      }
      window.run(first, () -> false);
      atFirst.accept(arrivals.total());
      window.run(plan.length().minus(first), () -> false);
      producer.close();
      long expected = span.count() * groups.size();
      window.run(LAST_DELIVERIES, () -> window.messages() >= expected);
      for (long arrived = window.messages(); arrived < expected; arrived++) {
        arrivals.failed("not delivered within " + LAST_DELIVERIES);
      }
      if (rounds.errors() > 0) {
        arrivals.failed(rounds.firstError());
      }
      Result result =
          window.close(
              groups.size() == 1 ? "end_to_end" : "fan_out_end_to_end",
              new JsonObject()
                  .put("rate", rate)
                  .put("batch", batch)
                  .put("partitions", PARTITIONS)
                  .put("producer_connections", connections)
                  .put("consumers", consumers)
                  .put("groups", groups.size()));
      loop.stop();
      // Ends the waits.
      consuming.close();
      loop.close();
      return result;
    } finally {
      target.release(queue);
    }
  }

  private static Future<Integer> consume(
      MessageConsumer consumer, long base, Span span, Meter arrivals) {
    return consumer
        .take()
        .compose(
            numbers -> {
              long now = System.nanoTime();
              for (long number : numbers) {
                long due = number + base;
                if (span.counts(due)) {
                  arrivals.done(1, now - due);
                }
              }
              return numbers.length == 0 ? Future.succeededFuture(0) : consumer.ack();
            });
  }

  /** The messages that count: those due from a moment on. Safe for any thread. */
  private static final class Span {
    private final AtomicLong count = new AtomicLong();
    private volatile long begin;
    private volatile boolean begun;

    void begin(long moment) {
      begin = moment;
      begun = true;
    }

    void sent(long due, int messages) {
      if (counts(due)) {
        count.addAndGet(messages);
      }
    }

    boolean counts(long due) {
      return begun && due - begin >= 0;
    }

    long count() {
      return count.get();
    }
  }
}
