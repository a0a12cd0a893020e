package dev.queenmq.server.store;

/**
 * A 64-bit hash of transaction ids. Seeded per process, so that nobody can choose ids that collide;
 * a collision costs a look at the database, never a wrong answer.
 */
record IdHash(long seed) {
  private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

  long of(String id) {
    long hash = seed ^ id.length();
    for (int i = 0; i < id.length(); i++) {
      hash = (hash ^ id.charAt(i)) * MULTIPLIER;
      hash ^= hash >>> 32;
    }
    hash ^= hash >>> 29;
    hash *= 0xBF58476D1CE4E5B9L;
    return hash ^ (hash >>> 32);
  }
}
