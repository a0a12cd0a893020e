package dev.queenmq.server.store.push;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A 64-bit hash of transaction ids. Seeded per process, so that clients cannot choose ids that
 * collide; a collision costs a look at the database, never a wrong answer.
 */
public record IdHash(long seed) {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  long of(String id) {
    int length = id.length();
    long hash = seed ^ length;
    int i = 0;
    // Four at a time: each multiplication waits for the one before.
    for (; i + 4 <= length; i += 4) {
      hash = mix(hash, four(id, i));
    }
    for (; i < length; i++) {
      hash = mix(hash, id.charAt(i));
    }
    hash ^= hash >>> 29;
    hash *= 0xBF58476D1CE4E5B9L;
    return hash ^ (hash >>> 32);
  }

  /** Messages that were deleted have no id: anything does, as long as it is not always the same. */
  long[] ofAll(List<@Nullable String> ids) {
    long[] hashes = new long[ids.size()];
    for (int i = 0; i < hashes.length; i++) {
      @Nullable String id = ids.get(i);
      hashes[i] = id == null ? mix(seed, i) : of(id);
    }
    return hashes;
  }

  private static long four(String id, int i) {
    return id.charAt(i)
        | (long) id.charAt(i + 1) << 16
        | (long) id.charAt(i + 2) << 32
        | (long) id.charAt(i + 3) << 48;
  }

  private static long mix(long hash, long next) {
    long mixed = (hash ^ next) * MULTIPLIER;
    return mixed ^ (mixed >>> 32);
  }
}
