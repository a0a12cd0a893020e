package dev.queenmq.bench.compare;

import dev.queenmq.bench.http.EndToEndMeasurement;
import dev.queenmq.bench.http.LoadTarget;
import dev.queenmq.bench.http.PopMeasurement;
import dev.queenmq.bench.http.PushMeasurement;
import dev.queenmq.bench.http.Result;
import java.util.List;
import java.util.OptionalLong;

/** A workload; all systems do the same. */
enum Cell {
  PUSH_1("push-1", "push, 1 a request, 50 connections", Kind.PUSH, 1),
  PUSH_10("push-10", "push, 10 a request, 50 connections", Kind.PUSH, 10),
  PUSH_100("push-100", "push, 100 a request, 50 connections", Kind.PUSH, 100),
  CONSUME_100("consume-100", "consume, 100 a request, 25 connections", Kind.CONSUME, 100),
  CONSUME_1("consume-1", "consume, 1 a request, 25 connections", Kind.CONSUME, 1),
  E2E_1("e2e-1", "end to end, 2,000/s, 1 a push", Kind.END_TO_END, 1),
  E2E_10("e2e-10", "end to end, 2,000/s, 10 a push", Kind.END_TO_END, 10);

  /** Half as many as there are lanes: systems that give each consumer lanes of its own can. */
  static final int CONSUMERS = 25;

  private static final int LANES = 50;
  private static final int PRODUCERS = 50;
  private static final double MARGIN = 1.6;
  private static final double NANOS = 1e9;
  private static final List<String> NO_GROUP = List.of("");

  private enum Kind {
    PUSH,
    CONSUME,
    END_TO_END
  }

  /**
   * How much to do.
   *
   * @param fastest what this system has reached in this cell so far, so that a queue is filled well
   *     enough; 0 if not known
   * @param endToEndRate messages a second where the rate is given
   */
  record Effort(double fastest, double endToEndRate) {}

  private final String id;
  private final String title;
  private final Kind kind;
  private final int batch;

  Cell(String id, String title, Kind kind, int batch) {
    this.id = id;
    this.title = title;
    this.kind = kind;
    this.batch = batch;
  }

  /** Its name on the command line. */
  String id() {
    return id;
  }

  /** Its name in tables. */
  String title() {
    return title;
  }

  /** Whether its rate is given, so that latencies are compared. */
  boolean latency() {
    return kind == Kind.END_TO_END;
  }

  /** Measures. */
  Result run(LoadTarget target, Effort effort) {
    return switch (kind) {
      case PUSH -> new PushMeasurement(target).run(batch, LANES, PRODUCERS);
      case CONSUME -> new PopMeasurement(target, batch).run(NO_GROUP, expected(target, effort));
      case END_TO_END ->
          new EndToEndMeasurement(target)
              .run(effort.endToEndRate(), batch, NO_GROUP, target.plan().length());
    };
  }

  private static OptionalLong expected(LoadTarget target, Effort effort) {
    double seconds = target.plan().length().toNanos() / NANOS;
    return effort.fastest() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(Math.round(effort.fastest() * seconds * MARGIN));
  }
}
