package dev.queenmq.server.sidecar.waiting;

/**
 * How often a group of waiting polls is looked at.
 *
 * @param initialMillis at first
 * @param threshold after so many looks in vain ...
 * @param multiplier ... the interval grows by this factor each time ...
 * @param maxMillis ... up to this
 */
public record BackoffRules(int initialMillis, int threshold, double multiplier, int maxMillis) {

  /** 100 ms, three times; then doubled up to a second. */
  public static BackoffRules defaults() {
    return new BackoffRules(100, 3, 2.0, 1000);
  }
}
