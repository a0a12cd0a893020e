package dev.queenmq.bench.store;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Report;
import dev.queenmq.bench.StoreConnection;
import io.vertx.sqlclient.Row;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the store costs beside the least it could cost, and beside a row per message: pushes, pops
 * with acks, and what a million messages leave behind.
 */
final class Races {
  /** How many batches, one for each partition, are stored by one commit before they are popped. */
  static final int PER_COMMIT = 10;

  private static final int PUSHED = 1000;
  private static final int POPPED = 100;
  private static final String FLOOR =
      "create table if not exists bench.floor (n bigint not null);"
          + " insert into bench.floor select 0 where not exists (select from bench.floor)";
  private static final String LEFT_BEHIND =
      """
      select s.schemaname || '.' || s.relname, s.n_tup_ins, s.n_tup_upd, s.n_tup_hot_upd,
        s.n_dead_tup, s.autovacuum_count + s.vacuum_count, pg_total_relation_size(s.relid)
      from pg_stat_user_tables s
      where s.relid in ('queen.partitions'::regclass, 'queen.segments'::regclass,
        'queen.cursors'::regclass, 'queen.leases'::regclass, 'queen.tail'::regclass,
        'bench.rows_space'::regclass)
      order by 1 desc\
      """;

  private final BenchDatabase database;
  private final Scale scale;
  private final Report report;

  Races(BenchDatabase database, Scale scale, Report report) {
    this.database = database;
    this.scale = scale;
    this.report = report;
  }

  private RowTable rows(String name) {
    RowTable rows = new RowTable("bench." + name);
    database.query(rows.create());
    return rows;
  }

  /** 1000 messages a commit over 10 partitions. */
  void dense() {
    report.heading("Push, 1000 messages a commit over 10 partitions");
    RowTable rows = rows("rows_dense");
    database.query(BareInsert.TABLE);
    database.query(FLOOR);
    BatchMaker maker = new BatchMaker("dense", scale.seed());
    try (StoreConnection queen = StoreConnection.open(database);
        StoreConnection bare = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Contender> contenders =
          List.of(
              Contender.queenPush(queen),
              new BareInsert(bare, 10),
              Contender.rowPush(row, rows),
              Contender.floor(row, 1));
      List<Series> series = push(contenders, () -> maker.dense(10, PUSHED / 10));
      series.get(0).atLeast(report, 0.6, series.get(1));
      series.get(0).atLeast(report, 4, series.get(2));
    }
  }

  /** 1000 messages a commit over 1000 partitions out of many. */
  void sparse() {
    int many = scale.sparsePartitions();
    report.heading("Push, 1000 messages a commit over 1000 partitions out of " + many);
    RowTable rows = rows("rows_sparse");
    BatchMaker maker = new BatchMaker("sparse", scale.seed());
    try (StoreConnection queen = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Contender> contenders =
          List.of(Contender.queenPush(queen), Contender.rowPush(row, rows));
      for (int first = 0; first < many; first += PUSHED) {
        Batch seeds = maker.over(IntStream.range(first, first + PUSHED).toArray(), 1);
        contenders.forEach(
            contender -> {
              contender.prepare(List.of(seeds));
              Race.untimed(contender, List.of(seeds));
            });
      }
      database.query("vacuum analyze");
      List<Series> series = push(contenders, () -> maker.sparse(PUSHED, many));
      series.get(0).atLeast(report, 1.5, series.get(1));
    }
  }

  private List<Series> push(List<Contender> contenders, Supplier<Batch> batch) {
    List<Series> series =
        scale
            .race()
            .run(contenders, () -> Stream.generate(batch).limit(scale.commits()).toList(), PUSHED);
    Series.print(report, series);
    return series;
  }

  /** What a pop of 100 messages and their ack cost. */
  void popAndAck() {
    report.heading("Pop and ack of 100 messages: two round trips");
    RowTable rows = rows("rows_pop");
    database.query(FLOOR);
    BatchMaker maker = new BatchMaker("pop", scale.seed());
    try (StoreConnection byTransaction = StoreConnection.open(database);
        StoreConnection byOffset = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Contender> contenders =
          List.of(
              QueenPopAck.byTransactionId(byTransaction, "pop1", POPPED),
              QueenPopAck.byOffset(byOffset, "pop2", POPPED),
              new RowPopAck(row, rows, POPPED),
              Contender.floor(row, 2));
      int pops = scale.pops() / PER_COMMIT * PER_COMMIT;
      List<Series> series = scale.race().run(contenders, () -> pieces(maker, pops), POPPED);
      Series.print(report, series);
      series.get(0).atLeast(report, 5, series.get(2));
      series.get(1).atLeast(report, 5, series.get(2));
    }
  }

  /** What pops will find in one of ten partitions each; ten such are stored by one commit. */
  private static List<Batch> pieces(BatchMaker maker, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> maker.over(new int[] {i % PER_COMMIT}, POPPED))
        .toList();
  }

  /** What messages leave behind that were pushed, popped and acked, in a database of their own. */
  static void space(BenchPostgres postgres, Scale scale, Report report) {
    BenchDatabase database = postgres.createDatabase("space");
    database.query("create schema bench");
    new Races(database, scale, report).space();
  }

  private void space() {
    long messages = scale.spaceMessages();
    report.heading(messages + " messages pushed, popped in hundreds and acked");
    RowTable rows = rows("rows_space");
    BatchMaker maker = new BatchMaker("space", scale.seed());
    try (StoreConnection queen = StoreConnection.open(database);
        StoreConnection row = StoreConnection.open(database)) {
      List<Contender> contenders =
          List.of(
              QueenPopAck.byTransactionId(queen, "space", POPPED),
              new RowPopAck(row, rows, POPPED));
      // A backlog of a tenth stands all the time, as in a queue whose consumers are a bit behind.
      int tenth = (int) (messages / 10 / POPPED);
      contenders.forEach(contender -> contender.prepare(pieces(maker, tenth)));
      for (int part = 1; part <= 10; part++) {
        List<Batch> pieces = pieces(maker, tenth);
        if (part < 10) {
          contenders.forEach(contender -> contender.prepare(pieces));
        }
        contenders.forEach(contender -> Race.untimed(contender, pieces));
      }
    }
    report.line(
        "  %-18s %10s %10s %10s %10s %8s %12s %12s",
        "table", "inserted", "updated", "HOT", "dead now", "vacuums", "bytes", "bytes/msg");
    for (Row row : database.query(LEFT_BEHIND)) {
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
