package dev.queenmq.server.testing;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** How much memory something takes, whether it keeps it or not. */
public final class Allocation {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int TRIES = 4;

  /**
   * How much more instrumented code may take. The hooks of the fuzzing engine copy both texts of
   * every comparison: what takes 45 kB takes 510 kB with them. So the bounds hold as they are for
   * the kept inputs of a plain run, and a fuzzing run finds what is beyond them by far.
   */
  private static final long INSTRUMENTED = Boolean.getBoolean("jazzer.hooks") ? 10 : 1;

  private Allocation() {}

  /**
   * Whether something that can be repeated takes no more than that number of bytes. What it takes
   * only once is not counted: the first time, classes are loaded on the way.
   */
  public static boolean isWithin(long bytes, Runnable work) {
    for (int i = 0; i < TRIES; i++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      work.run();
      if (THREADS.getCurrentThreadAllocatedBytes() - before <= INSTRUMENTED * bytes) {
        return true;
      }
    }
    return false;
  }
}
