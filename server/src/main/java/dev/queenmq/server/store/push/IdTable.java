package dev.queenmq.server.store.push;

import java.util.function.LongConsumer;

/**
 * A hash table from the hash of a transaction id to the offset of its message. Two ids with one
 * hash both stay: a hit is only ever a suspicion, which the store verifies.
 *
 * <p>An entry is one word, so that looking at it touches one line of memory: 40 bits of the hash
 * over 24 bits that place the offset.
 */
final class IdTable {
  private static final int SMALLEST = 4;
  private static final int PLACE_BITS = 24;
  private static final long PLACES = (1L << PLACE_BITS) - 1;

  private final long firstOffset;
  private long[] entries = new long[SMALLEST];
  private int size;

  /** A table for offsets from {@code firstOffset} on. */
  IdTable(long firstOffset) {
    this.firstOffset = firstOffset;
  }

  int size() {
    return size;
  }

  /** Whether the offset is near enough to be kept here. */
  boolean reaches(long offset) {
    return offset - firstOffset < PLACES;
  }

  void add(long hash, long offset) {
    if (size * 4L >= entries.length * 3L) {
      resize(entries.length * 2);
    }
    // Places count from one: zero marks an empty slot.
    insert(entries, (hash & ~PLACES) | (offset - firstOffset + 1));
    size++;
  }

  /** Passes every offset that was added with this hash. */
  void find(long hash, LongConsumer found) {
    int mask = entries.length - 1;
    for (int slot = slot(hash, mask); entries[slot] != 0; slot = (slot + 1) & mask) {
      if (((entries[slot] ^ hash) & ~PLACES) == 0) {
        found.accept(firstOffset + (entries[slot] & PLACES) - 1);
      }
    }
  }

  /** Makes room for some more, so that the table does not grow step by step. */
  void reserve(int more) {
    int length = entries.length;
    while ((size + more) * 4L > length * 3L) {
      length *= 2;
    }
    if (length > entries.length) {
      resize(length);
    }
  }

  private void resize(int length) {
    long[] larger = new long[length];
    for (long entry : entries) {
      if (entry != 0) {
        insert(larger, entry);
      }
    }
    entries = larger;
  }

  private static void insert(long[] into, long entry) {
    int mask = into.length - 1;
    int slot = slot(entry, mask);
    while (into[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    into[slot] = entry;
  }

  private static int slot(long hash, int mask) {
    return (int) (hash >>> PLACE_BITS) & mask;
  }
}
