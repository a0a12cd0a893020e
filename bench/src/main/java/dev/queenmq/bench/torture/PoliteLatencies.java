package dev.queenmq.bench.torture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * How long polite clients took for a cycle, in microseconds: while nothing happened, and while
 * hostile clients attacked their broker. What is neither is left out: other faults, other brokers,
 * and the time in which things settle. Safe for any thread.
 */
final class PoliteLatencies {
  /** Fewer cycles say nothing about the slowest of a hundred. */
  static final int FEWEST = 200;

  private static final int DIGITS = 3;
  private static final double P50 = 50;
  private static final double P99 = 99;
  private static final double MICROS = 1000;

  /** More than any cycle can overlap. */
  private static final int KEPT = 50;

  /** What goes on from a moment until the next one begins; an attack has a fault and a broker. */
  private record Period(long from, boolean quiet, String fault, String broker) {}

  private final Deque<Period> periods = new ArrayDeque<>();
  private final Histogram quiet = new Histogram(DIGITS);
  private final Histogram attacked = new Histogram(DIGITS);
  private final Map<String, Histogram> byFault = new TreeMap<>();
  private long refused;

  PoliteLatencies() {}

  /** No fault happens from this moment on. */
  synchronized void quiet(long at) {
    begin(new Period(at, true, "", ""));
  }

  /** From this moment on hostile clients attack a broker. */
  synchronized void attack(long at, String fault, String broker) {
    begin(new Period(at, false, fault, broker));
  }

  /** Latencies from this moment on are left out. */
  synchronized void leaveOut(long at) {
    begin(new Period(at, false, "", ""));
  }

  private void begin(Period period) {
    periods.addFirst(period);
    if (periods.size() > KEPT) {
      periods.removeLast();
    }
  }

  /**
   * A cycle at a broker, which was due at one moment and done at another. It counts as attacked if
   * it overlaps with an attack on that broker, and as quiet if nothing else was then. One that
   * began under an earlier fault says nothing: it may wait for the end of a lease whose holder was
   * cut off.
   */
  synchronized void add(String broker, long due, long done) {
    @Nullable Period attack = null;
    boolean allQuiet = true;
    boolean begins = false;
    for (Period period : periods) {
      if (period.from - done >= 0) {
        continue;
      }
      if (period.broker.equals(broker)) {
        attack = period;
        allQuiet = true;
      } else {
        allQuiet &= period.quiet;
      }
      if (period.from - due <= 0) {
        begins = true;
        break;
      }
    }
    if (!begins || !allQuiet) {
      return;
    }
    if (attack == null) {
      record(quiet, due, done);
    } else {
      record(attacked, due, done);
      record(byFault.computeIfAbsent(attack.fault, key -> new Histogram(DIGITS)), due, done);
    }
  }

  private static void record(Histogram histogram, long due, long done) {
    histogram.recordValue(Math.max(0, TimeUnit.NANOSECONDS.toMicros(done - due)));
  }

  /** A call of a polite client got no answer, or one that it had to repeat. */
  synchronized void refused() {
    refused++;
  }

  /** The 99th percentile under attack by the one without; empty if too few cycles are known. */
  synchronized OptionalDouble ratio() {
    return ratio(attacked);
  }

  private OptionalDouble ratio(Histogram histogram) {
    return quiet.getTotalCount() < FEWEST || histogram.getTotalCount() < FEWEST
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            (double) histogram.getValueAtPercentile(P99)
                / Math.max(1, quiet.getValueAtPercentile(P99)));
  }

  /** What is wrong where the ratio may be this at most; 0 means anything. */
  synchronized Optional<String> complaint(double limit) {
    OptionalDouble ratio = ratio();
    return limit > 0 && ratio.isPresent() && ratio.getAsDouble() > limit
        ? Optional.of(
            String.format(
                Locale.ROOT,
                "a polite client's p99 was %.1f ms while hostile clients were there, %.1f times the"
                    + " quiet %.1f ms; at most %.1f times is right",
                attacked.getValueAtPercentile(P99) / MICROS,
                ratio.getAsDouble(),
                quiet.getValueAtPercentile(P99) / MICROS,
                limit))
        : Optional.empty();
  }

  /** A table for people; empty if there is nothing in it. */
  synchronized List<String> table() {
    if (attacked.getTotalCount() == 0) {
      return List.of();
    }
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            "%-20s %7s %9s %9s %9s %17s",
            "polite client", "cycles", "p50 ms", "p99 ms", "max ms", "p99 / quiet p99"));
    lines.add(line("quiet", quiet, ""));
    byFault.forEach((fault, histogram) -> lines.add(line(fault, histogram, times(histogram))));
    lines.add(line("all hostile", attacked, times(attacked)));
    lines.add(
        String.format(Locale.ROOT, "%,d calls were refused or failed, and repeated", refused));
    return Collections.unmodifiableList(lines);
  }

  private String times(Histogram histogram) {
    OptionalDouble ratio = ratio(histogram);
    return ratio.isPresent() ? String.format(Locale.ROOT, "%.2f", ratio.getAsDouble()) : "-";
  }

  private static String line(String name, Histogram histogram, String times) {
    return String.format(
        Locale.ROOT,
        "%-20s %7d %9.1f %9.1f %9.1f %17s",
        name,
        histogram.getTotalCount(),
        histogram.getValueAtPercentile(P50) / MICROS,
        histogram.getValueAtPercentile(P99) / MICROS,
        histogram.getMaxValue() / MICROS,
        times);
  }
}
