package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.PostgresOptions;
import dev.queenmq.bench.Statistics;
import dev.queenmq.bench.StoreConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a plain table of one row per message takes in on this machine, now: the unit in which a
 * broker's rates are reported.
 */
public final class RowRate {
  private static final int MESSAGES = 1000;
  private static final int PARTITIONS = 10;
  private static final int COMMITS = 20;
  private static final Race ROUND = new Race(0, 1);

  private RowRate() {}

  /** Messages per second over one connection, on a PostgreSQL that goes away; takes this long. */
  public static double measure(PostgresOptions options, Duration length) {
    try (BenchPostgres postgres = BenchPostgres.start(options, Map.of())) {
      BenchDatabase database = postgres.createDatabase("row_rate");
      database.query("create schema bench");
      RowTable table = new RowTable("bench.rows");
      database.query(table.create());
      BatchMaker maker = new BatchMaker("rows", 1);
      try (StoreConnection connection = StoreConnection.open(database)) {
        Contender push = Contender.rowPush(connection, table);
        List<Double> rates = new ArrayList<>();
        long end = System.nanoTime() + length.toNanos();
        while (rates.size() < 2 || System.nanoTime() < end) {
          List<Batch> work =
              Stream.generate(() -> maker.dense(PARTITIONS, MESSAGES / PARTITIONS))
                  .limit(COMMITS)
                  .toList();
          rates.addAll(ROUND.run(List.of(push), () -> work, MESSAGES).get(0).rates());
        }
        // The first round warms up.
        return Statistics.median(rates.subList(1, rates.size()));
      }
    }
  }
}
