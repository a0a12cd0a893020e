package dev.queenmq.server.sidecar.waiting;

/**
 * When a group of waiting polls is looked at next, and whether a look is under way: one look serves
 * all waiting polls, so there is never a second one.
 */
final class GroupBackoff {
  private final BackoffRules rules;
  private int emptyLooks;
  private int intervalMillis;
  private long lastLook = Long.MIN_VALUE;
  private boolean inFlight;

  GroupBackoff(BackoffRules rules) {
    this.rules = rules;
    this.intervalMillis = rules.initialMillis();
  }

  /** Whether a look is due. */
  boolean due(long nowMillis) {
    return lastLook == Long.MIN_VALUE || nowMillis - lastLook >= intervalMillis;
  }

  /** Starts a look, unless one is under way. */
  boolean tryAcquire() {
    if (inFlight) {
      return false;
    }
    inFlight = true;
    return true;
  }

  /** Ends a look. */
  void release(boolean foundMessages, long nowMillis) {
    inFlight = false;
    looked(foundMessages, nowMillis);
  }

  /** A look that went on elsewhere, for all groups at once. */
  void looked(boolean foundMessages, long nowMillis) {
    lastLook = nowMillis;
    if (foundMessages) {
      reset();
      return;
    }
    emptyLooks++;
    if (emptyLooks >= rules.threshold()) {
      intervalMillis = (int) Math.min(intervalMillis * rules.multiplier(), rules.maxMillis());
    }
  }

  /** Something happened: look often again. */
  void reset() {
    emptyLooks = 0;
    intervalMillis = rules.initialMillis();
  }

  boolean backedOff() {
    return emptyLooks >= rules.threshold();
  }

  int intervalMillis() {
    return intervalMillis;
  }
}
