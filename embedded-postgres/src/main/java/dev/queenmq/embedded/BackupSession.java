package dev.queenmq.embedded;

import dev.queenmq.embedded.EmbeddedPostgresException.Reason;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.Tuple;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The session of a backup. PostgreSQL ends the backup mode, and forgets what it kept for it, when
 * the session ends: so a backup that is killed leaves nothing behind. Blocks.
 */
final class BackupSession implements AutoCloseable {

  /** A checkpoint is part of the first statement. */
  private static final long LIMIT_MINUTES = 30;

  /** Before, these functions had other names. */
  private static final int OLDEST_VERSION = 150_000;

  private final Vertx vertx;
  private final PgConnection connection;

  private BackupSession(Vertx vertx, PgConnection connection) {
    this.vertx = vertx;
    this.connection = connection;
  }

  static BackupSession open(PostgresAddress address)
      throws EmbeddedPostgresException, InterruptedException {
    Vertx vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1));
    boolean opened = false;
    try {
      PgConnection connection =
          await(
              PgConnection.connect(
                  vertx,
                  new PgConnectOptions()
                      .setHost(address.host())
                      .setPort(address.port())
                      .setDatabase(address.database())
                      .setUser(address.user())
                      .setPassword(address.password())));
      opened = true;
      return new BackupSession(vertx, connection);
    } finally {
      if (!opened) {
        await(vertx.close());
      }
    }
  }

  /**
   * Begins a backup.
   *
   * @return the name of the first file of the write-ahead log that it needs
   */
  String begin(String label) throws EmbeddedPostgresException, InterruptedException {
    int version =
        Integer.parseInt(one("SELECT current_setting('server_version_num')", Tuple.tuple()));
    if (version < OLDEST_VERSION) {
      throw new EmbeddedPostgresException(
          Reason.OTHER_VERSION,
          "A backup needs PostgreSQL 15 or newer; this is %d".formatted(version / 10_000));
    }
    // Without it a checkpoint in the middle could remove what was logged since the beginning.
    one(
        "SELECT slot_name::text FROM pg_create_physical_replication_slot($1, true, true)",
        Tuple.of(label));
    return one("SELECT pg_walfile_name(pg_backup_start($1, fast => true))", Tuple.of(label));
  }

  /**
   * What PostgreSQL says at the end of a backup.
   *
   * @param label content of {@code backup_label}, which a restore starts from
   * @param lastLog name of the last file of the write-ahead log that it needs
   */
  record Ended(String label, String lastLog) {}

  /** Ends it. All that is needed is in the files then. */
  Ended end() throws EmbeddedPostgresException, InterruptedException {
    Row row =
        await(
            connection
                .preparedQuery(
                    "SELECT labelfile, pg_walfile_name(lsn)"
                        + " FROM pg_backup_stop(wait_for_archive => false)")
                .execute()
                .map(rows -> rows.iterator().next()));
    return new Ended(row.getString(0), row.getString(1));
  }

  private String one(String sql, Tuple parameters)
      throws EmbeddedPostgresException, InterruptedException {
    return await(
        connection
            .preparedQuery(sql)
            .execute(parameters)
            .map(rows -> rows.iterator().next().getString(0)));
  }

  @Override
  public void close() throws EmbeddedPostgresException {
    // One after the other: once its Vert.x has ended, a future of the connection is never
    // completed.
    try {
      await(connection.close());
      await(vertx.close());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static <T> T await(Future<T> future)
      throws EmbeddedPostgresException, InterruptedException {
    try {
      return future.toCompletionStage().toCompletableFuture().get(LIMIT_MINUTES, TimeUnit.MINUTES);
    } catch (ExecutionException e) {
      Throwable why = e.getCause() == null ? e : e.getCause();
      throw new EmbeddedPostgresException(
          Reason.BACKUP_FAILED, "PostgreSQL does not take part: " + why.getMessage(), e);
    } catch (TimeoutException e) {
      throw new EmbeddedPostgresException(
          Reason.BACKUP_FAILED, "PostgreSQL did not answer within " + LIMIT_MINUTES + " min", e);
    }
  }
}
