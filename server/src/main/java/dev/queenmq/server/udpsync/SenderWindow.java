package dev.queenmq.server.udpsync;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/** What was heard of one sender: the sequences of its session, and sessions that are over. */
final class SenderWindow {

  /** Packets that may overtake one without its being lost. */
  static final int SIZE = 1024;

  /** Sessions that are over and remembered. */
  static final int PAST_SESSIONS = 16;

  /*
   * The window of IPsec (RFC 4303, 3.4.3; RFC 6479): a ring of bits, one for each of the last SIZE
   * sequences up to the highest that was accepted. What is below cannot be told from a replay.
   */
  private final long[] seen = new long[SIZE / Long.SIZE];
  private final Deque<SessionId> past = new ArrayDeque<>(PAST_SESSIONS);
  private SessionId session;
  private long highest;
  private long heardNanos;

  SenderWindow(SessionId session, long nowNanos) {
    this.session = session;
    heardNanos = nowNanos;
  }

  Optional<DropReason> check(SessionId from, long sequence, long nowNanos, long deadNanos) {
    if (sequence < 1) {
      return Optional.of(DropReason.OLD_SEQUENCE);
    }
    if (!from.equals(session)) {
      if (past.contains(from) || !(from.isLaterThan(session) || isSilent(nowNanos, deadNanos))) {
        return Optional.of(DropReason.OLD_SESSION);
      }
      change(from);
    }
    if (sequence <= highest - SIZE) {
      return Optional.of(DropReason.OLD_SEQUENCE);
    }
    if (sequence > highest) {
      advance(sequence);
    } else if (isSeen(sequence)) {
      return Optional.of(DropReason.REPLAYED);
    }
    seen[word(sequence)] |= bit(sequence);
    heardNanos = nowNanos;
    return Optional.empty();
  }

  boolean isSilent(long nowNanos, long deadNanos) {
    return nowNanos - heardNanos >= deadNanos;
  }

  long heardNanos() {
    return heardNanos;
  }

  private void change(SessionId to) {
    if (past.size() == PAST_SESSIONS) {
      past.removeFirst();
    }
    past.addLast(session);
    session = to;
    highest = 0;
    Arrays.fill(seen, 0);
  }

  private void advance(long sequence) {
    if (sequence - highest >= SIZE) {
      Arrays.fill(seen, 0);
    } else {
      for (long next = highest + 1; next <= sequence; next++) {
        seen[word(next)] &= ~bit(next);
      }
    }
    highest = sequence;
  }

  private boolean isSeen(long sequence) {
    return (seen[word(sequence)] & bit(sequence)) != 0;
  }

  private static int word(long sequence) {
    return (int) (sequence % SIZE) / Long.SIZE;
  }

  private static long bit(long sequence) {
    return 1L << (sequence % Long.SIZE);
  }
}
