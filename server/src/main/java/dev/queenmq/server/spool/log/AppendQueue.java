package dev.queenmq.server.spool.log;

import dev.queenmq.server.spool.log.SpoolException.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;

/**
 * Appends on their way to the disk, in their order; refuses what there is no room for. Safe for any
 * thread; one takes from it.
 */
final class AppendQueue {
  // What is gathered while the disk is slow is in memory.
  private static final long MAX_QUEUED_BYTES = 32L << 20;
  private static final long GROUP_BYTES = 4L << 20;

  private final long maxBytes;
  private final Segments segments;
  private final HeldPartitions held;
  private final Queue<Append> waiting = new ArrayDeque<>();
  private long bytes;
  private boolean closed;

  AppendQueue(long maxBytes, Segments segments, HeldPartitions held) {
    this.maxBytes = maxBytes;
    this.segments = segments;
    this.held = held;
  }

  /** Adds an append, or returns the reason for rejecting it. */
  synchronized Optional<SpoolException> offer(Append append) {
    if (closed) {
      return Optional.of(new SpoolException(Kind.CLOSED, "The spool is closed."));
    }
    // It may need a new file.
    if (segments.bytes() + bytes + append.bytes() + SegmentHeader.BYTES > maxBytes) {
      return full("The spool is full: it may have %,d bytes (SPOOL_MAX_BYTES).", maxBytes);
    }
    if (bytes > 0 && bytes + append.bytes() > MAX_QUEUED_BYTES) {
      return full("%,d bytes wait for the disk of the spool: it is too slow.", bytes);
    }
    held.setOut(append.entries());
    waiting.add(append);
    bytes += append.bytes();
    notifyAll();
    return Optional.empty();
  }

  /** Waits for appends, and takes as many as go well in one write; empty once closed and done. */
  synchronized List<Append> take() throws InterruptedException {
    while (waiting.isEmpty() && !closed) {
      wait();
    }
    List<Append> group = new ArrayList<>();
    long groupBytes = 0;
    for (Append next = waiting.peek();
        next != null && (group.isEmpty() || groupBytes + next.bytes() <= GROUP_BYTES);
        next = waiting.peek()) {
      groupBytes += next.bytes();
      group.add(waiting.remove());
    }
    return group;
  }

  /** These are on the disk, or failed. */
  synchronized void finished(List<Append> group) {
    for (Append append : group) {
      bytes -= append.bytes();
    }
  }

  /** Refuses what comes from now on. */
  synchronized void close() {
    closed = true;
    notifyAll();
  }

  /** How many bytes are not on the disk yet. */
  synchronized long bytes() {
    return bytes;
  }

  private static Optional<SpoolException> full(String text, long bytes) {
    return Optional.of(new SpoolException(Kind.FULL, text.formatted(bytes)));
  }
}
