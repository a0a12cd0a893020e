package dev.queenmq.server.spool.log;

/**
 * Up to where the log is settled.
 *
 * @param segment its number
 * @param offset of the first record that is not settled
 * @param sequence of the last record that is
 */
record Position(long segment, long offset, long sequence) {
  static final Position START = new Position(0, 0, 0);

  private static final long MANY = 1L << 45;

  /** Whether it can be followed by others. */
  boolean isPossible() {
    return segment >= 0
        && segment < MANY
        && offset >= 0
        && sequence >= 0
        && sequence < RecordFormat.MAX_SEQUENCE;
  }
}
