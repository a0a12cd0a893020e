package dev.queenmq.server.memory;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the memory that requests hold, and rejects reservations beyond a limit. One for all event
 * loops of a broker. Safe for use by several threads.
 *
 * <p>Large reservations leave a part of the capacity free. Only small ones use that part, so that
 * acknowledgements, lease extensions and small pushes still pass while large bodies fill the rest.
 *
 * <p>It counts bytes of heap, not bytes of a body: a caller that makes strings and copies of a body
 * reserves what these need as well.
 */
public final class MemoryBudget {
  private static final int PARTS = 8;

  private final long commonCapacity;
  private final long smallCapacity;
  private final long smallLimit;
  private final AtomicLong common = new AtomicLong();
  private final AtomicLong small = new AtomicLong();
  private final Map<Purpose, Account> accounts = new EnumMap<>(Purpose.class);

  /**
   * An empty budget.
   *
   * @param capacity bytes that may be reserved at the same time; an eighth of them is kept for
   *     small reservations
   * @param smallLimit the largest reservation, in bytes, that counts as small
   */
  public MemoryBudget(long capacity, long smallLimit) {
    smallCapacity = capacity / PARTS;
    commonCapacity = capacity - smallCapacity;
    this.smallLimit = Math.min(smallLimit, smallCapacity);
    for (Purpose purpose : Purpose.values()) {
      accounts.put(purpose, new Account(capacity / purpose.share()));
    }
  }

  /** Bytes that may be reserved at the same time. */
  public long capacity() {
    return commonCapacity + smallCapacity;
  }

  /** The largest reservation that an empty budget grants. */
  public long largest() {
    return Math.max(commonCapacity, smallLimit);
  }

  /** A reservation of nothing yet. Its owner must release it. */
  public Reservation open(Purpose purpose) {
    return new Reservation(account(purpose));
  }

  /** What is held now, and how often there was no room. */
  public MemoryFigures figures() {
    Map<Purpose, Long> now = new EnumMap<>(Purpose.class);
    Map<Purpose, Long> missed = new EnumMap<>(Purpose.class);
    for (Purpose purpose : Purpose.values()) {
      now.put(purpose, account(purpose).held.get());
      missed.put(purpose, account(purpose).refused.sum());
    }
    return new MemoryFigures(commonCapacity + smallCapacity, now, missed);
  }

  private Account account(Purpose purpose) {
    return Objects.requireNonNull(accounts.get(purpose));
  }

  private static boolean take(AtomicLong pool, long capacity, long bytes) {
    // Most calls find room, so the sum is taken first and given back where it was too much. Two
    // callers may refuse each other close to the limit, but never exceed it together.
    if (pool.addAndGet(bytes) <= capacity) {
      return true;
    }
    pool.addAndGet(-bytes);
    return false;
  }

  /** What is held for one purpose, and how often there was no room. */
  private static final class Account {
    private final long most;
    private final AtomicLong held = new AtomicLong();
    private final LongAdder refused = new LongAdder();

    Account(long most) {
      this.most = most;
    }

    /** One alone may take more: it could never be granted otherwise. */
    boolean allows(long more) {
      long now = held.get();
      return now == 0 || now + more <= most;
    }
  }

  /** Memory that one request holds. Safe for use by several threads. */
  public final class Reservation implements HeldMemory {
    private final Account account;
    private long fromCommon;
    private long fromSmall;
    private boolean released;

    private Reservation(Account account) {
      this.account = account;
    }

    /**
     * Reserves more, until it has this many bytes in all; never gives back.
     *
     * @return false if there is no room, or after a release; it holds then what it held before
     */
    public synchronized boolean growTo(long bytes) {
      long more = bytes - fromCommon - fromSmall;
      if (more <= 0) {
        return !released;
      }
      boolean granted = !released && account.allows(more) && take(bytes, more);
      if (granted) {
        account.held.addAndGet(more);
      } else if (!released) {
        account.refused.increment();
      }
      return granted;
    }

    private boolean take(long bytes, long more) {
      if (bytes <= smallLimit && MemoryBudget.take(small, smallCapacity, more)) {
        fromSmall += more;
        return true;
      }
      // What is no longer small leaves the part that is kept for small ones.
      long moved = bytes <= smallLimit ? 0 : fromSmall;
      if (!MemoryBudget.take(common, commonCapacity, more + moved)) {
        return false;
      }
      fromCommon += more + moved;
      fromSmall -= moved;
      small.addAndGet(-moved);
      return true;
    }

    /** Reserves until it has this many bytes in all, whether there is room or not. */
    public synchronized void force(long bytes) {
      long more = bytes - fromCommon - fromSmall;
      if (more > 0 && !released) {
        fromCommon += more;
        common.addAndGet(more);
        account.held.addAndGet(more);
      }
    }

    /**
     * The same, unless all reservations for its purpose would then have more than their part of the
     * budget.
     *
     * @return false if they would, or after a release; it holds then what it held before
     */
    public synchronized boolean forceWithinPart(long bytes) {
      long more = bytes - fromCommon - fromSmall;
      if (more > 0 && !account.allows(more)) {
        account.refused.increment();
        return false;
      }
      force(bytes);
      return !released;
    }

    /**
     * Hands this many bytes over to another reservation. What is not there is reserved in addition,
     * whether there is room or not.
     */
    public synchronized Reservation split(long bytes) {
      Reservation part = new Reservation(account);
      part.fromCommon = Math.min(fromCommon, bytes);
      part.fromSmall = Math.min(fromSmall, bytes - part.fromCommon);
      fromCommon -= part.fromCommon;
      fromSmall -= part.fromSmall;
      part.force(bytes);
      return part;
    }

    /** The bytes that it holds. */
    public synchronized long bytes() {
      return fromCommon + fromSmall;
    }

    @Override
    public synchronized void release() {
      if (!released) {
        released = true;
        common.addAndGet(-fromCommon);
        small.addAndGet(-fromSmall);
        account.held.addAndGet(-fromCommon - fromSmall);
        fromCommon = 0;
        fromSmall = 0;
      }
    }
  }
}
