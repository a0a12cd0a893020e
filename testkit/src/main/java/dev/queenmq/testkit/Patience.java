package dev.queenmq.testkit;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Tries a check again until it is met or the time is over. */
record Patience(Duration time) {
  private static final long PAUSE_MILLIS = 10;

  /**
   * Returns when the check is met.
   *
   * @param check answers what is wrong, or nothing
   */
  void until(Supplier<Optional<String>> check) {
    long end = System.nanoTime() + time.toNanos();
    Optional<String> wrong = check.get();
    while (wrong.isPresent() && System.nanoTime() - end < 0) {
      try {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        break;
      }
      wrong = check.get();
    }
    if (wrong.isPresent()) {
      throw new AssertionError(
          wrong.get() + (time.isZero() ? "" : " after " + time.toMillis() + " ms"));
    }
  }
}
