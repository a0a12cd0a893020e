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
    try {
      MethodHandle virtual =
          MethodHandles.publicLookup()
              .findStatic(
                  Executors.class,
                  "newVirtualThreadPerTaskExecutor",
                  MethodType.methodType(ExecutorService.class));
      return (ExecutorService) virtual.invokeExact();
    } catch (NoSuchMethodException | IllegalAccessException e) {
      return Executors.newCachedThreadPool(named("queen-handler-"));
    } catch (Throwable e) {
      throw new IllegalStateException(e);
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
