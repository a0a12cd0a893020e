package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.List;

/** Leases rows with FOR UPDATE SKIP LOCKED and deletes them when they are done. */
final class RowPopAck extends Contender {
  private final RowTable table;
  private final int batch;

  RowPopAck(StoreConnection on, RowTable table, int batch) {
    super("rows, skip locked + delete", on);
    this.table = table;
    this.batch = batch;
  }

  @Override
  void prepare(List<Batch> work) {
    Batch.joined(work, Races.PER_COMMIT)
        .forEach(piece -> Blocking.get(execute(table.insert(), RowTable.arguments(piece))));
  }

  @Override
  Future<Void> run(Batch piece) {
    return execute(table.pop(), Tuple.of(batch)).compose(this::acknowledge);
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
    return execute(table.ack(), Tuple.tuple().addArrayOfLong(ids))
        .map(
            deleted -> {
              changed(deleted, batch);
              return null;
            });
  }
}
