package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts how the tables are read by calls of each kind.
 *
 * @param calls how many of each kind
 */
record ScanCounter(BenchDatabase database, int partitions, int calls) {
  private static final String FLUSH = "select pg_stat_force_next_flush()";

  Map<String, ScanCounts> run() {
    StoreConnection connection = StoreConnection.open(database);
    Map<String, ScanCounts> sums = new LinkedHashMap<>();
    try (HotCalls hot = new HotCalls(connection, partitions, 1)) {
      hot.fill(2);
      database.query("vacuum analyze");
      List<Map.Entry<String, Runnable>> kinds = new ArrayList<>(hot.calls().entrySet());
      kinds.forEach(kind -> kind.getValue().run());
      flush(connection);
      ScanCounts before = ScanCounts.of(connection);
      for (int i = 0; i < calls; i++) {
        for (Map.Entry<String, Runnable> kind : kinds) {
          kind.getValue().run();
          flush(connection);
          ScanCounts after = ScanCounts.of(connection);
          sums.merge(kind.getKey(), after.minus(before), ScanCounts::plus);
          before = after;
        }
      }
    }
    return sums;
  }

  private static void flush(StoreConnection connection) {
    Blocking.get(connection.connection().query(FLUSH).execute());
  }
}
