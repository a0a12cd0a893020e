package dev.queenmq.client.admin.messages;

/** What an ack says of a message. */
public enum Settlement {
  /** It is done. */
  COMPLETED("completed"),
  /** It comes again; after too many failures it is a dead letter. */
  FAILED("failed"),
  /** It comes again, and that does not count as a failure. */
  RETRY("retry"),
  /** It is a dead letter at once. */
  DEAD_LETTER("dlq");

  private final String word;

  Settlement(String word) {
    this.word = word;
  }

  /**
   * The word that brokers use.
   *
   * @return for example {@code completed}
   */
  public String word() {
    return word;
  }
}
