package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.StoreConnection;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.stream.IntStream;

/** What a million messages leave behind, pushed, popped and acked, beside a table of rows. */
final class SpaceBench {
  private static final int BATCH = 100;
  private static final String TABLES =
      "'queen.partitions'::regclass, 'queen.segments'::regclass, 'queen.cursors'::regclass,"
          + " 'queen.leases'::regclass, 'queen.tail'::regclass, 'bench.rows_space'::regclass";

  private final BenchPostgres postgres;
  private final Scale scale;
  private final Report report;

  SpaceBench(BenchPostgres postgres, Scale scale, Report report) {
    this.postgres = postgres;
    this.scale = scale;
    this.report = report;
  }

  void run() {
    long messages = scale.spaceMessages();
    report.heading(messages + " messages pushed, popped in hundreds and acked");
    BenchDatabase database = postgres.createDatabase("space");
    database.query("create schema bench");
    RowTable rows = new RowTable("bench.rows_space");
    database.query(rows.create());
    BatchMaker maker = new BatchMaker("space", scale.seed());
    try (StoreConnection queen = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Contender<Batch>> contenders =
          List.of(
              new QueenPopAck(queen, "space", QueenPopAck.By.TRANSACTION_ID, BATCH),
              new RowPopAck(row, rows, BATCH));
      // A backlog of a tenth stands all the time, as in a queue whose consumers are a bit behind.
      int tenth = (int) (messages / 10 / BATCH);
      contenders.forEach(contender -> contender.prepare(pieces(maker, tenth)));
      for (int part = 1; part < 10; part++) {
        List<Batch> pieces = pieces(maker, tenth);
        contenders.forEach(contender -> contender.prepare(pieces));
        contenders.forEach(contender -> Race.untimed(contender, pieces));
      }
      List<Batch> last = pieces(maker, tenth);
      contenders.forEach(contender -> Race.untimed(contender, last));
    }
    print(database, messages);
  }

  private static List<Batch> pieces(BatchMaker maker, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> maker.over(new int[] {i % PopAckBench.PER_COMMIT}, BATCH))
        .toList();
  }

  private void print(BenchDatabase database, long messages) {
    report.line(
        "  %-18s %10s %10s %10s %10s %8s %12s %12s",
        "table", "inserted", "updated", "HOT", "dead now", "vacuums", "bytes", "bytes/msg");
    for (Row row :
        database.query(
            "select s.schemaname || '.' || s.relname, s.n_tup_ins, s.n_tup_upd, s.n_tup_hot_upd,"
                + " s.n_dead_tup, s.autovacuum_count + s.vacuum_count,"
                + " pg_total_relation_size(s.relid) from pg_stat_user_tables s"
                + " where s.relid in ("
                + TABLES
                + ") order by 1 desc")) {
      report.line(
          "  %-18s %10d %10d %10d %10d %8d %12d %12.1f",
          row.getString(0),
          row.getLong(1),
          row.getLong(2),
          row.getLong(3),
          row.getLong(4),
          row.getLong(5),
          row.getLong(6),
          row.getLong(6) / (double) messages);
    }
    report.line(
        "  The segments still hold all messages, until retention; the rows are deleted, what is"
            + " left of them is bloat.");
  }
}
