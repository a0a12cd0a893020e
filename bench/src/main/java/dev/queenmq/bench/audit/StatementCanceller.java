package dev.queenmq.bench.audit;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.audit.ledger.Count;
import io.vertx.core.Future;
import java.util.Random;

/** Cancels the statements of others, and cuts their connections, at random. */
final class StatementCanceller extends Actor {
  private static final String SQL =
      "select %s(pid) from pg_stat_activity"
          + " where datname = current_database() and pid <> pg_backend_pid()"
          + " and application_name = 'queen' and state = 'active' order by random() limit 1";

  private final StoreFront front;
  private final Random random;

  StatementCanceller(AuditContext audit, StoreFront front, Random random) {
    super(audit, front, AuditContext.Phase.RUN);
    this.front = front;
    this.random = random;
  }

  @Override
  Future<Void> step() {
    boolean cut = random.nextInt(3) == 0;
    String sql = SQL.formatted(cut ? "pg_terminate_backend" : "pg_cancel_backend");
    return StoreConnection.connect(
            audit().loop().vertx(), audit().loop().context(), front.options())
        .compose(connection -> connection.query(sql).execute().eventually(connection::close))
        .onSuccess(
            rows -> {
              if (rows.size() > 0) {
                ledger().add(cut ? Count.TERMINATED : Count.CANCELLED);
              }
            })
        .transform(done -> pauseMillis(50 + random.nextInt(250)));
  }
}
