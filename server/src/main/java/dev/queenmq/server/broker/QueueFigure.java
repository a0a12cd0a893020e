package dev.queenmq.server.broker;

/** What is counted of a queue in a minute, in the order of the columns that it is written to. */
public enum QueueFigure {
  /** Pushes that named the queue. */
  PUSH_REQUESTS(0),
  /** Messages that they stored; not duplicates. */
  PUSH_MESSAGES(1),
  /** Pops that were answered. */
  POP_REQUESTS(2),
  /** Messages that they got. */
  POP_MESSAGES(3),
  /** Pops that got nothing. */
  POP_EMPTY(4),
  /** Acknowledgements with an ack on a message of the queue. */
  ACK_REQUESTS(5),
  /** Acks that a message is done. */
  ACK_SUCCESS(6),
  /** Other acks, and those that changed nothing. */
  ACK_FAILED(7),
  /** Messages that were done when they were handed out. */
  AUTO_ACKED(8),
  /** Transactions that touched the queue. */
  TRANSACTIONS(9),
  /** Messages that an ack made dead letters. */
  DEAD_LETTERS(10),
  /** Partitions that a push made. */
  PARTITIONS_CREATED(11),
  /** Polls that waited at the same time, at most. */
  PARKED(12),
  /** Messages whose way from push to pop was measured. */
  LAG_COUNT(13),
  /** How long it took, in milliseconds, of all together. */
  LAG_SUM_MS(14),
  /** How long it took at most. */
  LAG_MAX_MS(15);

  private final int place;

  QueueFigure(int place) {
    this.place = place;
  }

  /** Its place among the figures that are written down, from 0. */
  public int place() {
    return place;
  }

  /**
   * Whether figures of several brokers or event loops are combined by their maximum instead of
   * their sum.
   */
  public boolean isMaximum() {
    return this == LAG_MAX_MS;
  }
}
