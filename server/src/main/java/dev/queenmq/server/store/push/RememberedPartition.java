package dev.queenmq.server.store.push;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * The dedup window of one partition, as this broker remembers it: the partition's id and end, its
 * queue's window, and the transaction ids of its recent messages.
 *
 * <h2>What it guarantees</h2>
 *
 * <ol>
 *   <li>If an id is not found here, no message from the first remembered offset up to {@link
 *       #knownUpTo()} has it. The range covers at least the last {@link #knownWindow()} seconds.
 *   <li>An id that is found here is only a suspect: the entry is a hash. The store reads the
 *       message at that offset and decides.
 *   <li>The memory never claims more than it has. Whatever makes it doubtful (another window, a
 *       partition that was created again, a lost reply, ids that were evicted) makes it claim less,
 *       and the store then compares more. A wrong memory costs time, never a duplicate or a
 *       message.
 * </ol>
 *
 * <h2>How</h2>
 *
 * <p>A push sends {@link #knownUpTo()} and {@link #knownWindow()} along. Holding the partition's
 * lock, {@code push_v1} compares only what was appended after that offset, by other brokers, and
 * returns those ids, so that the memory is complete again. With one broker the database compares
 * nothing.
 *
 * <p>Ids are kept in generations of a quarter of the window, each a table of its own. Expiry drops
 * a whole table when the one after it is older than the window; no entry is removed by itself. So
 * up to a quarter more than the window is kept. Time is the database's: the creation times that
 * pushes return.
 *
 * <p>The same memory decides whether a push may be a plain statement: then the end must be known
 * and the ids below it complete. After a plain push that found the partition changed, the next 2
 * pushes use the procedure, then 4, up to 64: another broker probably appends there too.
 *
 * <h2>Alternatives</h2>
 *
 * <p>A unique index (see {@link PushBatch}). A Bloom filter would take less memory, but it does not
 * say where a suspect is, so each false positive would cost a search of the whole window. Removing
 * ids one by one as they expire would cost as much as adding them. Decision 007.
 *
 * <p>Owned by the store's event loop.
 */
public final class RememberedPartition {
  /** Nothing is known of the ids. */
  static final long NOTHING = -1;

  /** The known ids are all that is stored. */
  static final int EVERYTHING = -1;

  private static final int GENERATIONS_PER_WINDOW = 4;

  /** After this many misses in a row, the pause no longer grows. */
  private static final int MOST_MISSES = 6;

  private record Generation(long startedAt, IdTable ids) {}

  private final UUID id;
  private int window;
  private long knownUpTo = NOTHING;
  private int knownWindow;
  private final Deque<Generation> generations = new ArrayDeque<>();
  private long newest;
  private long size;
  private long end = NOTHING;
  private int misses; // of plain pushes, one after the other
  private int passOver;

  RememberedPartition(UUID id, int window) {
    this.id = id;
    this.window = window;
  }

  UUID id() {
    return id;
  }

  /** The queue's deduplication window when it was last heard of. */
  public int window() {
    return window;
  }

  long knownUpTo() {
    return knownUpTo;
  }

  int knownWindow() {
    return knownWindow;
  }

  /** The offset of the next message when the partition was last heard of, or {@link #NOTHING}. */
  long end() {
    return end;
  }

  /** Where the partition ends, as a push has just found it. */
  void endIs(long offset) {
    end = offset;
  }

  /** Whether the next push may be a plain one; counts those that may not. */
  boolean isTurnOfPlain() {
    if (passOver > 0) {
      passOver--;
      return false;
    }
    return true;
  }

  /** A plain push did what it should. */
  void plainFound() {
    misses = 0;
  }

  /**
   * A plain push did not find the partition as it is known here: the next 2, 4, ... 64 are none.
   */
  void plainMissed() {
    misses = Math.min(misses + 1, MOST_MISSES);
    passOver = 1 << misses;
  }

  /** How many ids are kept. */
  long size() {
    return size;
  }

  /** Restarts the memory at an offset, complete for a window from there on. */
  void begin(long offset, int completeWindow) {
    generations.clear();
    size = 0;
    knownUpTo = offset;
    knownWindow = completeWindow;
  }

  void forgetIds() {
    begin(NOTHING, 0);
  }

  /** The queue's window as a push has just found it. */
  void windowIs(int seconds) {
    window = seconds;
    if (seconds == 0) {
      forgetIds();
    }
  }

  /** Remembers ids that follow each other from an offset on; known ones are passed over. */
  void learnAll(long from, long[] hashes, int count, long createdAtMicros) {
    newest = Math.max(newest, createdAtMicros);
    for (int i = Math.toIntExact(Math.max(0, Math.min(knownUpTo - from, count))); i < count; i++) {
      tableFor(from + i).add(hashes[i], from + i);
      size++;
    }
    knownUpTo = Math.max(knownUpTo, from + count);
  }

  void suspects(long hash, LongConsumer offsets) {
    for (Generation generation : generations) {
      generation.ids.find(hash, offsets);
    }
  }

  private IdTable tableFor(long offset) {
    Generation current = generations.peekLast();
    if (current == null || outgrown(current) || !current.ids.reaches(offset)) {
      forgetOld();
      current = new Generation(newest, new IdTable(offset));
      generations.addLast(current);
    }
    return current.ids;
  }

  private boolean outgrown(Generation generation) {
    return window > 0
        && newest - generation.startedAt > window * 1_000_000L / GENERATIONS_PER_WINDOW;
  }

  /** Drops generations that ended before the window: the next one's start says when. */
  private void forgetOld() {
    if (window <= 0) {
      return;
    }
    long oldest = newest - window * 1_000_000L;
    while (generations.size() > 1) {
      Generation first = generations.removeFirst();
      if (generations.getFirst().startedAt >= oldest) {
        generations.addFirst(first);
        return;
      }
      size -= first.ids.size();
      knownWindow = window;
    }
  }
}
