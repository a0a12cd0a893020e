package dev.queenmq.server.store.call;

/**
 * Limits of the store.
 *
 * @param shard the first part of every hot key; one value unless the tables are distributed
 * @param segmentMessages messages that a segment holds at most
 * @param segmentBytes characters of payload after which a segment is closed
 * @param recallLimit ids that a push compares under the partition's lock; more are read into memory
 *     before
 * @param rememberedPartitions partitions of which the id and recent transaction ids are kept
 * @param rememberedIds transaction ids that are kept in all
 * @param recentBytes memory for messages that were pushed last: see {@code RecentMessages}
 * @param plainStatements whether the usual calls may be plain statements. Only on connections where
 *     they have one plan (see {@code ConnectOptions.forStore}); elsewhere all is done by procedures
 */
public record StoreOptions(
    short shard,
    int segmentMessages,
    int segmentBytes,
    int recallLimit,
    int rememberedPartitions,
    long rememberedIds,
    long recentBytes,
    boolean plainStatements) {

  /** Memory that a remembered transaction id takes, in a table at its usual load. */
  private static final int BYTES_PER_ID = 16;

  /** Some hundred partitions with a few messages each. */
  private static final long RECENT_BYTES = 4L << 20;

  /** Defaults: ids may take about a quarter of the heap. */
  public static StoreOptions defaults() {
    long ids = Runtime.getRuntime().maxMemory() / 4 / BYTES_PER_ID;
    return new StoreOptions((short) 0, 256, 128 * 1024, 20_000, 500_000, ids, RECENT_BYTES, true);
  }

  /** The same, with procedures alone. */
  public StoreOptions withoutPlainStatements() {
    return new StoreOptions(
        shard,
        segmentMessages,
        segmentBytes,
        recallLimit,
        rememberedPartitions,
        rememberedIds,
        recentBytes,
        false);
  }
}
