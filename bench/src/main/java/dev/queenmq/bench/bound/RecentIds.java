package dev.queenmq.bench.bound;

import java.util.Arrays;

/**
 * The transaction ids of the last pushes, as hashes of 64 bits: at least half a million of them.
 * Two tables; when one is full, the other is emptied and filled.
 */
final class RecentIds {
  private static final int SIZE = 1 << 20;
  private static final int FULL = SIZE / 2;
  private static final int HASH_SHIFT = 20;
  private static final long FIRST = 0xcbf29ce484222325L;
  private static final long FACTOR = 0x100000001b3L;

  private long[] young = new long[SIZE];
  private long[] old = new long[SIZE];
  private int count;

  /** Whether it is new. */
  boolean add(String lane, String id) {
    long hash = hash(hash(FIRST, lane), id);
    if (young[place(young, hash)] == hash || old[place(old, hash)] == hash) {
      return false;
    }
    if (count == FULL) {
      long[] emptied = old;
      old = young;
      young = emptied;
      Arrays.fill(young, 0);
      count = 0;
    }
    young[place(young, hash)] = hash;
    count++;
    return true;
  }

  private static long hash(long start, String text) {
    long hash = start;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * FACTOR;
    }
    return hash == 0 ? 1 : hash;
  }

  /** Where it is, or would be. */
  private static int place(long[] table, long hash) {
    int place = (int) (hash >>> HASH_SHIFT) & (SIZE - 1);
    while (table[place] != 0 && table[place] != hash) {
      place = (place + 1) & (SIZE - 1);
    }
    return place;
  }
}
