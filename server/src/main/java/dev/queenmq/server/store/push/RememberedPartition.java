package dev.queenmq.server.store.push;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.UUID;
import java.util.function.LongConsumer;

/**
 * What is remembered of one partition that messages are appended to: its id, its queue's window,
 * and the transaction ids of its recent messages.
 *
 * <p>The ids are complete from some offset up to {@link #knownUpTo()}, which covers the last {@link
 * #knownWindow()} seconds. They are kept in generations of a quarter of the window, so that
 * forgetting drops a whole table. Time is the database's: the creation times that pushes answer. A
 * memory that is too old costs a verification, one that is incomplete says so.
 *
 * <p>Owned by the store's event loop.
 */
public final class RememberedPartition {
  /** Nothing is known of the ids. */
  static final long NOTHING = -1;

  /** The known ids are all that is stored. */
  static final int EVERYTHING = -1;

  private static final int GENERATIONS_PER_WINDOW = 4;

  /** After so many plain pushes in vain, one after the other, the pause grows no more. */
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

  /** Starts the memory anew at an offset, complete for a window from there on. */
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
