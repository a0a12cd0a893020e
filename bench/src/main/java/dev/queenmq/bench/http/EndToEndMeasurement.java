package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Future;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How long a message takes from the moment it should leave its producer until a waiting consumer of
 * each group has it, at a fixed rate.
 */
final class EndToEndMeasurement {
  private static final int PARTITIONS = 50;
  private static final int PRODUCER_CONNECTIONS = 64;
  private static final int CONSUMERS = 8;
  private static final int CONSUMERS_OF_MANY_GROUPS = 2;
  private static final Duration FIRST_DELIVERY = Duration.ofSeconds(10);
  private static final Duration LAST_DELIVERIES = Duration.ofSeconds(30);
  private static final String QUERY = "batch=100&partitions=10&wait=true&timeout=10000";

  private final Generator generator;

  EndToEndMeasurement(Generator generator) {
    this.generator = generator;
  }

  static String name(double rate, int groups) {
    return String.format(
        Locale.ROOT, "end to end at %.0f/s%s", rate, groups == 1 ? "" : ", " + groups + " groups");
  }

  Result run(double rate, List<String> groups, Duration warmUp) {
    return run(rate, 1, groups, warmUp);
  }

  /** The same with so many messages a push. */
  Result run(double rate, int batch, List<String> groups, Duration warmUp) {
    Plan plan = generator.plan();
    String queue = generator.newQueue("end");
    int consumers = groups.size() * (groups.size() == 1 ? CONSUMERS : CONSUMERS_OF_MANY_GROUPS);
    int connections = plan.connections().orElse(PRODUCER_CONNECTIONS);
    // Latencies go to one meter, everything else to another.
    Meter arrivals = new Meter();
    Meter rounds = new Meter();
    Window window = generator.window(arrivals, name(rate, groups.size()));
    long base = System.nanoTime();
    Span span = new Span();
    Lanes consuming = generator.lanes(consumers);
    try (Lanes producing = generator.oneLane(connections)) {
      ClosedLoop loop = new ClosedLoop(rounds);
      loop.start(
          consuming,
          consumers,
          (lane, number) ->
              consumer(lane, queue, groups.get(number % groups.size()), base, span, arrivals));
      Lane lane = producing.of(0);
      PushMaker maker = new PushMaker(generator.plan(), queue, PARTITIONS, 1);
      OpenLoop producer =
          new OpenLoop(
              lane.context(),
              rate / batch,
              due -> {
                span.sent(due, batch);
                Pushing.push(lane, maker.batch(batch, due - base), batch)
                    .onFailure(arrivals::failed);
              });
      producer.start();
      Blocking.sleep(warmUp);
      window.run(FIRST_DELIVERY, () -> rounds.messages() > 0);
      span.begin(window.open());
      window.run(plan.length(), () -> false);
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
    }
  }

  private static ClosedLoop.Work consumer(
      Lane lane, String queue, String group, long base, Span span, Meter arrivals) {
    Consuming consuming = new Consuming(lane, queue, group, QUERY);
    return () ->
        consuming
            .pop()
            .compose(
                messages -> {
                  long now = System.nanoTime();
                  for (PopMessage message : messages) {
                    long due = message.number() + base;
                    if (span.counts(due)) {
                      arrivals.done(1, now - due);
                    }
                  }
                  return messages.isEmpty() ? Future.succeededFuture(0) : consuming.ack(messages);
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
