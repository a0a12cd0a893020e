package dev.queenmq.bench.store;

import dev.queenmq.bench.Blocking;
import io.vertx.pgclient.PgConnection;

/**
 * What so many round trips cost that change one row and commit: the disk, the network and the
 * driver, without any queue. Nothing that commits is faster.
 */
record CommitFloor(PgConnection connection, int commits) implements Contender<Batch> {
  static final String TABLE =
      "create table if not exists bench.floor (n bigint not null);"
          + " insert into bench.floor select 0 where not exists (select from bench.floor)";
  private static final String SQL = "update bench.floor set n = n + 1";

  @Override
  public String name() {
    return commits == 1 ? "floor: one bare commit" : "floor: " + commits + " bare commits";
  }

  @Override
  public void run(Batch piece) {
    for (int i = 0; i < commits; i++) {
      Blocking.get(connection.preparedQuery(SQL).execute());
    }
  }
}
