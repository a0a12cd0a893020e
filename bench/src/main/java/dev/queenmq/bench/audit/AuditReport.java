package dev.queenmq.bench.audit;

import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * What an audit found.
 *
 * @param stored messages in the audited queue at the end
 * @param deadLetters dead letters at the end, over all groups
 * @param unanswered messages that the autoAck group lost with the answers to its pops: that is what
 *     autoAck means
 * @param recoveries milliseconds from a kill to the next answer
 */
public record AuditReport(
    AuditSettings settings,
    Tally tally,
    Violations violations,
    long stored,
    long deadLetters,
    long unanswered,
    double pushSeconds,
    double drainSeconds,
    Histogram recoveries) {

  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "%d producers, %d consumers, %d partitions, %d groups, two brokers, seed %d,"
            + " %.1f s and %.1f s to drain%n%n",
        settings.producers(),
        settings.consumers(),
        settings.partitions(),
        settings.groups() + 2,
        settings.seed(),
        pushSeconds,
        drainSeconds);
    for (Tally.Count count : Tally.Count.values()) {
      row(out, count.text(), tally.of(count));
    }
    row(out, "messages stored at the end", stored);
    row(out, "dead letters at the end", deadLetters);
    row(out, "autoAck messages lost with an answer", unanswered);
    rate(out, "pushed per second", Tally.Count.PUSHED);
    rate(out, "delivered per second", Tally.Count.DELIVERED);
    rate(out, "acknowledged per second", Tally.Count.ACKED);
    if (recoveries.getTotalCount() > 0) {
      out.printf(
          Locale.ROOT,
          "%-52s %12d (median %d, longest %d ms)%n",
          "recoveries",
          recoveries.getTotalCount(),
          recoveries.getValueAtPercentile(50),
          recoveries.getMaxValue());
    }
    out.println();
    for (Map.Entry<Violation, Long> entry : counts().entrySet()) {
      row(out, entry.getKey().text(), entry.getValue());
    }
    violations.examples().forEach(example -> out.println("  ! " + example));
    out.printf("%n%s%n", violations.total() == 0 ? "No violation." : "VIOLATIONS FOUND.");
    out.flush();
  }

  private Map<Violation, Long> counts() {
    Map<Violation, Long> counts = new EnumMap<>(Violation.class);
    for (Violation violation : Violation.values()) {
      counts.put(violation, violations.count(violation));
    }
    return counts;
  }

  private void rate(PrintWriter out, String what, Tally.Count count) {
    row(out, what, Math.round(tally.of(count) / (pushSeconds + drainSeconds)));
  }

  private static void row(PrintWriter out, String what, long count) {
    out.printf(Locale.ROOT, "%-52s %12d%n", what, count);
  }
}
