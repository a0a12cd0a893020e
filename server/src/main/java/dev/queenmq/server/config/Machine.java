package dev.queenmq.server.config;

/** What some defaults depend on. */
record Machine(int cores, long heapBytes) {

  private static final int MOST_WORKERS = 8;
  private static final int FEWEST_SLOTS = 4;
  private static final int MOST_SLOTS = 32;
  private static final long MOST_PENDING_BYTES = 256L << 20;

  static Machine current() {
    Runtime runtime = Runtime.getRuntime();
    return new Machine(runtime.availableProcessors(), runtime.maxMemory());
  }

  int workers() {
    return Math.max(1, Math.min(cores, MOST_WORKERS));
  }

  static int slots(int workers) {
    return Math.min(MOST_SLOTS, Math.max(FEWEST_SLOTS, 2 * workers));
  }

  long pendingBytes() {
    return Math.min(MOST_PENDING_BYTES, heapBytes / 4);
  }
}
