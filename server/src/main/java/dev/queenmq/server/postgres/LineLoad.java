package dev.queenmq.server.postgres;

/**
 * How long a statement would wait that is sent on a connection behind others, judged by how long
 * those before took. PostgreSQL works on the statements of a connection one after the other.
 *
 * <p>Knows no clock: all times are arguments, in nanoseconds.
 */
final class LineLoad {
  /** The weight of the last statement in the average. */
  private static final double LAST_SHARE = 0.125;

  private long firstSince;
  private double average;

  /**
   * A statement is sent.
   *
   * @param underWay how many are under way already
   */
  void sending(int underWay, long now) {
    if (underWay == 0) {
      firstSince = now;
    }
  }

  /** The first of those under way was answered. PostgreSQL works on the next one from now on. */
  void answered(long now) {
    average += (now - firstSince - average) * LAST_SHARE;
    firstSince = now;
  }

  /**
   * How long a statement that is sent now would wait for its turn.
   *
   * @param underWay how many are under way already
   */
  double expectedWait(int underWay, long now) {
    double first = Math.max(average, (double) (now - firstSince));
    return underWay == 0 ? 0 : first + (underWay - 1) * average;
  }
}
