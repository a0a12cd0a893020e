package dev.queenmq.server.migration;

import dev.queenmq.server.postgres.Backoff;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgConnectOptions;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * Brings a database up to date. Any number of brokers may do so at once: they take turns.
 *
 * <p>Safe to call from any thread; completes on a context of the given Vert.x.
 */
public final class Migrations {

  private final Vertx vertx;
  private final MigrationScripts scripts;
  private final MigrationSettings settings;
  private final Backoff backoff;
  private final LongSupplier nanoTime;

  /**
   * A runner for these scripts.
   *
   * @param backoff between attempts that met a lock or lost their connection
   * @param nanoTime as {@link System#nanoTime} counts
   */
  public Migrations(
      Vertx vertx,
      MigrationScripts scripts,
      MigrationSettings settings,
      Backoff backoff,
      LongSupplier nanoTime) {
    this.vertx = vertx;
    this.scripts = scripts;
    this.settings = settings;
    this.backoff = backoff;
    this.nanoTime = nanoTime;
  }

  /** Applies what this release ships, with the usual patience. */
  public static Future<MigrationReport> run(
      Vertx vertx, PgConnectOptions database, LongSupplier nanoTime) {
    return new Migrations(
            vertx,
            MigrationScripts.bundled(),
            MigrationSettings.defaults(),
            new Backoff(50, 2_000, new Random()),
            nanoTime)
        .run(database);
  }

  /**
   * Applies what is missing.
   *
   * @return the report, or a failure with a {@link MigrationException}
   */
  public Future<MigrationReport> run(PgConnectOptions database) {
    return new MigrationRun(vertx, scripts, settings, backoff, database, nanoTime).start();
  }
}
