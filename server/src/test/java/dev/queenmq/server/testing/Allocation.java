package dev.queenmq.server.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much memory something takes, whether it keeps it or not. */
public final class Allocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int TRIES = 4;

  private Allocation() {}

  /**
   * Whether something that can be repeated takes no more than so many bytes. What it takes only
   * once is not counted: the first time, classes are loaded on the way.
   */
  public static boolean isWithin(long bytes, Runnable work) {
    for (int i = 0; i < TRIES; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      work.run();
      if (THREADS.getCurrentThreadAllocatedBytes() - before <= bytes) {
        return true;
      }
    }
    return false;
  }
}
