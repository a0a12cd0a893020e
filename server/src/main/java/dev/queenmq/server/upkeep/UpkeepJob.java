package dev.queenmq.server.upkeep;

import java.util.Arrays;
import java.util.Optional;

/** What is to be done in the background. */
public enum UpkeepJob {
  /** Messages that are older than their queue keeps them. */
  RETENTION("retention"),
  /** Messages that groups have left waiting for longer than their queue allows. */
  EVICTION("eviction"),
  /** Partitions that are empty and unused. */
  PARTITIONS("partitions"),
  /** What deleted queues and partitions left behind. */
  ORPHANS("orphans"),
  /** Traces of messages that are gone. */
  TRACES("traces"),
  /** Old dead letters. */
  DEAD_LETTERS("dead-letters"),
  /** Old rows of history. */
  HISTORY("history");

  private final String label;

  UpkeepJob(String label) {
    this.label = label;
  }

  /** Its name in the database, in routes and in metrics. */
  public String label() {
    return label;
  }

  /** Whether what it removes are messages. */
  public boolean removesMessages() {
    return this == RETENTION || this == EVICTION || this == DEAD_LETTERS;
  }

  /** The job of that name. */
  public static Optional<UpkeepJob> of(String label) {
    return Arrays.stream(values()).filter(job -> job.label.equals(label)).findFirst();
  }
}
