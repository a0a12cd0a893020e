package dev.queenmq.bench.audit;

import dev.queenmq.bench.audit.ledger.Count;
import dev.queenmq.bench.audit.ledger.PushTrouble;
import dev.queenmq.bench.audit.ledger.Through;
import dev.queenmq.bench.audit.ledger.Violation;
import dev.queenmq.bench.audit.ledger.Violations;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an audit found.
 *
 * @param notes what there is to say beside all counts
 */
public record AuditReport(
    Through through,
    AuditSettings settings,
    Map<Count, Long> counts,
    Map<PushTrouble, Long> pushTroubles,
    Violations violations,
    List<String> notes,
    double pushSeconds,
    double drainSeconds) {

  /** How often. */
  public long of(Count count) {
    return counts.getOrDefault(count, 0L);
  }

  /** Pushes that failed for a reason that a client need not put up with. */
  public long failedPushes() {
    return pushTroubles.entrySet().stream()
        .filter(entry -> entry.getKey().isFailure())
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** Prints it. */
  public void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%d producers, %d groups of %d consumers, %d partitions, leases of %d s, seed %d,"
            + " %.1f s and %.1f s to drain%n%n",
        settings.producers(),
        settings.allGroups(),
        settings.consumers(),
        settings.partitions(),
        settings.leaseSeconds(),
        settings.seed(),
        pushSeconds,
        drainSeconds);
    Arrays.stream(Count.values())
        .filter(count -> count.isSeen(through))
        .forEach(count -> row(out, count.text(), of(count)));
    rate(out, "pushed per second", Count.PUSHED);
    rate(out, "delivered per second", Count.DELIVERED);
    rate(out, "acknowledged per second", Count.ACKED);
    pushTroubles.forEach((trouble, count) -> row(out, "pushes: " + trouble.text(), count));
    notes.forEach(out::println);
    out.println();
    Arrays.stream(Violation.values())
        .filter(violation -> violation.isSeen(through))
        .forEach(violation -> row(out, violation.text(), violations.count(violation)));
    violations.examples().forEach(example -> out.println("  ! " + example));
    out.printf("%n%s%n", violations.total() == 0 ? "No violation." : "VIOLATIONS FOUND.");
    out.flush();
  }

  private void rate(PrintWriter out, String what, Count count) {
    row(out, what, Math.round(of(count) / (pushSeconds + drainSeconds)));
  }

  /** One count of a table. */
  public static void row(PrintWriter out, String what, long count) {
    out.printf(Locale.ROOT, "%-64s %12d%n", what, count);
  }
}
