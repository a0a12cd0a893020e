package dev.queenmq.server.postgres;

import io.vertx.core.Future;
import io.vertx.pgclient.PgException;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;

/**
 * What a connection has reached: whether that server takes writes, and which one it is.
 *
 * @param standby whether it follows another server
 * @param readOnly whether its transactions are read-only, for whatever reason
 * @param identity of the server
 */
record ServerState(boolean standby, boolean readOnly, Identity identity) {

  /**
   * Which server it is, as far as an ordinary role may ask. Two connections with the same identity
   * see one history of commits. A restart changes it as well, which costs a little and is safe: the
   * data may have been restored from a backup meanwhile.
   *
   * @param startedAt when its first process was started, to the microsecond
   * @param timeline grows with each promotion; empty where the server does not show it
   */
  record Identity(String startedAt, String timeline) {}

  /*
   * pg_control_checkpoint() returns the timeline of the last checkpoint, which comes some time after
   * a promotion. The name of the current file of the log shows it at once, to any role. It cannot
   * be asked for on a standby, whose timeline does not matter here.
   */
  private static final String TIMELINE =
      "case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_lsn()), 8)"
          + " end";

  private static final String ASK =
      "select pg_is_in_recovery() as standby,"
          + " current_setting('transaction_read_only')::boolean as read_only,"
          + " extract(epoch from pg_postmaster_start_time())::text as started_at, %s as timeline";

  private static final String ASK_ALL = ASK.formatted(TIMELINE);

  /** Some managed servers do not have those functions, or do not let every role call them. */
  private static final String ASK_LESS = ASK.formatted("''");

  static Future<ServerState> of(SqlConnection connection) {
    return connection
        .query(ASK_ALL)
        .execute()
        .recover(
            failure ->
                failure instanceof PgException refused
                        && !SqlStates.isUnavailable(SqlStates.of(refused))
                    ? connection.query(ASK_LESS).execute()
                    : Future.failedFuture(failure))
        .map(
            rows -> {
              Row row = rows.iterator().next();
              return new ServerState(
                  row.getBoolean("standby"),
                  row.getBoolean("read_only"),
                  new Identity(row.getString("started_at"), row.getString("timeline")));
            });
  }

  boolean takesWrites() {
    return !standby && !readOnly;
  }

  /** Why it takes no writes, for people. */
  String describe() {
    return standby ? "is a standby" : "is read-only";
  }
}
