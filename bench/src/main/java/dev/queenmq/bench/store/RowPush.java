package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Tuple;
import java.util.IdentityHashMap;
import java.util.List;

/** One row per message, all rows of a commit in one INSERT. The arrays are made off the clock. */
final class RowPush implements Contender<Batch> {
  private final PgConnection connection;
  private final RowTable table;
  private final IdentityHashMap<Batch, Tuple> ready = new IdentityHashMap<>();

  RowPush(PgConnection connection, RowTable table) {
    this.connection = connection;
    this.table = table;
  }

  @Override
  public String name() {
    return "row per message";
  }

  @Override
  public void prepare(List<Batch> work) {
    ready.clear();
    work.forEach(batch -> ready.put(batch, RowTable.arguments(batch)));
  }

  @Override
  public void run(Batch batch) {
    Tuple arguments = ready.get(batch);
    if (arguments == null) {
      throw new IllegalStateException("not prepared");
    }
    int stored =
        Blocking.get(connection.preparedQuery(table.insert()).execute(arguments)).rowCount();
    if (stored != batch.messages().size()) {
      throw new IllegalStateException("stored only " + stored);
    }
  }
}
