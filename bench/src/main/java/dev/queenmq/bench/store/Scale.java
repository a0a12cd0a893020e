package dev.queenmq.bench.store;

/**
 * How much a run does.
 *
 * @param commits pieces of work per round and contender
 * @param sparsePartitions how many partitions the sparse pushes draw from
 */
record Scale(Race race, int commits, int sparsePartitions, long seed) {

  static Scale full(long seed, int rounds) {
    return new Scale(new Race(5, rounds), 40, 100_000, seed);
  }

  static Scale quick(long seed) {
    return new Scale(new Race(1, 3), 10, 2_000, seed);
  }
}
