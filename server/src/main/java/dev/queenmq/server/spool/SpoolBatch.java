package dev.queenmq.server.spool;

import java.util.List;

/** The oldest entries of a spool, in the order in which they were appended. Never empty. */
public final class SpoolBatch {
  private final List<SpoolEntry> entries;

  SpoolBatch(List<SpoolEntry> entries) {
    this.entries = List.copyOf(entries);
  }

  /** What is to be stored. */
  public List<SpoolEntry> entries() {
    return entries;
  }
}
