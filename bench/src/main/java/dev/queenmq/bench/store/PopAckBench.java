package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.StoreConnection;
import java.util.List;
import java.util.stream.IntStream;

/** What a pop of 100 messages and their ack cost, beside a table of rows. */
final class PopAckBench {
  private static final int BATCH = 100;

  /** So many batches, one for each partition, are stored by one commit. */
  static final int PER_COMMIT = 10;

  private final BenchDatabase database;
  private final Scale scale;
  private final Report report;

  PopAckBench(BenchDatabase database, Scale scale, Report report) {
    this.database = database;
    this.scale = scale;
    this.report = report;
  }

  void run() {
    report.heading("Pop and ack of 100 messages: two round trips");
    RowTable rows = new RowTable("bench.rows_pop");
    database.query(rows.create());
    database.query(CommitFloor.TABLE);
    BatchMaker maker = new BatchMaker("pop", scale.seed());
    try (StoreConnection byTransaction = StoreConnection.open(database);
        StoreConnection byOffset = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Series> series =
          scale
              .race()
              .run(
                  List.of(
                      new QueenPopAck(byTransaction, "pop1", QueenPopAck.By.TRANSACTION_ID, BATCH),
                      new QueenPopAck(byOffset, "pop2", QueenPopAck.By.OFFSET, BATCH),
                      new RowPopAck(row, rows, BATCH),
                      new CommitFloor(row, 2)),
                  () -> pieces(maker),
                  BATCH);
      report.series(series);
      report.atLeast(5, series.get(0), series.get(2));
      report.atLeast(5, series.get(1), series.get(2));
    }
  }

  /** What one pop will find in one of ten partitions; ten such are stored by one commit. */
  private List<Batch> pieces(BatchMaker maker) {
    return IntStream.range(0, scale.pops() / PER_COMMIT * PER_COMMIT)
        .mapToObj(i -> maker.over(new int[] {i % PER_COMMIT}, BATCH))
        .toList();
  }
}
