package dev.queenmq.server.admin.history;

/** Means of what was summed up. */
final class Mean {
  private Mean() {}

  /** The mean as a whole number; 0 if the count is 0. */
  static long whole(long sum, long count) {
    return count == 0 ? 0 : Math.round((double) sum / count);
  }

  /** The mean with two digits; 0 if the count is 0. */
  static double of(long sum, long count) {
    return of((double) sum, count);
  }

  /** The mean with two digits; 0 if the count is 0. */
  static double of(double sum, long count) {
    return count == 0 ? 0 : TimeRange.rounded(sum / count);
  }
}
