package dev.queenmq.bench.audit;

import java.util.Arrays;

/** A growing array of numbers, 0 where none was set. Not for several threads. */
final class LongColumn {
  private long[] values = new long[256];
  private int size;

  long get(long index) {
    return index < size ? values[Math.toIntExact(index)] : 0;
  }

  void set(long index, long value) {
    int at = Math.toIntExact(index);
    if (at >= values.length) {
      values = Arrays.copyOf(values, Math.max(at + 1, values.length * 2));
    }
    values[at] = value;
    size = Math.max(size, at + 1);
  }

  int size() {
    return size;
  }
}
