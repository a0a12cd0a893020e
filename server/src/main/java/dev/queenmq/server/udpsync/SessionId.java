package dev.queenmq.server.udpsync;

import java.util.random.RandomGenerator;

/**
 * One run of a broker, from start to end. Sessions of one broker are ordered by their start, so
 * that a session that was recorded and is replayed cannot pass for a restart.
 *
 * @param startedMillis by the sender's clock, since 1970
 * @param nonce distinguishes sessions with the same start
 */
public record SessionId(long startedMillis, long nonce) {

  /** A session that begins now. */
  public static SessionId begin(long nowMillis, RandomGenerator random) {
    return new SessionId(nowMillis, random.nextLong());
  }

  /** Whether this one began after the other, by the sender's clock. */
  public boolean isLaterThan(SessionId other) {
    return startedMillis > other.startedMillis;
  }
}
