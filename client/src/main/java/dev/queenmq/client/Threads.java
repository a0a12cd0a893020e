package dev.queenmq.client;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads of a client. All are daemons: a program need not close a client to end. */
final class Threads {

  private Threads() {}

  /** For timeouts, retries and wake-ups; tasks on it are short. */
  static ScheduledExecutorService timer() {
    ScheduledThreadPoolExecutor timer = new ScheduledThreadPoolExecutor(1, named("queen-timer-"));
    timer.setRemoveOnCancelPolicy(true);
    timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    return timer;
  }

  /** For handlers: virtual threads where the JVM has them, since Java 21. */
  static ExecutorService handlers() {
    return handlers(Executors.class);
  }

  /**
   * The same with another class in place of {@link Executors}. This is the only call by name in the
   * client: its class files are for Java 17, which has no virtual threads.
   */
  static ExecutorService handlers(Class<?> executors) {
    MethodHandle virtual;
    try {
      virtual =
          MethodHandles.publicLookup()
              .findStatic(
                  executors,
                  "newVirtualThreadPerTaskExecutor",
                  MethodType.methodType(ExecutorService.class));
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return Executors.newCachedThreadPool(named("queen-handler-"));
    }
    try {
      return (ExecutorService) virtual.invokeExact();
    } catch (Throwable e) {
      throw new IllegalStateException("cannot make virtual threads", e);
    }
  }

  private static ThreadFactory named(String prefix) {
    AtomicInteger count = new AtomicInteger();
    return task -> {
      Thread thread = new Thread(task, prefix + count.incrementAndGet());
      thread.setDaemon(true);
      return thread;
    };
  }
}
