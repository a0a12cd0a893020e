package dev.queenmq.server;

import dev.queenmq.embedded.ClaimedFolder;
import dev.queenmq.server.config.PostgresSource;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.http.admin.HealthRoutes;
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.routing.StartTable;
import dev.queenmq.server.http.server.SwappableHttpServer;
import dev.queenmq.server.migration.MigrationReport;
import dev.queenmq.server.migration.MigrationScripts;
import dev.queenmq.server.migration.MigrationSettings;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.postgres.PostgresFault;
import dev.queenmq.server.postgres.ReachedPostgres;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way from nothing to a broker that answers: PostgreSQL, its schema, the broker. With a spool
 * it does not wait for an operator's PostgreSQL that is away: pushes are taken meanwhile.
 */
final class BrokerStartup {
  private static final Logger log = LoggerFactory.getLogger(BrokerStartup.class);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(4);
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  /** Between two attempts after something that the operator has to change. */
  private static final long RETRY_MILLIS = 2_000;

  /** Between two log lines about the same failure. */
  private static final Duration REPORT_EVERY = Duration.ofMinutes(1);

  private final Vertx vertx;
  private final ServerConfig config;
  private final Resources resources;
  private final Consumer<String> console;
  private final String version;
  private final Encryption encryption;
  private final Optional<SpoolStart> spool;
  private final Optional<ClaimedFolder> folder;
  private final Drain drain;
  private final PostgresHealth health;
  private final ApiStart api;
  private final AuthStart auth;
  private final SwappableHttpServer door;
  private final Backoff backoff = new Backoff(50, 2_000, RandomGenerator.getDefault());
  // Without a context: after a failure, that of the steps is gone.
  private final Promise<Integer> listening = Promise.promise();
  private volatile Optional<Future<Integer>> early = Optional.empty();
  private volatile boolean connected;
  // Of the last failure that was logged; written by one attempt after the other.
  private String reported = "";
  private long reportedAt;

  BrokerStartup(
      Vertx vertx,
      ServerConfig config,
      Resources resources,
      Consumer<String> console,
      String version,
      Encryption encryption,
      Optional<SpoolStart> spool,
      Optional<ClaimedFolder> folder,
      Drain drain) {
    this.vertx = vertx;
    this.config = config;
    this.resources = resources;
    this.console = console;
    this.version = version;
    this.encryption = encryption;
    this.spool = spool;
    this.folder = folder;
    this.drain = drain;
    health =
        new PostgresHealth(
            config.postgres() instanceof PostgresSource.External external
                && external.allowUnsafe());
    api = new ApiStart(config, encryption);
    auth = AuthStart.run(config.auth(), resources);
    door = new SwappableHttpServer(vertx, config, api.limits(), api.memory());
  }

  /** Completes with the port as soon as pushes can come. */
  Future<Integer> run() {
    attempt();
    return listening.future();
  }

  /** Why PostgreSQL is not there yet, while pushes are taken without it. */
  Optional<String> away() {
    return connected ? Optional.empty() : Optional.of(health.awayBecause());
  }

  private void attempt() {
    Optional<Consumer<String>> whileAway =
        config.postgres() instanceof PostgresSource.External
            ? spool.map(
                kept ->
                    why -> {
                      health.away(why);
                      openEarly(kept);
                    })
            : Optional.empty();
    new PostgresStart(vertx, config, backoff, resources, console, folder)
        .run(whileAway)
        .compose(postgres -> migrate(postgres).map(postgres))
        .onFailure(this::notYet)
        .onSuccess(this::reached);
  }

  /** Only pushes, and pops that find nothing. */
  private synchronized void openEarly(SpoolStart kept) {
    if (early.isPresent() || resources.closing()) {
      return;
    }
    Future<Integer> opening =
        door.open(
            worker ->
                new StartTable(
                    api.of(kept.front(), ObjectBounds.none()).routes(),
                    HealthRoutes.of(
                        () -> Future.failedFuture("PostgreSQL was never there"),
                        health,
                        drain::hasBegun,
                        version,
                        () -> new JsonObject().put("enabled", false),
                        worker),
                    auth.guardWithoutNames()));
    early = Optional.of(opening);
    opening
        .onSuccess(
            port -> {
              resources.add(LAST_ANSWERS.plus(LAST_CLOSE), () -> door.close(LAST_ANSWERS));
              listening.tryComplete(port);
            })
        .onFailure(listening::tryFail);
  }

  private void notYet(Throwable why) {
    if (early.isEmpty()) {
      listening.tryFail(why);
    } else if (!resources.closing()) {
      // Messages were taken: the broker stays, and the operator can change what is wrong.
      health.away(PostgresFault.summary(why));
      report(String.valueOf(why.getMessage()));
      vertx.setTimer(RETRY_MILLIS, again -> attempt());
    }
  }

  private void report(String failure) {
    long now = System.nanoTime();
    if (!failure.equals(reported) || now - reportedAt > REPORT_EVERY.toNanos()) {
      reported = failure;
      reportedAt = now;
      log.error("{}; trying again", failure);
    }
  }

  private void reached(ReachedPostgres postgres) {
    connected = true;
    early
        .orElseGet(Future::succeededFuture)
        .compose(
            open ->
                new BrokerStart(
                        vertx,
                        config,
                        resources,
                        version,
                        encryption,
                        spool,
                        door,
                        api,
                        auth,
                        health,
                        drain)
                    .run(postgres))
        .onSuccess(
            port -> {
              if (!listening.tryComplete(port)) {
                console.accept("PostgreSQL is there: everything is served now");
              }
            })
        .onFailure(
            failure -> {
              if (!listening.tryFail(failure)) {
                log.error("cannot start: {}", failure.getMessage(), failure);
                resources.close();
              }
            });
  }

  private Future<MigrationReport> migrate(ReachedPostgres postgres) {
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
}
