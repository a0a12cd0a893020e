package dev.queenmq.bench.torture;

import dev.queenmq.bench.audit.AuditReport;
import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.Through;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.bench.audit.ledger.Violations;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** What a torture found. Grows while it runs; for one thread. */
public final class TortureReport {
  private static final double MEDIAN = 0.5;

  private final long seed;
  private final List<Fault> faults;
  private final List<Cycle> cycles = new ArrayList<>();
  private final List<String> troubles = new ArrayList<>();
  private final Map<Count, Long> counts = new EnumMap<>(Count.class);
  private final Violations violations = new Violations();
  private final Map<String, Map<Integer, Long>> answers = new TreeMap<>();
  private List<String> polite = List.of();

  TortureReport(long seed, List<Fault> faults) {
    this.seed = seed;
    this.faults = List.copyOf(faults);
  }

  void add(Cycle cycle) {
    cycles.add(cycle);
  }

  /** Something that is wrong beside what is counted. */
  void trouble(String what) {
    troubles.add(what);
  }

  /** What a fault's hostile clients were answered, by status. */
  void addAnswers(String fault, Map<Integer, Long> more) {
    Map<Integer, Long> own = answers.computeIfAbsent(fault, key -> new TreeMap<>());
    more.forEach((status, count) -> own.merge(status, count, Long::sum));
  }

  /**
   * What polite clients felt; it is wrong if their p99 is more than this many times the quiet one.
   */
  void add(PoliteLatencies latencies, double ratio) {
    polite = latencies.table();
    latencies.complaint(ratio).ifPresent(this::trouble);
  }

  void add(AuditReport round) {
    for (Count count : Count.values()) {
      counts.merge(count, round.of(count), Long::sum);
    }
    add(round.violations());
  }

  void add(Violations found) {
    violations.addAll(found);
  }

  void add(Violation violation, String example) {
    violations.add(violation, example);
  }

  /** How often. */
  public long of(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  /** How often it happened. */
  public long of(Violation violation) {
    return violations.count(violation);
  }

  /** All that must not have happened, with ids. */
  public List<String> wrongs() {
    List<String> all = new ArrayList<>(troubles);
    all.addAll(violations.examples());
    return all;
  }

  /** How many faults were injected. */
  public int cycles() {
    return cycles.size();
  }

  /** Whether all is as it should be; rates are not judged. */
  public boolean isClean() {
    return troubles.isEmpty() && violations.total() == 0;
  }

  /** Prints the table. */
  public void print(PrintWriter out) {
    out.printf(
        "%-20s %7s %21s %23s%n", "fault", "cycles", "recovery s p50 / max", "rate after p50 / min");
    Map<String, List<Cycle>> byFault = new TreeMap<>();
    cycles.forEach(
        cycle -> byFault.computeIfAbsent(cycle.fault(), key -> new ArrayList<>()).add(cycle));
    for (Fault fault : faults) {
      List<Cycle> own = byFault.getOrDefault(fault.name(), List.of());
      if (fault.skipped().isPresent()) {
        out.printf("%-20s skipped: %s%n", fault.name(), fault.skipped().get());
      } else {
        out.printf(
            Locale.ROOT,
            "%-20s %7d %11s / %7s %13s / %7s%n",
            fault.name(),
            own.size(),
            at(own, Cycle::recoverySeconds, MEDIAN),
            at(own, Cycle::recoverySeconds, 1),
            at(own, Cycle::share, MEDIAN),
            at(own, Cycle::share, 0));
      }
    }
    out.printf(
        Locale.ROOT,
        "%n%,d messages pushed (%,d of them buffered), %,d unknown; %,d deliveries, %,d acks,"
            + " %,d acks that failed, %,d transactions, %,d dead letters%n%n",
        of(Count.PUSHED),
        of(Count.BUFFERED),
        of(Count.UNKNOWN),
        of(Count.DELIVERED),
        of(Count.ACKED),
        of(Count.FAILED),
        of(Count.TRANSACTIONS),
        of(Count.DEAD));
    for (Violation violation : Violation.values()) {
      if (violation.isSeen(Through.HTTP)) {
        AuditReport.row(out, violation.text(), of(violation));
      }
    }
    out.println();
    printPolite(out);
    wrongs().forEach(wrong -> out.println("  ! " + wrong));
    out.printf(
        "%d cycles, seed %d: %s%n",
        cycles.size(), seed, isClean() ? "nothing is wrong." : "SOMETHING IS WRONG.");
    out.flush();
  }

  private void printPolite(PrintWriter out) {
    if (polite.isEmpty()) {
      return;
    }
    polite.forEach(out::println);
    answers.forEach(
        (fault, statuses) -> {
          if (!statuses.isEmpty()) {
            out.printf(
                Locale.ROOT,
                "%s was answered %s%n",
                fault,
                statuses.entrySet().stream()
                    .map(
                        each ->
                            String.format(Locale.ROOT, "%,d x %d", each.getValue(), each.getKey()))
                    .collect(Collectors.joining(", ")));
          }
        });
    out.println();
  }

  private static String at(
      List<Cycle> cycles, Function<Cycle, OptionalDouble> figure, double quantile) {
    List<Double> sorted =
        cycles.stream()
            .map(figure)
            .filter(OptionalDouble::isPresent)
            .map(OptionalDouble::getAsDouble)
            .sorted()
            .toList();
    return sorted.isEmpty()
        ? "-"
        : String.format(
            Locale.ROOT, "%.2f", sorted.get((int) Math.round((sorted.size() - 1) * quantile)));
  }
}
