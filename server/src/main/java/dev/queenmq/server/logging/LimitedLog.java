package dev.queenmq.server.logging;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Log lines that clients can cause as often as they like: one for each subject and minute, with the
 * number of lines that it stands for. Thread-safe.
 */
public final class LimitedLog {

  private static final long PAUSE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final int MOST_SUBJECTS = 256;
  private static final Subject THE_REST = new Subject("the rest", "");

  private final Consumer<String> target;
  private final LongSupplier nanoClock;
  private final Map<Subject, Line> lines = new HashMap<>();

  /**
   * Writes nothing yet.
   *
   * @param target is given the lines that are written
   */
  public LimitedLog(Consumer<String> target, LongSupplier nanoClock) {
    this.target = target;
    this.nanoClock = nanoClock;
  }

  /**
   * Writes a line, or counts it.
   *
   * @param where it comes from
   * @param kind of the line
   */
  public synchronized void write(String where, String kind, String text) {
    long now = nanoClock.getAsLong();
    Subject subject = new Subject(where, kind);
    if (!lines.containsKey(subject) && lines.size() >= MOST_SUBJECTS) {
      lines.values().removeIf(line -> now - line.since >= PAUSE_NANOS);
      if (lines.size() >= MOST_SUBJECTS) {
        subject = THE_REST;
      }
    }
    Line line = lines.get(subject);
    if (line != null && now - line.since < PAUSE_NANOS) {
      line.unsaid++;
      return;
    }
    long unsaid = line == null ? 0 : line.unsaid;
    lines.put(subject, new Line(now));
    target.accept(
        unsaid == 0
            ? text
            : "%s (and %d more like this since the last line)".formatted(text, unsaid));
  }

  private record Subject(String where, String kind) {}

  private static final class Line {
    private final long since;
    private long unsaid;

    private Line(long since) {
      this.since = since;
    }
  }
}
