package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Leases rows with FOR UPDATE SKIP LOCKED and deletes them when they are done. */
final class RowPopAck implements Contender<Batch> {
  private final PgConnection connection;
  private final RowTable table;
  private final int batch;

  RowPopAck(PgConnection connection, RowTable table, int batch) {
    this.connection = connection;
    this.table = table;
    this.batch = batch;
  }

  @Override
  public String name() {
    return "rows, skip locked + delete";
  }

  @Override
  public void prepare(List<Batch> work) {
    for (Batch piece : Batch.joined(work, PopAckBench.PER_COMMIT)) {
      Blocking.get(connection.preparedQuery(table.insert()).execute(RowTable.arguments(piece)));
    }
  }

  @Override
  public void run(Batch piece) {
    RowSet<Row> rows = Blocking.get(connection.preparedQuery(table.pop()).execute(Tuple.of(batch)));
    Long[] ids = new Long[rows.size()];
    int next = 0;
    for (Row row : rows) {
      ids[next++] = row.getLong(0);
      row.getUUID(1);
      row.getUUID(2);
      row.getString(3);
      row.getString(4);
      row.getOffsetDateTime(5);
    }
    int deleted =
        Blocking.get(
                connection.preparedQuery(table.ack()).execute(Tuple.tuple().addArrayOfLong(ids)))
            .rowCount();
    if (deleted != batch) {
      throw new IllegalStateException("deleted only " + deleted);
    }
  }
}
