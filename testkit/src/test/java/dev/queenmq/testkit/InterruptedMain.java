package dev.queenmq.testkit;

/** Closes a broker on a thread that is interrupted, as at the end of a test that was cancelled. */
final class InterruptedMain {
  private InterruptedMain() {}

  public static void main(String[] arguments) {
    EmbeddedQueen queen = EmbeddedQueen.start();
    queen.client().queue("orders").push("tea");
    Thread.currentThread().interrupt();
    queen.close();
    System.out.println("testkit: still interrupted: " + Thread.interrupted());
    EmbeddedQueen.start().close();
  }
}
