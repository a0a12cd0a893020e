package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Leases rows with FOR UPDATE SKIP LOCKED and deletes them when they are done. */
final class RowPopAck implements Contender<Batch> {
  private final StoreConnection on;
  private final RowTable table;
  private final int batch;

  RowPopAck(StoreConnection on, RowTable table, int batch) {
    this.on = on;
    this.table = table;
    this.batch = batch;
  }

  @Override
  public String name() {
    return "rows, skip locked + delete";
  }

  @Override
  public Context context() {
    return on.context();
  }

  @Override
  public void prepare(List<Batch> work) {
    for (Batch piece : Batch.joined(work, PopAckBench.PER_COMMIT)) {
      Blocking.get(
          on.connection().preparedQuery(table.insert()).execute(RowTable.arguments(piece)));
    }
  }

  @Override
  public Future<Void> run(Batch piece) {
    return on.connection()
        .preparedQuery(table.pop())
        .execute(Tuple.of(batch))
        .compose(this::acknowledge);
  }

  private Future<Void> acknowledge(RowSet<Row> rows) {
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
    return on.connection()
        .preparedQuery(table.ack())
        .execute(Tuple.tuple().addArrayOfLong(ids))
        .map(
            deleted -> {
              if (deleted.rowCount() != batch) {
                throw new IllegalStateException("deleted only " + deleted.rowCount());
              }
              return null;
            });
  }
}
