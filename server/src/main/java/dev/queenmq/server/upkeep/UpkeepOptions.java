package dev.queenmq.server.upkeep;

import dev.queenmq.server.store.upkeep.HistoryTable;
import java.time.Duration;
import java.util.List;

/**
 * How much, how often, and what is kept for how long.
 *
 * @param holder name of this broker; no two may have the same
 * @param retentionInterval between the beginnings of two runs
 * @param retentionBatch segments that go in one transaction, at most
 * @param evictionInterval between the beginnings of two runs
 * @param evictionBatch dead letters that are written in one transaction, at most
 * @param cleanupInterval between the beginnings of two runs of all other jobs
 * @param partitionDays after which an unused partition goes; 0 for never
 * @param deadLetterDays after which a dead letter goes; 0 for never
 * @param history tables whose old rows go
 */
public record UpkeepOptions(
    String holder,
    Duration retentionInterval,
    int retentionBatch,
    Duration evictionInterval,
    int evictionBatch,
    Duration cleanupInterval,
    int partitionDays,
    int deadLetterDays,
    List<HistoryTable> history) {

  /** The history of upkeep itself. */
  public static final List<HistoryTable> OWN_HISTORY =
      List.of(
          new HistoryTable("upkeep_runs", "started_at", 7),
          new HistoryTable("upkeep_removed", "bucket", 7));

  /** Copies the list. */
  public UpkeepOptions {
    history = List.copyOf(history);
  }
}
