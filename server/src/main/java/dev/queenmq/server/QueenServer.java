package dev.queenmq.server;

import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.http.HttpFront;
import dev.queenmq.server.migration.MigrationReport;
import dev.queenmq.server.migration.MigrationScripts;
import dev.queenmq.server.migration.MigrationSettings;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.postgres.PostgresProbe;
import dev.queenmq.server.postgres.ReachedPostgres;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * A broker: its parts, put together by hand in the order in which they need each other.
 *
 * <p>Safe for use by several threads.
 */
public final class QueenServer {

  private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(2);
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  private final ServerConfig config;
  private final Consumer<String> console;
  private final Resources resources = new Resources();
  private final Backoff backoff = new Backoff(50, 2_000, RandomGenerator.getDefault());

  /**
   * A server that does nothing yet.
   *
   * @param console is told in a few lines what happens
   */
  public QueenServer(ServerConfig config, Consumer<String> console) {
    this.config = config;
    this.console = console;
  }

  /**
   * Starts everything, or nothing: what a failed start had opened is closed again.
   *
   * @return the port of the HTTP server; any failure's message is meant for a person
   */
  public Future<Integer> start() {
    long started = System.nanoTime();
    String version = ProductVersion.current();
    console.accept("Queen MQ " + version);
    Vertx vertx = vertx();
    resources.add(LAST_CLOSE, vertx::close);
    // Without a context: after a failure, that of the steps below is gone.
    Promise<Integer> result = Promise.promise();
    new PostgresStart(vertx, config, backoff, resources, console)
        .run()
        .compose(postgres -> migrate(vertx, postgres).map(postgres))
        .compose(postgres -> listen(vertx, postgres, version))
        .onSuccess(
            port ->
                console.accept(
                    "Listening on http://%s:%d, started in %d ms"
                        .formatted(
                            config.http().host(),
                            port,
                            Duration.ofNanos(System.nanoTime() - started).toMillis())))
        .onSuccess(result::complete)
        .onFailure(failure -> stop().onComplete(stopped -> result.fail(failure)));
    return result.future();
  }

  /** Stops everything; may be called at any time, also during a start. */
  public Future<Void> stop() {
    return resources.close();
  }

  private static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setPreferNativeTransport(true)
            // We serve nothing from the class path, so nothing has to be unpacked anywhere.
            .setFileSystemOptions(
                new FileSystemOptions()
                    .setFileCachingEnabled(false)
                    .setClassPathResolvingEnabled(false)));
  }

  private Future<MigrationReport> migrate(Vertx vertx, ReachedPostgres postgres) {
    MigrationSettings settings = MigrationSettings.defaults().withDeadline(config.startTimeout());
    return vertx
        .executeBlocking(MigrationScripts::bundled)
        .compose(
            scripts -> new Migrations(vertx, scripts, settings, backoff).run(postgres.options()))
        .onSuccess(report -> console.accept(describe(report)));
  }

  private static String describe(MigrationReport report) {
    if (report.migrations().isEmpty() && report.procedures().isEmpty()) {
      return "Schema is up to date";
    }
    return "Schema: applied %d migration(s) and %d procedure(s) in %d ms"
        .formatted(
            report.migrations().size(), report.procedures().size(), report.took().toMillis());
  }

  private Future<Integer> listen(Vertx vertx, ReachedPostgres postgres, String version) {
    PostgresProbe probe = new PostgresProbe(vertx, postgres.options(), HEALTH_TIMEOUT);
    resources.add(LAST_CLOSE, probe::close);
    return HttpFront.start(vertx, config.http(), probe::ask, version)
        .onSuccess(
            http -> resources.add(LAST_ANSWERS.plus(LAST_CLOSE), () -> http.stop(LAST_ANSWERS)))
        .map(HttpFront::port);
  }
}
