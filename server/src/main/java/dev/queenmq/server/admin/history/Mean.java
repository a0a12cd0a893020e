package dev.queenmq.server.admin.history;

/** Means of what was summed up. */
final class Mean {
  private Mean() {}

  /** In whole numbers; 0 of nothing. */
  static long whole(long sum, long count) {
    return count == 0 ? 0 : Math.round((double) sum / count);
  }

  /** With two digits; 0 of nothing. */
  static double of(long sum, long count) {
    return of((double) sum, count);
  }

  /** With two digits; 0 of nothing. */
  static double of(double sum, long count) {
    return count == 0 ? 0 : TimeRange.rounded(sum / count);
  }
}
