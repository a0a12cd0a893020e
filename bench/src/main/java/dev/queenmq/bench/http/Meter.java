package dev.queenmq.bench.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/**
 * Counts what was done and how long it took, in microseconds. Workers on any thread count; one
 * thread reads.
 */
public final class Meter {
  private static final int DIGITS = 3;

  private final LongAdder messages = new LongAdder();
  private final LongAdder errors = new LongAdder();
  private final Recorder latencies = new Recorder(DIGITS);
  private final Histogram total = new Histogram(DIGITS);
  private volatile String firstError = "";

  /** Records this many messages after this time. */
  void done(int count, long nanos) {
    messages.add(count);
    latencies.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(nanos)));
  }

  void failed(Throwable failure) {
    failed(String.valueOf(failure));
  }

  void failed(String what) {
    errors.increment();
    if (firstError.isEmpty()) {
      firstError = what;
    }
  }

  /** How many were done. */
  public long messages() {
    return messages.sum();
  }

  /** How often it failed. */
  public long errors() {
    return errors.sum();
  }

  /** The first error, or empty. */
  public String firstError() {
    return firstError;
  }

  /** Latencies since the last look; they are in the total, too. */
  Histogram interval() {
    Histogram since = latencies.getIntervalHistogram();
    total.add(since);
    return since;
  }

  /** All latencies since the last start. */
  Histogram total() {
    interval();
    return total.copy();
  }

  /** Starts to count. */
  void start() {
    interval();
    total.reset();
  }
}
