package dev.queenmq.bench.store;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.util.IdentityHashMap;
import java.util.List;

/** One way to do the work that is compared, on a connection; a piece of the work is a batch. */
abstract class Contender {
  private final String name;
  private final StoreConnection on;

  Contender(String name, StoreConnection on) {
    this.name = name;
    this.on = on;
  }

  final String name() {
    return name;
  }

  /** Its event loop is where {@link #run} is called. */
  final StoreConnection on() {
    return on;
  }

  /** Gets ready for this work, off the clock; called on a thread that may wait. */
  void prepare(List<Batch> work) {}

  /** Does one piece, on the clock; done when it is committed. */
  abstract Future<Void> run(Batch piece);

  final Future<RowSet<Row>> execute(String sql, Tuple arguments) {
    return on.connection().preparedQuery(sql).execute(arguments);
  }

  /** This many rows must have changed. */
  static void changed(RowSet<Row> rows, int expected) {
    if (rows.rowCount() != expected) {
      throw new IllegalStateException("changed only " + rows.rowCount());
    }
  }

  /** The store's push: everything from records to records is on the clock. */
  static Contender queenPush(StoreConnection on) {
    return new Contender("queen push", on) {
      @Override
      Future<Void> run(Batch batch) {
        return on.store()
            .push(batch.messages())
            .map(
                outcomes -> {
                  queued(outcomes);
                  return null;
                });
      }
    };
  }

  /** All of them must be stored. */
  static void queued(List<PushOutcome> outcomes) {
    for (PushOutcome outcome : outcomes) {
      if (!(outcome instanceof PushOutcome.Queued)) {
        throw new IllegalStateException("not queued: " + outcome);
      }
    }
  }

  /** One row per message, all rows of a commit in one INSERT. */
  static Contender rowPush(StoreConnection on, RowTable table) {
    return new Prepared("row per message", on, table.insert()) {
      @Override
      Tuple arguments(Batch batch) {
        return RowTable.arguments(batch);
      }

      @Override
      void check(RowSet<Row> rows, Batch batch) {
        changed(rows, batch.messages().size());
      }
    };
  }

  /**
   * What this many round trips cost that change one row and commit: the disk, the network and the
   * driver, without any queue. Nothing that commits is faster.
   */
  static Contender floor(StoreConnection on, int commits) {
    String name = commits == 1 ? "floor: one bare commit" : "floor: " + commits + " bare commits";
    return new Contender(name, on) {
      @Override
      Future<Void> run(Batch piece) {
        return commit(commits);
      }

      private Future<Void> commit(int left) {
        return left == 0
            ? Future.succeededFuture()
            : execute("update bench.floor set n = n + 1", Tuple.tuple())
                .compose(done -> commit(left - 1));
      }
    };
  }

  /** One that runs a statement whose arguments are made off the clock. */
  abstract static class Prepared extends Contender {
    private final String sql;
    private final IdentityHashMap<Batch, Tuple> ready = new IdentityHashMap<>();

    Prepared(String name, StoreConnection on, String sql) {
      super(name, on);
      this.sql = sql;
    }

    abstract Tuple arguments(Batch batch);

    abstract void check(RowSet<Row> rows, Batch batch);

    @Override
    final void prepare(List<Batch> work) {
      ready.clear();
      work.forEach(batch -> ready.put(batch, arguments(batch)));
    }

    @Override
    final Future<Void> run(Batch batch) {
      Tuple arguments = ready.get(batch);
      if (arguments == null) {
        throw new IllegalStateException("not prepared");
      }
      return execute(sql, arguments)
          .map(
              rows -> {
                check(rows, batch);
                return null;
              });
    }
  }
}
