package dev.queenmq.server.udpsync;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;

/**
 * What was received from one sender: decides whether a packet is new.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>Within a session, a packet passes at most once.
 *   <li>Within a session, a packet that arrives late passes, unless {@value #SIZE} or more newer
 *       ones came before it.
 *   <li>A session that was replaced never comes back, as long as it is among the last {@value
 *       #PAST_SESSIONS}.
 *   <li>A sender that is restarted is accepted at once, and one whose clock was set back after the
 *       dead threshold at the latest.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p><b>Sequences.</b> The anti-replay window of IPsec (RFC 4303 section 3.4.3, RFC 6479): a ring
 * of bits, one for each of the last {@value #SIZE} sequence numbers up to the highest that passed.
 * A number above the highest moves the window. A number below it cannot be told from a replay and
 * is dropped.
 *
 * <p><b>Sessions.</b> A session is one run of a broker. It carries the time of its start, so a
 * later one replaces the current one. An earlier one is either a replay or a restart after the
 * clock was set back, and the two look the same. It is dropped while the current session is alive,
 * and accepted once that has been silent for the dead threshold. Only packets that pass count as a
 * sign of life, so replays cannot keep a dead session alive and shut out the real one.
 *
 * <h2>Alternatives</h2>
 *
 * <p>Accepting increasing sequence numbers only would lose every packet that was overtaken. Time
 * stamps with a tolerance would need synchronous clocks, and a replay within the tolerance would
 * pass.
 *
 * <p>{@link ReplayGuard} says what remains possible. Belongs to one event loop.
 */
final class SenderWindow {

  /** Packets that may overtake one without its being lost. */
  static final int SIZE = 1024;

  /** Sessions that are over and remembered. */
  static final int PAST_SESSIONS = 16;

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
