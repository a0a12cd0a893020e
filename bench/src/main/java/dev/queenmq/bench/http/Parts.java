package dev.queenmq.bench.http;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** The measurements that belong to each part of the benchmark. */
final class Parts {
  private static final int GROUPS = 10;
  private static final Duration COMPILED = Duration.ofSeconds(20);

  private final Generator generator;
  private final boolean quick;
  private final double rate;

  Parts(Generator generator, boolean quick, double rate) {
    this.generator = generator;
    this.quick = quick;
    this.rate = rate;
  }

  /** Lets broker and generator get warm, which takes more than any single warm-up. */
  void warmUp() {
    if (!quick) {
      new PushMeasurement(generator).run(1, 50);
      new PopMeasurement(generator).run(List.of(""));
    }
  }

  void push(Consumer<Result> keep) {
    PushMeasurement measurement = new PushMeasurement(generator);
    for (int batch : new int[] {1, 10, 100}) {
      for (int partitions : quick ? new int[] {50} : new int[] {1, 50, 1000}) {
        keep.accept(measurement.run(batch, partitions));
      }
    }
  }

  void pop(Consumer<Result> keep) {
    keep.accept(new PopMeasurement(generator).run(List.of("")));
  }

  void endToEnd(Consumer<Result> keep) {
    keep.accept(new EndToEndMeasurement(generator).run(rate, List.of(""), compiled()));
  }

  void fanOut(Consumer<Result> keep) {
    List<String> groups = IntStream.range(0, GROUPS).mapToObj(i -> "group-" + i).toList();
    keep.accept(new PopMeasurement(generator).run(groups));
    keep.accept(new EndToEndMeasurement(generator).run(rate / GROUPS, groups, compiled()));
  }

  /**
   * What both machines need at these rates, until all of the code that takes part has been compiled
   * and what the parts before have left is written.
   */
  private Duration compiled() {
    return quick ? generator.plan().warmUp() : COMPILED;
  }

  void wake(Consumer<Result> keep) {
    for (int waiters : quick ? new int[] {1, 20} : new int[] {1, 100, 1000}) {
      keep.accept(new WakeMeasurement(generator).run(waiters));
    }
  }

  /** Removes what the run has left at a broker that goes on; what fails stays. */
  void deleteQueues() {
    generator.deleteQueues();
  }
}
