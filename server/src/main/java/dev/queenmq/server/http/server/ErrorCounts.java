package dev.queenmq.server.http.server;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/** Answers that were errors, by their status. Shared by all event loops. */
final class ErrorCounts {
  private static final int FIRST_ERROR = 400;

  // Bounded by the statuses that there are in our code.
  private final Map<Integer, LongAdder> counts = new ConcurrentHashMap<>();

  void answered(int status) {
    if (status >= FIRST_ERROR) {
      counts.computeIfAbsent(status, first -> new LongAdder()).increment();
    }
  }

  Map<Integer, Long> byStatus() {
    Map<Integer, Long> sums = new TreeMap<>();
    counts.forEach((status, count) -> sums.put(status, count.sum()));
    return sums;
  }
}
