package dev.queenmq.testkit;

/** Where assertions begin; for a static import. */
public final class QueenAssertions {
  private QueenAssertions() {}

  /**
   * Begins an assertion about a queue of the {@linkplain EmbeddedQueen#shared() shared} broker.
   *
   * @param queue its name
   * @return what can be said about it
   */
  public static QueueAssert assertThatQueue(String queue) {
    return EmbeddedQueen.shared().assertThatQueue(queue);
  }

  /**
   * Begins an assertion about a queue of a broker.
   *
   * @param queen the broker
   * @param queue its name
   * @return what can be said about it
   */
  public static QueueAssert assertThatQueue(EmbeddedQueen queen, String queue) {
    return queen.assertThatQueue(queue);
  }
}
