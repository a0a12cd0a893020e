package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.StoreConnection;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What a push costs, beside the least it could and beside a row per message. */
final class PushBench {
  private static final int MESSAGES = 1000;

  private final BenchDatabase database;
  private final Scale scale;
  private final Report report;

  PushBench(BenchDatabase database, Scale scale, Report report) {
    this.database = database;
    this.scale = scale;
    this.report = report;
  }

  /** 1000 messages a commit over 10 partitions. */
  void dense() {
    report.heading("Push, 1000 messages a commit over 10 partitions");
    RowTable rows = new RowTable("bench.rows_dense");
    database.query(rows.create());
    database.query(BareInsert.TABLE);
    database.query(CommitFloor.TABLE);
    BatchMaker maker = new BatchMaker("dense", scale.seed());
    try (StoreConnection queen = StoreConnection.open(database);
        StoreConnection bare = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Series> series =
          scale
              .race()
              .run(
                  List.of(
                      new QueenPush(queen),
                      new BareInsert(bare, 10),
                      new RowPush(row, rows),
                      new CommitFloor(row, 1)),
                  round(() -> maker.dense(10, MESSAGES / 10)),
                  MESSAGES);
      report.series(series);
      report.atLeast(0.6, series.get(0), series.get(1));
      report.atLeast(4, series.get(0), series.get(2));
    }
  }

  /** 1000 messages a commit over 1000 partitions out of many. */
  void sparse() {
    report.heading(
        "Push, 1000 messages a commit over 1000 partitions out of " + scale.sparsePartitions());
    RowTable rows = new RowTable("bench.rows_sparse");
    database.query(rows.create());
    BatchMaker maker = new BatchMaker("sparse", scale.seed());
    try (StoreConnection queen = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Contender<Batch>> contenders = List.of(new QueenPush(queen), new RowPush(row, rows));
      for (int first = 0; first < scale.sparsePartitions(); first += MESSAGES) {
        Batch seeds = maker.over(IntStream.range(first, first + MESSAGES).toArray(), 1);
        contenders.forEach(
            contender -> {
              contender.prepare(List.of(seeds));
              Race.untimed(contender, List.of(seeds));
            });
      }
      database.query("vacuum analyze");
      List<Series> series =
          scale
              .race()
              .run(
                  contenders,
                  round(() -> maker.sparse(MESSAGES, scale.sparsePartitions())),
                  MESSAGES);
      report.series(series);
      report.atLeast(1.5, series.get(0), series.get(1));
    }
  }

  private Supplier<List<Batch>> round(Supplier<Batch> batch) {
    return () -> Stream.generate(batch).limit(scale.commits()).toList();
  }
}
