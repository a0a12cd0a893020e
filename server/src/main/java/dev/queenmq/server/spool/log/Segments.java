package dev.queenmq.server.spool.log;

import java.util.Optional;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The files that hold what is not settled, in order. Safe for any thread. */
final class Segments {
  private final ConcurrentNavigableMap<Long, Segment> byNumber = new ConcurrentSkipListMap<>();
  private final AtomicLong bytes = new AtomicLong();

  void add(Segment segment) {
    byNumber.put(segment.number(), segment);
    bytes.addAndGet(segment.end());
  }

  /** One of them has grown by this much. */
  void grew(long more) {
    bytes.addAndGet(more);
  }

  void remove(Segment segment) {
    if (byNumber.remove(segment.number(), segment)) {
      bytes.addAndGet(-segment.end());
    }
  }

  /** The first with this number or a higher one. */
  Optional<Segment> from(long number) {
    return value(byNumber.ceilingEntry(number));
  }

  Optional<Segment> last() {
    return value(byNumber.lastEntry());
  }

  /** The size of all segments. */
  long bytes() {
    return bytes.get();
  }

  /** Entries in all of them that are not settled. */
  long pending() {
    return byNumber.values().stream().mapToLong(Segment::pending).sum();
  }

  private static Optional<Segment> value(java.util.Map.@Nullable Entry<Long, Segment> entry) {
    return entry == null ? Optional.empty() : Optional.of(entry.getValue());
  }
}
