package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.audit.Violation;
import dev.queenmq.bench.audit.Violations;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What an audit found.
 *
 * @param stored messages in the queue at the end
 */
public record HttpAuditReport(
    HttpAuditSettings settings,
    Map<Count, Long> counts,
    Map<PushTrouble, Long> pushTroubles,
    Violations violations,
    long stored,
    double pushSeconds,
    double drainSeconds) {

  /** What this audit can see. */
  public static final List<Violation> KINDS =
      List.of(
          Violation.LOST_PUSH,
          Violation.LOST_DELIVERY,
          Violation.NOT_DRAINED,
          Violation.DELIVERED_AFTER_ACK,
          Violation.ORDER_INVERSION,
          Violation.PRODUCER_ORDER,
          Violation.OVERLAPPING_LEASE,
          Violation.LATE_ACK_ACCEPTED,
          Violation.HALF_TRANSACTION,
          Violation.DEAD_WITHOUT_PAYLOAD,
          Violation.ADMITTED_DUPLICATE,
          Violation.FALSE_DUPLICATE,
          Violation.WRONG_FIRST_ID,
          Violation.PHANTOM,
          Violation.UNEXPECTED);

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
        settings.groups() + 1,
        settings.consumers(),
        settings.partitions(),
        settings.leaseSeconds(),
        settings.seed(),
        pushSeconds,
        drainSeconds);
    for (Count count : Count.values()) {
      row(out, count.text(), of(count));
    }
    row(out, "messages stored at the end", stored);
    pushTroubles.forEach((trouble, count) -> row(out, "pushes: " + trouble.text(), count));
    out.println();
    for (Violation violation : KINDS) {
      row(out, text(violation), violations.count(violation));
    }
    violations.examples().forEach(example -> out.println("  ! " + example));
    out.printf("%n%s%n", violations.total() == 0 ? "No violation." : "VIOLATIONS FOUND.");
    out.flush();
  }

  /** For people. */
  public static String text(Violation violation) {
    return violation == Violation.NOT_DRAINED
        ? "messages that were not done and did not come again"
        : violation.text();
  }

  private static void row(PrintWriter out, String what, long count) {
    out.printf(Locale.ROOT, "%-56s %12d%n", what, count);
  }
}
