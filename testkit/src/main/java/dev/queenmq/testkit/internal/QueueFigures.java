package dev.queenmq.testkit.internal;

import java.util.Map;
import java.util.TreeMap;

/**
 * What is in a queue at one moment, exactly.
 *
 * @param pending by partition: messages that are stored and not done, for the group that is
 *     furthest behind; without a group all that are stored
 * @param groups by name; consumers without a group are {@code __QUEUE_MODE__}
 */
public record QueueFigures(Map<String, Long> pending, Map<String, GroupFigures> groups) {

  private static final int MOST_SHOWN = 10;

  /** Copies. */
  public QueueFigures {
    pending = Map.copyOf(pending);
    groups = Map.copyOf(groups);
  }

  /** All messages that are stored and not done. */
  public long depth() {
    return pending.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The figures as a text, for messages of failed assertions. */
  public String describe() {
    return "it has depth %d (by partition %s%s) and groups %s"
        .formatted(
            depth(),
            new TreeMap<>(pending)
                .entrySet().stream().limit(MOST_SHOWN).map(Map.Entry::toString).toList(),
            pending.size() > MOST_SHOWN ? " and more" : "",
            new TreeMap<>(groups));
  }

  /**
   * How far a group is.
   *
   * @param lag messages that it has not done, leased ones among them
   * @param leases partitions that its consumers hold
   * @param deadLetters messages that it gave up
   */
  public record GroupFigures(long lag, long leases, long deadLetters) {
    @Override
    public String toString() {
      return "(lag %d, leases %d, dead letters %d)".formatted(lag, leases, deadLetters);
    }
  }
}
