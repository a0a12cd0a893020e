package dev.queenmq.server.sidecar.waiting;

/**
 * How often a group of waiting polls is looked at.
 *
 * @param initialMillis at first
 * @param threshold looks in vain after which the interval grows
 * @param multiplier by which it grows each time
 * @param maxMillis up to which it grows
 * @param closeMillis the longest interval while other brokers are up, whose packets may be lost
 */
public record BackoffRules(
    int initialMillis, int threshold, double multiplier, int maxMillis, int closeMillis) {
  private static final int CLOSE_MILLIS = 150;

  /** Rules with the usual interval while other brokers are up. */
  public BackoffRules(int initialMillis, int threshold, double multiplier, int maxMillis) {
    this(initialMillis, threshold, multiplier, maxMillis, CLOSE_MILLIS);
  }

  /** 100 ms, three times; then doubled up to a second. */
  public static BackoffRules defaults() {
    return new BackoffRules(100, 3, 2.0, 1000);
  }
}
