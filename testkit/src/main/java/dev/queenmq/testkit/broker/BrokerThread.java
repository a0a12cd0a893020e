package dev.queenmq.testkit.broker;

import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;

/**
 * Makes Vert.x on a thread of its own, because Vert.x takes the context class loader, by which it
 * finds its services, from the thread that makes it. That of a test knows the application's
 * libraries, not the broker's.
 *
 * <p>Whether the threads of Vert.x keep the JVM from ending does not depend on this thread: it is
 * an option of Vert.x, {@code useDaemonThread}, which all of the testkit's have set.
 */
final class BrokerThread {
  private BrokerThread() {}

  static <T> T call(Callable<T> work) {
    return begin(work).get();
  }

  /** Begins the work; what is returned waits for its end. */
  static <T> Supplier<T> begin(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "queen-broker-start");
    thread.setDaemon(true);
    thread.setContextClassLoader(BrokerThread.class.getClassLoader());
    thread.start();
    return () -> result(task);
  }

  private static <T> T result(FutureTask<T> task) {
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException failure
          ? failure
          : new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted", e);
    }
  }
}
