package dev.queenmq.bench.http;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

/**
 * A workload that is run on both brokers.
 *
 * @param latency whether its rate is given, so that latencies are compared
 */
record BoundRow(String title, boolean latency, Function<Generator, Result> work) {
  private static final int PARTITIONS = 50;
  private static final List<String> NO_GROUP = List.of("");

  /** All of them. */
  static List<BoundRow> all(Duration warmUp) {
    return List.of(
        push(1, 50),
        push(1, 200),
        push(10, 50),
        push(100, 50),
        pop(100),
        pop(10),
        pop(1),
        new BoundRow(
            BothMeasurement.name(10), false, generator -> new BothMeasurement(generator, 10).run()),
        endToEnd(500, 1, warmUp),
        endToEnd(2000, 10, warmUp));
  }

  private static BoundRow push(int batch, int connections) {
    return new BoundRow(
        "push, " + batch + " a request, " + connections + " connections",
        false,
        generator -> new PushMeasurement(generator).run(batch, PARTITIONS, connections));
  }

  private static BoundRow pop(int batch) {
    return new BoundRow(
        "pop + ack, " + batch + " a request",
        false,
        generator -> new PopMeasurement(generator, batch).run(NO_GROUP));
  }

  private static BoundRow endToEnd(double rate, int batch, Duration warmUp) {
    return new BoundRow(
        "end to end, %.0f/s, %d a push".formatted(rate, batch),
        true,
        generator -> new EndToEndMeasurement(generator).run(rate, batch, NO_GROUP, warmUp));
  }
}
