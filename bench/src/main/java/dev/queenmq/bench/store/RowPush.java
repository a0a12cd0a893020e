package dev.queenmq.bench.store;

import dev.queenmq.bench.StoreConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.sqlclient.Tuple;
import java.util.IdentityHashMap;
import java.util.List;

/** One row per message, all rows of a commit in one INSERT. The arrays are made off the clock. */
final class RowPush implements Contender<Batch> {
  private final StoreConnection on;
  private final RowTable table;
  private final IdentityHashMap<Batch, Tuple> ready = new IdentityHashMap<>();

  RowPush(StoreConnection on, RowTable table) {
    this.on = on;
    this.table = table;
  }

  @Override
  public String name() {
    return "row per message";
  }

  @Override
  public Context context() {
    return on.context();
  }

  @Override
  public void prepare(List<Batch> work) {
    ready.clear();
    work.forEach(batch -> ready.put(batch, RowTable.arguments(batch)));
  }

  @Override
  public Future<Void> run(Batch batch) {
    Tuple arguments = ready.get(batch);
    if (arguments == null) {
      throw new IllegalStateException("not prepared");
    }
    return on.connection()
        .preparedQuery(table.insert())
        .execute(arguments)
        .map(
            rows -> {
              if (rows.rowCount() != batch.messages().size()) {
                throw new IllegalStateException("stored only " + rows.rowCount());
              }
              return null;
            });
  }
}
