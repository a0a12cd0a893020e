package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.ProcessTree;
import io.vertx.core.json.JsonObject;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.HdrHistogram.Histogram;

/** The time in which a meter counts. For one thread, which waits. */
public final class Window {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
  private static final Duration FIRST_ANSWER = Duration.ofSeconds(60);
  private static final double NANOS = 1e9;
  private static final double MICROS_PER_MILLI = 1000;

  private final Meter meter;
  private final ProcessTree processes;
  private final PrintWriter progress;
  private final String title;
  private ProcessTree.Use useBefore = new ProcessTree.Use(0, 0);
  private long messagesBefore;
  private long errorsBefore;
  private long began;

  /** One that says on this writer how it goes. */
  public Window(Meter meter, ProcessTree processes, PrintWriter progress, String title) {
    this.meter = meter;
    this.processes = processes;
    this.progress = progress;
    this.title = title;
  }

  /** Waits for a time, and on until something was done at all. */
  void warmUp(Duration length) {
    run(length, () -> false);
    awaitFirst();
  }

  /** Waits until something was done in it: a short run on a slow machine may be over before. */
  void awaitFirst() {
    run(FIRST_ANSWER, () -> messages() > 0);
  }

  /** Begins to count; the moment of it. */
  long open() {
    useBefore = processes.look();
    messagesBefore = meter.messages();
    errorsBefore = meter.errors();
    meter.start();
    began = System.nanoTime();
    return began;
  }

  /** How many were done in it so far. */
  long messages() {
    return meter.messages() - messagesBefore;
  }

  /** Waits for a time, or until it is over, and prints the progress every second. */
  void run(Duration length, BooleanSupplier over) {
    long end = System.nanoTime() + length.toNanos();
    long report = System.nanoTime() + TimeUnit.SECONDS.toNanos(1);
    long reported = meter.messages();
    while (System.nanoTime() < end && !over.getAsBoolean()) {
      Blocking.sleep(POLL_INTERVAL);
      if (System.nanoTime() >= report) {
        Histogram last = meter.interval();
        long now = meter.messages();
        progress.printf(
            Locale.ROOT,
            "  %s: %,d messages/s, p99 %.1f ms, %d errors%n",
            title,
            now - reported,
            last.getValueAtPercentile(99) / MICROS_PER_MILLI,
            meter.errors());
        progress.flush();
        reported = now;
        report += TimeUnit.SECONDS.toNanos(1);
      }
    }
  }

  /** Ends it. */
  Result close(String name, JsonObject parameters) {
    double seconds = (System.nanoTime() - began) / NANOS;
    ProcessTree.Use useAfter = processes.look();
    return new Result(
        name,
        title,
        parameters,
        messages(),
        seconds,
        meter.errors() - errorsBefore,
        meter.firstError(),
        meter.total(),
        useAfter.cpuSeconds() - useBefore.cpuSeconds(),
        useAfter.megabytes());
  }
}
