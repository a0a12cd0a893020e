package dev.queenmq.spring.listener;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM alive while something runs. The threads of the client are daemons, so an
 * application without a web server would end as soon as its main method returns. Safe for use by
 * several threads.
 */
final class KeepAlive {
  private final Set<Object> running = new HashSet<>();
  private @Nullable CountDownLatch end;

  /** From now on the JVM stays alive. */
  synchronized void hold(Object who) {
    running.add(who);
    if (end == null) {
      CountDownLatch latch = new CountDownLatch(1);
      Thread thread = new Thread(() -> await(latch), "queen-listeners");
      // Otherwise it would be as the thread that starts the listener.
      thread.setDaemon(false);
      thread.start();
      end = latch;
    }
  }

  /** The JVM may end, unless something else runs. */
  synchronized void release(Object who) {
    running.remove(who);
    endIfIdle();
  }

  /** The same for all that run. */
  synchronized void releaseAll() {
    running.clear();
    endIfIdle();
  }

  /** Under the lock. */
  private void endIfIdle() {
    if (end != null && running.isEmpty()) {
      end.countDown();
      end = null;
    }
  }

  private static void await(CountDownLatch latch) {
    while (true) {
      try {
        latch.await();
        return;
      } catch (InterruptedException e) {
        // Only the end of what runs ends this thread.
      }
    }
  }
}
