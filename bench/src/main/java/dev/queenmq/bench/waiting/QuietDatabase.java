package dev.queenmq.bench.waiting;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.EmbeddedDatabase;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnection;
import java.nio.file.Path;

/** The PostgreSQL of a broker, asked how much it has done; the asking itself hardly counts. */
final class QuietDatabase implements AutoCloseable {
  private final Vertx vertx = Vertx.vertx();
  private final PgConnection connection;

  QuietDatabase(Path dataFolder) {
    connection = EmbeddedDatabase.connect(vertx, dataFolder);
  }

  /** Transactions so far: every statement of a broker is one. */
  long transactions() {
    return Blocking.get(
        connection
            .query(
                "select sum(xact_commit + xact_rollback)::bigint from pg_stat_database"
                    + " where datname is not null")
            .execute()
            .map(rows -> rows.iterator().next().getLong(0)));
  }

  @Override
  public void close() {
    Blocking.get(connection.close());
    Blocking.get(vertx.close());
  }
}
