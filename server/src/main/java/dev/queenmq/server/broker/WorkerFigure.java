package dev.queenmq.server.broker;

/** What is counted of an event loop in a minute, in the order of the columns it is written to. */
public enum WorkerFigure {
  /** Pushes. */
  PUSH_REQUESTS(0),
  /** Pops that were answered. */
  POP_REQUESTS(1),
  /** Acknowledgements. */
  ACK_REQUESTS(2),
  /** Transactions that were committed. */
  TRANSACTIONS(3),
  /** Messages stored. */
  PUSH_MESSAGES(4),
  /** Messages handed out. */
  POP_MESSAGES(5),
  /** Acks that a message is done. */
  ACK_SUCCESS(6),
  /** Other acks, and those that changed nothing. */
  ACK_FAILED(7),
  /** Messages that an ack made dead letters. */
  DEAD_LETTERS(8),
  /** Calls that PostgreSQL did not carry out. */
  DB_ERRORS(9),
  /** Calls of PostgreSQL. */
  JOBS_DONE(10),
  /** Messages whose way from push to pop was measured. */
  LAG_COUNT(11),
  /** How long it took, in milliseconds, of all together. */
  LAG_SUM_MS(12),
  /** How long it took at most. */
  LAG_MAX_MS(13),
  /** Looks at what follows. */
  SAMPLES(14),
  /** Free connections, of all looks together. */
  FREE_SLOTS_SUM(15),
  /** Free connections, at least. */
  FREE_SLOTS_MIN(16),
  /** Requests that waited for a connection, of all looks together. */
  JOB_QUEUE_SUM(17),
  /** Requests that waited for a connection, at most. */
  JOB_QUEUE_MAX(18),
  /** Connections that there may be. */
  DB_CONNECTIONS(19),
  /** Groups of polls that are looked at less often, at the last look. */
  BACKOFF_SIZE(20);

  private final int place;

  WorkerFigure(int place) {
    this.place = place;
  }

  /** Its place among the figures that are written down, from 0. */
  public int place() {
    return place;
  }
}
