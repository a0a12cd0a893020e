package dev.queenmq.bench.audit;

import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.audit.Stage.Phase;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Cancels the statements of others, and cuts their connections, at random. */
final class Saboteur extends Worker {
  private static final String SQL =
      "select %s(pid) from pg_stat_activity"
          + " where datname = current_database() and pid <> pg_backend_pid()"
          + " and application_name = 'queen' and state = 'active' order by random() limit 1";

  private final RandomGenerator random;

  Saboteur(Stage stage, Context context, RandomGenerator random) {
    super(stage, context, Phase.RUN);
    this.random = random;
  }

  @Override
  Future<Void> step() {
    boolean cut = random.nextInt(3) == 0;
    String sql = SQL.formatted(cut ? "pg_terminate_backend" : "pg_cancel_backend");
    return StoreConnection.connect(stage().vertx(), context(), stage().options())
        .compose(connection -> connection.query(sql).execute().eventually(connection::close))
        .onSuccess(
            rows -> {
              if (rows.size() > 0) {
                stage().ledger().tally().add(cut ? Tally.Count.TERMINATED : Tally.Count.CANCELLED);
              }
            })
        .transform(done -> stage().pause(Duration.ofMillis(50 + random.nextInt(250))));
  }
}
