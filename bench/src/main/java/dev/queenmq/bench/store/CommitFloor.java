package dev.queenmq.bench.store;

import dev.queenmq.bench.StoreConnection;
import io.vertx.core.Context;
import io.vertx.core.Future;

/**
 * What so many round trips cost that change one row and commit: the disk, the network and the
 * driver, without any queue. Nothing that commits is faster.
 */
record CommitFloor(StoreConnection on, int commits) implements Contender<Batch> {
  static final String TABLE =
      "create table if not exists bench.floor (n bigint not null);"
          + " insert into bench.floor select 0 where not exists (select from bench.floor)";
  private static final String SQL = "update bench.floor set n = n + 1";

  @Override
  public String name() {
    return commits == 1 ? "floor: one bare commit" : "floor: " + commits + " bare commits";
  }

  @Override
  public Context context() {
    return on.context();
  }

  @Override
  public Future<Void> run(Batch piece) {
    return commit(commits);
  }

  private Future<Void> commit(int left) {
    return left == 0
        ? Future.succeededFuture()
        : on.connection().preparedQuery(SQL).execute().compose(done -> commit(left - 1));
  }
}
