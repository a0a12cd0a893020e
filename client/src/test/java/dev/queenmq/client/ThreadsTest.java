package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ThreadsTest {

  /** A JVM with virtual threads, as far as {@link Threads} looks at it. */
  public static final class NewerExecutors {
    private NewerExecutors() {}

    /** As {@code Executors} has it since Java 21. */
    public static ExecutorService newVirtualThreadPerTaskExecutor() {
      return Executors.newCachedThreadPool(task -> new Thread(task, "virtual"));
    }
  }

  @Test
  void handlers_takeVirtualThreads_whereThereAreSome() throws Exception {
    assertThat(nameOfItsThread(Threads.handlers(NewerExecutors.class))).isEqualTo("virtual");
  }

  @Test
  void handlers_fallBackToDaemons_whereThereAreNone() throws Exception {
    assertThat(nameOfItsThread(Threads.handlers(Object.class))).startsWith("queen-handler-");
  }

  @Test
  void handlers_areVirtual_fromJava21On() throws Exception {
    String name = nameOfItsThread(Threads.handlers());
    // Virtual threads have no name.
    assertThat(name.isEmpty()).isEqualTo(Runtime.version().feature() >= 21);
  }

  private static String nameOfItsThread(ExecutorService threads) throws Exception {
    try {
      return threads
          .submit(
              () -> {
                assertThat(Thread.currentThread().isDaemon())
                    .isEqualTo(!Thread.currentThread().getName().equals("virtual"));
                return Thread.currentThread().getName();
              })
          .get();
    } finally {
      threads.shutdown();
    }
  }
}
