package dev.queenmq.testkit;

import java.util.function.Supplier;

/** Starts brokers in a JVM of its own, prints how long that takes, and closes nothing. */
final class StartMain {
  private static final int QUEUES = 10;
  private static final int RESETS = 5;

  private StartMain() {}

  public static void main(String[] arguments) {
    EmbeddedQueen first = timed("the first start on a machine", EmbeddedQueen::start);
    EmbeddedQueen second = timed("a later start in the same JVM", EmbeddedQueen::start);
    second.client().queue("orders").push("tea");
    second.assertThatQueue("orders").hasDepth(1);
    for (int i = 0; i < RESETS; i++) {
      for (int queue = 0; queue < QUEUES; queue++) {
        first.client().queue("orders-" + queue).push("tea");
      }
      timed(
          "a reset of %d queues".formatted(QUEUES),
          () -> {
            first.reset();
            return first;
          });
    }
  }

  /** Prints how long it took. */
  static EmbeddedQueen timed(String what, Supplier<EmbeddedQueen> work) {
    long begun = System.nanoTime();
    EmbeddedQueen result = work.get();
    System.out.printf("testkit: %s: %d ms%n", what, (System.nanoTime() - begun) / 1_000_000);
    return result;
  }
}
