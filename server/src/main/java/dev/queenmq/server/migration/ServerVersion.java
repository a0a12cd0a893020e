package dev.queenmq.server.migration;

import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlClient;

/** The floor under us: the oldest PostgreSQL that has what the procedures need. */
final class ServerVersion {

  private static final int MINIMUM = 140_000;

  private ServerVersion() {}

  /** Fails when the server is older than PostgreSQL 14. */
  static Future<Void> check(SqlClient connection) {
    return connection
        .query(
            "select current_setting('server_version_num')::int, current_setting('server_version')")
        .execute()
        .compose(
            rows -> {
              Row row = rows.iterator().next();
              return row.getInteger(0) >= MINIMUM
                  ? Future.succeededFuture()
                  : Future.failedFuture(tooOld(row.getString(1)));
            });
  }

  private static MigrationException tooOld(String version) {
    return new MigrationException(
        "this is PostgreSQL " + version + ", but Queen MQ needs PostgreSQL 14 or newer");
  }
}
