package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import io.vertx.sqlclient.Row;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How tables were read, as PostgreSQL counts it: what connections have reported so far.
 *
 * @param tables by name
 */
record ScanCounts(Map<String, Scans> tables) {

  private static final String QUESTION =
      "select relname, coalesce(seq_scan, 0), coalesce(idx_tup_fetch, 0)"
          + " from pg_stat_user_tables where schemaname = 'queen'"
          + " and relname not like 'schema%' order by 1";

  /** The reads of one table. */
  record Scans(long sequential, long indexTuples) {
    Scans plus(Scans more) {
      return new Scans(sequential + more.sequential, indexTuples + more.indexTuples);
    }

    Scans minus(Scans earlier) {
      return new Scans(sequential - earlier.sequential, indexTuples - earlier.indexTuples);
    }
  }

  /** As this connection sees them, which may be the one that is counted. */
  static ScanCounts of(StoreConnection connection) {
    Map<String, Scans> tables = new LinkedHashMap<>();
    for (Row row : Blocking.get(connection.connection().query(QUESTION).execute())) {
      tables.put(row.getString(0), new Scans(row.getLong(1), row.getLong(2)));
    }
    return new ScanCounts(tables);
  }

  ScanCounts plus(ScanCounts more) {
    Map<String, Scans> sum = new LinkedHashMap<>(tables);
    more.tables.forEach((table, scans) -> sum.merge(table, scans, Scans::plus));
    return new ScanCounts(sum);
  }

  ScanCounts minus(ScanCounts earlier) {
    Map<String, Scans> difference = new LinkedHashMap<>();
    tables.forEach(
        (table, scans) ->
            difference.put(
                table, scans.minus(earlier.tables.getOrDefault(table, new Scans(0, 0)))));
    return new ScanCounts(difference);
  }
}
