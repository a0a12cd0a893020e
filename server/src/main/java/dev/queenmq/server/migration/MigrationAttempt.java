package dev.queenmq.server.migration;

import io.vertx.core.Future;
import io.vertx.sqlclient.SqlConnection;
import java.util.List;

/**
 * One connection's worth of work: applies transaction after transaction until nothing is left. Used
 * by one context only.
 *
 * <p>Each transaction is planned again under the lock, so it makes no difference whether another
 * broker did it meanwhile, or an earlier attempt died half-way.
 */
final class MigrationAttempt {

  private final MigrationScripts scripts;
  private final MigrationSettings settings;
  private final SqlConnection connection;
  private final List<MigrationStep> applied;
  private String doing = "reading the history";
  private String sql = "";

  /**
   * @param applied collects what was committed, also when the attempt fails later
   */
  MigrationAttempt(
      MigrationScripts scripts,
      MigrationSettings settings,
      SqlConnection connection,
      List<MigrationStep> applied) {
    this.scripts = scripts;
    this.settings = settings;
    this.connection = connection;
    this.applied = applied;
  }

  /**
   * Completes with the names of newer migrations once nothing is pending, or fails with a {@link
   * MigrationException}.
   */
  Future<List<String>> run() {
    // Without a lock first: a broker that has nothing to do must not wait for one that has.
    return ServerVersion.check(connection)
        .compose(ok -> HistoryTables.read(connection))
        .map(history -> MigrationPlan.between(scripts, history))
        .compose(
            plan -> plan.pending().isEmpty() ? Future.succeededFuture(plan.newer()) : applyAll())
        .recover(failure -> Future.failedFuture(MigrationFailure.describe(doing, sql, failure)));
  }

  private Future<List<String>> applyAll() {
    doing = "waiting for another broker that migrates";
    sql = "";
    return new MigrationTransaction(connection, settings)
        .run(this::applyNext)
        .compose(
            plan -> {
              if (plan.pending().isEmpty()) {
                return Future.succeededFuture(plan.newer());
              }
              applied.addAll(plan.next());
              return applyAll();
            });
  }

  /** Applies the next pending steps, and completes with the plan as it was before. */
  private Future<MigrationPlan> applyNext() {
    return HistoryTables.exist(connection)
        .compose(exist -> exist ? Future.succeededFuture() : HistoryTables.create(connection))
        .compose(ready -> HistoryTables.read(connection))
        .map(history -> MigrationPlan.between(scripts, history))
        .compose(
            plan -> {
              Future<Void> all = Future.succeededFuture();
              for (MigrationStep step : plan.next()) {
                all = all.compose(before -> apply(step));
              }
              return all.compose(done -> HistoryTables.record(connection, plan.next())).map(plan);
            });
  }

  private Future<Void> apply(MigrationStep step) {
    doing = step.describe();
    sql = step.file().sql();
    return connection.query(sql).execute().mapEmpty();
  }
}
