package dev.queenmq.bench.store;

/**
 * How much a run does.
 *
 * @param commits pushes per round and contender
 * @param pops pops and acks per round and contender; all of them wait when the first is popped
 * @param sparsePartitions how many partitions are many
 * @param storedMessages how many messages are many
 * @param spaceMessages how many messages go through to see what they leave behind
 */
record Scale(
    Race race,
    int commits,
    int pops,
    int sparsePartitions,
    long storedMessages,
    long spaceMessages,
    long seed) {

  static Scale full(long seed, int rounds, long storedMessages) {
    return new Scale(new Race(10, rounds), 200, 400, 100_000, storedMessages, 1_000_000, seed);
  }

  static Scale quick(long seed) {
    return new Scale(new Race(1, 1), 2, 10, 1_000, 10_000, 2_000, seed);
  }
}
