package dev.queenmq.server.model.streams;

import java.time.Instant;
import java.util.List;

/**
 * State of a query in a partition, by key.
 *
 * @param more whether there is more of it behind the last row
 */
public record StatePage(List<StateRow> rows, boolean more) {
  public StatePage {
    rows = List.copyOf(rows);
  }

  /** What is kept under one key. */
  public record StateRow(String key, String value, Instant updatedAt) {}
}
