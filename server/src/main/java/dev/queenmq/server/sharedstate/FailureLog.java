package dev.queenmq.server.sharedstate;

import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures of callbacks and loaders, which must not stop the shared state: counted, and the first
 * of them logged.
 */
final class FailureLog {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  private final String what;
  private final AtomicLong count = new AtomicLong();

  FailureLog(String what) {
    this.what = what;
  }

  void guard(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      add(e);
    }
  }

  void add(Throwable failure) {
    if (count.getAndIncrement() == 0) {
      LOG.warn("{}; further failures are only counted", what, failure);
    } else {
      LOG.debug("{}", what, failure);
    }
  }

  long count() {
    return count.get();
  }
}
