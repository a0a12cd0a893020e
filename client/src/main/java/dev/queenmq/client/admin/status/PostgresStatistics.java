package dev.queenmq.client.admin.status;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What PostgreSQL says of itself and of the broker's tables.
 *
 * @param database its name
 * @param timestamp when it was asked
 * @param databaseCache reads of the database
 * @param cacheSummary reads of all tables and indexes
 * @param tableCache reads by table
 * @param indexCache reads by index
 * @param deadTuples rows that vacuum has not removed yet, by table
 * @param hotUpdates updates that changed no index, by table
 * @param autovacuumStatus when vacuum ran, by table
 * @param tableSizes by table, the largest first
 * @param activeQueries statements under way
 * @param bufferConfig memory for buffers
 */
public record PostgresStatistics(
    String database,
    Instant timestamp,
    DatabaseCache databaseCache,
    CacheSummary cacheSummary,
    List<TableCache> tableCache,
    List<IndexCache> indexCache,
    List<DeadTuples> deadTuples,
    List<HotUpdates> hotUpdates,
    List<Autovacuum> autovacuumStatus,
    List<TableSize> tableSizes,
    List<ActiveQuery> activeQueries,
    BufferConfig bufferConfig) {

  /**
   * Reads of the database.
   *
   * @param database its name
   * @param diskReads blocks that were not in memory
   * @param cacheHits blocks that were
   * @param cacheHitRatio percent; null without reads
   */
  public record DatabaseCache(
      String database, long diskReads, long cacheHits, @Nullable Double cacheHitRatio) {}

  /**
   * Reads of all tables and indexes.
   *
   * @param tables all together
   * @param indexes all together
   */
  public record CacheSummary(Reads tables, Reads indexes) {}

  /**
   * Reads.
   *
   * @param diskReads blocks that were not in memory
   * @param cacheHits blocks that were
   * @param hitRatio percent; null without reads
   */
  public record Reads(long diskReads, long cacheHits, @Nullable Double hitRatio) {}

  /**
   * Reads of a table.
   *
   * @param schema of the table
   * @param table its name
   * @param diskReads blocks that were not in memory
   * @param cacheHits blocks that were
   * @param cacheHitRatio percent; null without reads
   */
  public record TableCache(
      String schema,
      String table,
      long diskReads,
      long cacheHits,
      @Nullable Double cacheHitRatio) {}

  /**
   * Reads of an index.
   *
   * @param schema of the index
   * @param table of the index
   * @param index its name
   * @param diskReads blocks that were not in memory
   * @param cacheHits blocks that were
   * @param cacheHitRatio percent; null without reads
   */
  public record IndexCache(
      String schema,
      String table,
      String index,
      long diskReads,
      long cacheHits,
      @Nullable Double cacheHitRatio) {}

  /**
   * Rows of a table that vacuum has not removed yet.
   *
   * @param schema of the table
   * @param table its name
   * @param deadTuples how many there are
   * @param liveTuples how many others there are
   * @param deadPercentage of all
   * @param lastVacuum by hand
   * @param lastAutovacuum by PostgreSQL
   */
  public record DeadTuples(
      String schema,
      String table,
      long deadTuples,
      long liveTuples,
      double deadPercentage,
      @Nullable Instant lastVacuum,
      @Nullable Instant lastAutovacuum) {}

  /**
   * Updates of a table.
   *
   * @param schema of the table
   * @param table its name
   * @param totalUpdates how many there were
   * @param hotUpdates how many of these changed no index
   * @param hotUpdatePercentage of all
   */
  public record HotUpdates(
      String schema,
      String table,
      long totalUpdates,
      long hotUpdates,
      double hotUpdatePercentage) {}

  /**
   * Vacuum of a table.
   *
   * @param table its name
   * @param lastAutovacuum when it last ran
   * @param deadTuples rows that it would remove
   * @param autovacuumCount how often it ran
   * @param autoanalyzeCount how often statistics were made
   */
  public record Autovacuum(
      String table,
      @Nullable Instant lastAutovacuum,
      long deadTuples,
      long autovacuumCount,
      long autoanalyzeCount) {}

  /**
   * The size of a table.
   *
   * @param table its name
   * @param totalSize for people
   * @param totalSizeBytes in bytes
   * @param tableSize for people, without indexes
   * @param tableSizeBytes in bytes, without indexes
   * @param indexSize for people, of its indexes
   * @param indexSizeBytes in bytes, of its indexes
   */
  public record TableSize(
      String table,
      String totalSize,
      long totalSizeBytes,
      String tableSize,
      long tableSizeBytes,
      String indexSize,
      long indexSizeBytes) {}

  /**
   * A statement under way.
   *
   * @param pid of the process that works on it
   * @param duration in seconds
   * @param state of the session
   * @param query the first 200 characters
   * @param waitEventType what kind of thing it waits for
   * @param waitEvent what it waits for
   */
  public record ActiveQuery(
      int pid,
      @Nullable Double duration,
      String state,
      String query,
      @Nullable String waitEventType,
      @Nullable String waitEvent) {}

  /**
   * Memory for buffers.
   *
   * @param sharedBuffers as configured
   * @param sharedBuffersSize for people
   */
  public record BufferConfig(String sharedBuffers, String sharedBuffersSize) {}
}
