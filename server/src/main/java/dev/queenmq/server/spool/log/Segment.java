package dev.queenmq.server.spool.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of the log, as far as it counts: what is acknowledged of it, and how much of that is not
 * settled. Safe for any thread; its end moves on the writer's, its settling on the drainer's.
 */
final class Segment {
  private static final Pattern NAME = Pattern.compile("spool-([0-9]{12,15})\\.log");

  private final long number;
  private final Path path;
  private final Optional<RecordFormat> format;
  private final AtomicLong pending = new AtomicLong();
  private final Set<Long> damage = ConcurrentHashMap.newKeySet();
  private volatile long end;
  private volatile long lastSequence;

  /**
   * A file that nothing is known of yet but its header.
   *
   * @param format of its records; empty if its header is damaged, and none can be read
   */
  Segment(long number, Path path, Optional<RecordFormat> format, long end) {
    this.number = number;
    this.path = path;
    this.format = format;
    this.end = end;
  }

  static String nameOf(long number) {
    return "spool-%012d.log".formatted(number);
  }

  /** The number in a file's name, if it is the name of a segment. */
  static Optional<Long> numberOf(String name) {
    Matcher matcher = NAME.matcher(name);
    return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
  }

  /** Takes the file away once it is settled; one with damage is kept, for a person to look at. */
  void remove(Disk disk) throws IOException {
    if (isDamaged()) {
      String name = nameOf(number);
      disk.rename(path, path.resolveSibling(name.replace(".log", ".damaged")));
    } else {
      disk.delete(path);
    }
  }

  long number() {
    return number;
  }

  Path path() {
    return path;
  }

  Optional<RecordFormat> format() {
    return format;
  }

  /** Where it ends: what stands behind is not acknowledged. */
  long end() {
    return end;
  }

  /** The sequence number of the last record; 0 if there is none. */
  long lastSequence() {
    return lastSequence;
  }

  long pending() {
    return pending.get();
  }

  /** Something was found unreadable here; whether that is news. */
  boolean damagedAt(long position) {
    return damage.add(position);
  }

  /** Whether something in it was found unreadable. */
  boolean isDamaged() {
    return !damage.isEmpty();
  }

  /** It was found to end earlier than its file does. */
  void cutAt(long position) {
    end = position;
  }

  /** Records were found in it. */
  void found(long sequence) {
    pending.incrementAndGet();
    lastSequence = sequence;
  }

  /** Records were written and synced. */
  void grown(int records, long sequence, long newEnd) {
    pending.addAndGet(records);
    lastSequence = sequence;
    // Last: a reader that sees the new end may read up to it.
    end = newEnd;
  }

  void settled(int records) {
    pending.addAndGet(-records);
  }
}
