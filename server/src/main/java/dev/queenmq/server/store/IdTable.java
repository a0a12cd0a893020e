package dev.queenmq.server.store;

import java.util.Arrays;
import java.util.function.LongConsumer;

/**
 * A hash table from the 64-bit hash of a transaction id to the offset of its message. Two ids with
 * one hash both stay: a hit is only ever a suspicion, which the store verifies.
 */
final class IdTable {
  /** Of a table at its usual load. */
  static final int BYTES_PER_ID = 24;

  private static final int SMALLEST = 4;

  private final long firstOffset;
  private long[] hashes = new long[SMALLEST];
  private int[] offsets = new int[SMALLEST];
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
    return offset - firstOffset <= Integer.MAX_VALUE;
  }

  void add(long hash, long offset) {
    if (size * 4L >= hashes.length * 3L) {
      grow();
    }
    insert(marked(hash), Math.toIntExact(offset - firstOffset));
    size++;
  }

  /** Tells every offset that was added with this hash. */
  void find(long hash, LongConsumer found) {
    long key = marked(hash);
    int mask = hashes.length - 1;
    for (int slot = slot(key, mask); hashes[slot] != 0; slot = (slot + 1) & mask) {
      if (hashes[slot] == key) {
        found.accept(firstOffset + offsets[slot]);
      }
    }
  }

  private void grow() {
    long[] oldHashes = hashes;
    int[] oldOffsets = offsets;
    hashes = new long[oldHashes.length * 2];
    offsets = Arrays.copyOf(oldOffsets, hashes.length);
    for (int slot = 0; slot < oldHashes.length; slot++) {
      if (oldHashes[slot] != 0) {
        insert(oldHashes[slot], oldOffsets[slot]);
      }
    }
  }

  private void insert(long key, int offset) {
    int mask = hashes.length - 1;
    int slot = slot(key, mask);
    while (hashes[slot] != 0) {
      slot = (slot + 1) & mask;
    }
    hashes[slot] = key;
    offsets[slot] = offset;
  }

  private static int slot(long key, int mask) {
    return (int) (key >>> 32) & mask;
  }

  /** Zero marks an empty slot, so no key may be zero. */
  private static long marked(long hash) {
    return hash == 0 ? 1 : hash;
  }
}
