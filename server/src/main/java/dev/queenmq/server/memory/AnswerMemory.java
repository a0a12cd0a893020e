package dev.queenmq.server.memory;

import java.util.Optional;

/**
 * Decides how large answers may become, and reserves memory for them before the store is asked: a
 * pop must not lease what cannot be delivered.
 *
 * <p>The size of a pop's answer is not known in advance. So the store is asked with room for twice
 * what the calls before needed, which is usually enough. Where it is not, the store says how much
 * it would be, and is asked a second time with exactly that. The room that is always there is
 * small, and is granted even if the budget is used up: there are no more calls under way at a time
 * than connections.
 *
 * <p>Safe for use by several threads.
 */
public final class AnswerMemory {
  /**
   * Bytes of heap for each byte of an answer: the texts of the payloads, the answer, and a copy
   * while it is made.
   */
  public static final int HEAP_FOR_ANSWER = 3;

  private static final long LEAST = 64 << 10;
  private static final long MOST = 64 << 20;

  /** Asking twice costs more than reserving this for a moment. */
  private static final long AT_FIRST = 1 << 20;

  private static final int PARTS = 16;
  private static final int PAGES_IN_AN_ANSWER = 4;
  private static final int FORGET = 16;

  private final MemoryBudget budget;
  private final Purpose purpose;
  private final long most;

  /** An update that is lost makes no difference. */
  private volatile long recent = AT_FIRST;

  /** For pops. The largest answer is a sixteenth of the budget, but for a single message. */
  public AnswerMemory(MemoryBudget budget) {
    this(budget, Purpose.ANSWERS);
  }

  /** For answers of another kind. */
  public AnswerMemory(MemoryBudget budget, Purpose purpose) {
    this.budget = budget;
    this.purpose = purpose;
    most = largestAnswer(budget.capacity());
  }

  /** For stores whose callers need no limit. */
  public static AnswerMemory unlimited() {
    return new AnswerMemory(new MemoryBudget(Long.MAX_VALUE / 2, 0));
  }

  /**
   * The largest answer, in bytes, that brokers with such a budget give, if it has several items.
   */
  public static long largestAnswer(long capacity) {
    return Math.min(MOST, Math.max(LEAST, capacity / PARTS));
  }

  /** The largest answer in bytes, unless it is a single message. */
  public long most() {
    return most;
  }

  /**
   * Room for what the calls before needed.
   *
   * @param bytes of answers
   */
  public record Room(long bytes, MemoryBudget.Reservation reservation) {
    /** The part that this many bytes of answers take, to be released by its own owner. */
    public HeldMemory part(long answerBytes) {
      return reservation.split(cost(answerBytes));
    }

    /** Keeps what an answer of this many bytes takes, and gives the rest back. */
    public HeldMemory keep(long answerBytes) {
      HeldMemory kept = part(answerBytes);
      release();
      return kept;
    }

    /** What was not needed. */
    public void release() {
      reservation.release();
    }
  }

  /** Room for the next call. */
  public Room usual() {
    long wanted = Math.min(most, Math.max(AT_FIRST, 2 * recent));
    MemoryBudget.Reservation reservation = budget.open(purpose);
    if (reservation.growTo(cost(wanted))) {
      return new Room(wanted, reservation);
    }
    reservation.force(cost(LEAST));
    return new Room(LEAST, reservation);
  }

  /**
   * Room for an answer whose size is known.
   *
   * @param all bytes of everything that was asked for
   * @param first bytes of what comes first, below which there is no answer
   * @return empty if there is no room even for that
   */
  public Optional<Room> exact(long all, long first) {
    long wanted = Math.max(first, Math.min(all, most));
    MemoryBudget.Reservation reservation = budget.open(purpose);
    // What needs more than the whole budget goes when nothing else holds any of it.
    if (reservation.growTo(Math.min(cost(wanted), budget.largest()))) {
      return Optional.of(new Room(wanted, reservation));
    }
    return wanted > first && reservation.growTo(Math.min(cost(first), budget.largest()))
        ? Optional.of(new Room(first, reservation))
        : Optional.empty();
  }

  /**
   * Room for a page of a list, which ends where the room ends.
   *
   * @return empty if there is none
   */
  public Optional<Room> page() {
    long wanted = Math.max(LEAST, most / PAGES_IN_AN_ANSWER);
    MemoryBudget.Reservation reservation = budget.open(purpose);
    if (reservation.growTo(cost(wanted))) {
      return Optional.of(new Room(wanted, reservation));
    }
    return reservation.growTo(cost(LEAST))
        ? Optional.of(new Room(LEAST, reservation))
        : Optional.empty();
  }

  /** A call brought this many bytes. */
  public void used(long bytes) {
    recent = Math.max(bytes, recent - recent / FORGET);
  }

  private static long cost(long bytes) {
    return bytes * HEAP_FOR_ANSWER;
  }
}
