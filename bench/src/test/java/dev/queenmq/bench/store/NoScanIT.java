package dev.queenmq.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.BenchPostgresExtension;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BenchPostgresExtension.class)
class NoScanIT {
  private static final int CALLS = 100;
  private static final List<String> GROWING = List.of("segments", "partitions", "cursors", "tail");

  /** A call works on at most eleven partitions with a few messages in each. */
  private static final int ROWS_PER_CALL = 40;

  NoScanIT() {}

  @Test
  void hotCalls_neverScanWhatGrows(BenchPostgres postgres) {
    Map<String, ScanCounts> counted =
        new ScanCounter(postgres.createDatabase("no_scan"), 3000, CALLS).run();

    assertThat(counted)
        .containsOnlyKeys("push", "pop", "renew", "ack", "transaction", "tail")
        .allSatisfy((call, counts) -> GROWING.forEach(table -> assertBounded(counts, table)));
  }

  private static void assertBounded(ScanCounts counts, String table) {
    assertThat(counts.tables())
        .hasEntrySatisfying(
            table,
            scans -> {
              assertThat(scans.sequential()).as(table).isZero();
              assertThat(scans.indexTuples()).as(table).isLessThan((long) CALLS * ROWS_PER_CALL);
            });
  }
}
