package dev.queenmq.server;

import dev.queenmq.embedded.ClaimedFolder;
import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.server.admin.EncryptionQueries;
import dev.queenmq.server.admin.GroupQueries;
import dev.queenmq.server.admin.LeaseQueries;
import dev.queenmq.server.admin.MessageQueries;
import dev.queenmq.server.admin.QueueDirectory;
import dev.queenmq.server.admin.ResourceQueries;
import dev.queenmq.server.admin.SystemState;
import dev.queenmq.server.admin.Traces;
import dev.queenmq.server.admin.UpkeepQueries;
import dev.queenmq.server.admin.history.AnalyticsQueries;
import dev.queenmq.server.admin.history.BrokerIdentity;
import dev.queenmq.server.admin.history.CapacityMeasuring;
import dev.queenmq.server.admin.history.ClusterQueries;
import dev.queenmq.server.admin.history.DashboardQueries;
import dev.queenmq.server.admin.history.HistoryKeeper;
import dev.queenmq.server.admin.history.HistoryWriter;
import dev.queenmq.server.admin.history.StatisticsRefresh;
import dev.queenmq.server.admin.history.StatusQueries;
import dev.queenmq.server.auth.AuditFile;
import dev.queenmq.server.auth.AuditLog;
import dev.queenmq.server.auth.AuditWriter;
import dev.queenmq.server.auth.Authenticator;
import dev.queenmq.server.auth.SkipPaths;
import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.CallTracing;
import dev.queenmq.server.broker.Streams;
import dev.queenmq.server.cluster.Cluster;
import dev.queenmq.server.config.EncryptionConfig;
import dev.queenmq.server.config.PopConfig;
import dev.queenmq.server.config.PostgresSource;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.SidecarConfig;
import dev.queenmq.server.config.SpoolConfig;
import dev.queenmq.server.config.StatisticsConfig;
import dev.queenmq.server.config.UpkeepConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.SubscriptionMode;
import dev.queenmq.server.config.values.Tls;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.encryption.EncryptionKey;
import dev.queenmq.server.encryption.PayloadCipher;
import dev.queenmq.server.encryption.PayloadReader;
import dev.queenmq.server.http.admin.AnalyticsRoutes;
import dev.queenmq.server.http.admin.ConsumerRoutes;
import dev.queenmq.server.http.admin.DashboardRoutes;
import dev.queenmq.server.http.admin.EncryptionRoutes;
import dev.queenmq.server.http.admin.GroupRoutes;
import dev.queenmq.server.http.admin.HealthRoutes;
import dev.queenmq.server.http.admin.MaintenanceRoutes;
import dev.queenmq.server.http.admin.MessageRoutes;
import dev.queenmq.server.http.admin.OpenApi;
import dev.queenmq.server.http.admin.OperatorRoutes;
import dev.queenmq.server.http.admin.PageReply;
import dev.queenmq.server.http.admin.SharedAnswers;
import dev.queenmq.server.http.admin.SharedStateRoutes;
import dev.queenmq.server.http.admin.StatusRoutes;
import dev.queenmq.server.http.admin.TraceRoutes;
import dev.queenmq.server.http.admin.UpkeepRoutes;
import dev.queenmq.server.http.dashboard.DashboardPages;
import dev.queenmq.server.http.messages.BrokerApi;
import dev.queenmq.server.http.messages.EmptyPop;
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.messages.PopDefaults;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.Guard;
import dev.queenmq.server.http.routing.QueueNames;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.routing.StartTable;
import dev.queenmq.server.http.routing.TracedRoutes;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.http.server.SwappableHttpServer;
import dev.queenmq.server.http.streams.StreamRoutes;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.MemoryBudget;
import dev.queenmq.server.metrics.MinuteRecorder;
import dev.queenmq.server.metrics.ProcessMeter;
import dev.queenmq.server.metrics.PrometheusMetrics;
import dev.queenmq.server.metrics.SidecarBlock;
import dev.queenmq.server.migration.MigrationReport;
import dev.queenmq.server.migration.MigrationScripts;
import dev.queenmq.server.migration.MigrationSettings;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.Subscription;
import dev.queenmq.server.postgres.Backends;
import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.postgres.KeepAliveGuard;
import dev.queenmq.server.postgres.PostgresFault;
import dev.queenmq.server.postgres.PostgresGate;
import dev.queenmq.server.postgres.PostgresProbe;
import dev.queenmq.server.postgres.PrimaryFinder;
import dev.queenmq.server.postgres.ReachedPostgres;
import dev.queenmq.server.postgres.SharedSlots;
import dev.queenmq.server.postgres.Slots;
import dev.queenmq.server.postgres.UnsafePostgresException;
import dev.queenmq.server.sidecar.SidecarLimits;
import dev.queenmq.server.sidecar.Sidecars;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.spool.DatabaseWatch;
import dev.queenmq.server.spool.Replays;
import dev.queenmq.server.spool.SpoolStatus;
import dev.queenmq.server.spool.SpoolingBroker;
import dev.queenmq.server.spool.Spools;
import dev.queenmq.server.spool.log.Spool;
import dev.queenmq.server.spool.log.SpoolOptions;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.upkeep.HistoryTable;
import dev.queenmq.server.store.upkeep.ResealStore;
import dev.queenmq.server.store.upkeep.UpkeepStore;
import dev.queenmq.server.upkeep.Resealing;
import dev.queenmq.server.upkeep.Upkeep;
import dev.queenmq.server.upkeep.UpkeepOptions;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds a broker, from top to bottom in the order in which its parts need each other.
 *
 * <ol>
 *   <li>What needs no PostgreSQL: limits, memory, authentication, the HTTP server (not open yet).
 *   <li>The folder of an embedded PostgreSQL, and the spool.
 *   <li>PostgreSQL, which is waited for, and its schema. With a spool the broker does not wait for
 *       an external PostgreSQL that is down: it opens the port and accepts pushes meanwhile.
 *   <li>The workers, their sidecars and the cluster.
 *   <li>The background jobs: upkeep, statistics, the replay of the spool.
 *   <li>The routes, and the port.
 * </ol>
 *
 * <p>Whatever a step opens it adds to the {@link Resources}, which close in reverse order. Each
 * instance starts once.
 */
final class BrokerStart {
  private static final Logger log = LoggerFactory.getLogger(BrokerStart.class);

  /** How long requests in progress may take when the broker stops. */
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(4);

  /** How long writes to the spool may take when the broker stops. */
  private static final Duration LAST_WRITES = Duration.ofSeconds(5);

  /** How long everything else may take to close. */
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  /** The start of an embedded PostgreSQL; recovery of a large database after a crash is slow. */
  private static final Duration EMBEDDED_START = Duration.ofMinutes(10);

  private static final Duration EMBEDDED_STOP = Duration.ofSeconds(5);

  /** Between two attempts to start after a failure that the operator has to fix. */
  private static final long RETRY_MILLIS = 2_000;

  /** Between two log lines about the same failure. */
  private static final Duration REPORT_EVERY = Duration.ofMinutes(1);

  private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration DURABILITY_PERIOD = Duration.ofSeconds(15);
  private static final Duration BACKENDS_TIMEOUT = Duration.ofSeconds(2);

  /** Connections for operators' queries. */
  private static final int ADMIN_CONNECTIONS = 2;

  /** Operators' queries that may wait for a connection; further ones are answered 503. */
  private static final int ADMIN_WAITING = 256;

  /** Connections for what pops and authorization look up about queues: never behind a page. */
  private static final int NAMES_CONNECTIONS = 2;

  private static final int NAMES_WAITING = 10_000;

  /** One for the totals, one for the capacity of queues, one for the minutes. */
  private static final int STATISTICS_CONNECTIONS = 3;

  /** A broker that makes no progress with a job for this long loses it to another one. */
  private static final Duration UPKEEP_LEASE = Duration.ofSeconds(30);

  /** Each job has one step in progress at most; the limit guards against a defect. */
  private static final int UPKEEP_WAITING = 1_000;

  /** A connection to a server that takes no writes any more is closed after this long. */
  private static final int STATISTICS_LIFE_SECONDS = 60;

  private static final int NAME_DIGITS = 8;

  /** What the spool consists of, from before PostgreSQL is reached. */
  private record OpenSpool(Spools spools, SpoolingBroker front) {}

  /**
   * PostgreSQL, and the connections that are not the workers' own.
   *
   * @param primary the server that takes writes
   * @param admin for operators' queries
   */
  private record Database(
      PrimaryFinder primary,
      Backends backends,
      PostgresProbe probe,
      StoreClient admin,
      QueueDirectory directory) {}

  // The clocks of all that is built here.
  private final InstantSource clock = InstantSource.system();
  private final LongSupplier nanoTime = System::nanoTime;

  private final Vertx vertx;
  private final ServerConfig config;
  private final Resources resources;
  private final Consumer<String> console;
  private final String version;
  private final Drain drain;
  private final short shard = StoreOptions.defaults().shard();
  // Not the default of RandomGenerator: which it finds depends on the class loader of the thread.
  private final Backoff backoff = new Backoff(50, 2_000, new Random());

  private final Encryption encryption;
  private final PostgresHealth health;
  // One for the whole life of the broker: the ids it gives ascend.
  private final MessageIds ids = new MessageIds(clock);
  private final HttpLimits limits;
  private final MemoryBudget memory;
  private final BodyHandler bodies;
  private final SwappableHttpServer http;
  private final Optional<Authenticator> authenticator;
  private final AuditLog audit;
  private final Future<MigrationScripts> scripts;
  private final Future<List<Route>> dashboard;

  private volatile Optional<ClaimedFolder> folder = Optional.empty();
  private volatile Optional<OpenSpool> spool = Optional.empty();
  // Without a context: after a failure, that of the steps is gone.
  private final Promise<Integer> listening = Promise.promise();
  private volatile Optional<Future<Integer>> early = Optional.empty();
  private volatile boolean connected;
  // The last failure that was logged.
  private String reported = "";
  private long reportedAt;

  // --- What needs no PostgreSQL

  /** Opens nothing but the audit file; the checks of {@link StartChecks} have passed. */
  BrokerStart(
      Vertx vertx,
      ServerConfig config,
      Resources resources,
      Consumer<String> console,
      String version,
      Drain drain) {
    this.vertx = vertx;
    this.config = config;
    this.resources = resources;
    this.console = console;
    this.version = version;
    this.drain = drain;
    encryption = encryption(config.encryption());
    health =
        new PostgresHealth(
            config.postgres() instanceof PostgresSource.External external
                && external.allowUnsafe());
    limits = HttpLimits.of(config.http(), config.pop().maxWait());
    memory = BodyHandler.budget(config.http().maxMemoryBytes());
    bodies = new BodyHandler(config.http().maxBodyBytes(), memory);
    http = new SwappableHttpServer(vertx, config, limits, memory, clock, nanoTime);
    audit = auditLog();
    authenticator = authenticator();
    scripts = ahead(MigrationScripts::bundled);
    dashboard =
        config.statistics().dashboard()
            ? ahead(() -> new DashboardPages(version, config.auth().enabled()).routes())
            : Future.succeededFuture(List.of());
  }

  /** Reads what comes with the broker while PostgreSQL starts, when a core is idle. */
  private <T> Future<T> ahead(Callable<T> reading) {
    return vertx.executeBlocking(reading, false);
  }

  private static Encryption encryption(EncryptionConfig config) {
    return new Encryption(
        new PayloadCipher(
            config.key().map(Secret::value).map(EncryptionKey::ofHex),
            config.previousKey().map(Secret::value).map(EncryptionKey::ofHex)),
        config.allowPlaintext());
  }

  private AuditLog auditLog() {
    AuditWriter writer =
        AuditWriter.start(
            AuditLog.target(
                config.auth().auditFile().map(BrokerStart::auditFile).orElse(lines -> {})),
            clock);
    closeLast(writer::close);
    return AuditLog.start(writer, clock, nanoTime);
  }

  private static Consumer<List<String>> auditFile(Path path) {
    try {
      return AuditFile.at(path);
    } catch (IOException e) {
      throw new IllegalStateException("cannot write to QUEEN_AUDIT_FILE (" + path + "): " + e, e);
    }
  }

  private Optional<Authenticator> authenticator() {
    if (!config.auth().enabled()) {
      return Optional.empty();
    }
    Authenticator started = Authenticator.start(config.auth(), clock, nanoTime);
    closeLast(started::close);
    return Optional.of(started);
  }

  private void closeLast(Runnable close) {
    resources.add(
        LAST_CLOSE,
        () -> {
          close.run();
          return Future.succeededFuture();
        });
  }

  /** Completes with the port once pushes can be accepted. */
  Future<Integer> run() {
    return claimFolder()
        .compose(claimed -> openSpool())
        .compose(
            opened -> {
              attempt();
              return listening.future();
            });
  }

  /** Why PostgreSQL is not reached yet, while pushes are accepted without it. */
  Optional<String> away() {
    return connected ? Optional.empty() : Optional.of(health.awayBecause());
  }

  // --- The folder of an embedded PostgreSQL, and the spool

  /** Fails, and has changed nothing, if no PostgreSQL can be started there. */
  private Future<Void> claimFolder() {
    if (!(config.postgres() instanceof PostgresSource.Embedded source)) {
      return Future.succeededFuture();
    }
    EmbeddedPostgresConfig settings =
        EmbeddedPostgresConfig.in(source.dataFolder())
            .withBinDir(source.binFolder())
            .withTimeouts(EMBEDDED_START, EMBEDDED_STOP);
    return BlockingCall.run(vertx, "check-folder", () -> EmbeddedPostgres.claim(settings))
        .onSuccess(
            claimed -> {
              folder = Optional.of(claimed);
              closeLast(claimed::close);
            })
        .mapEmpty();
  }

  /** Fails with a text for people if its folder cannot be opened. */
  private Future<Void> openSpool() {
    SpoolConfig settings = config.spool();
    if (!settings.enabled()) {
      return Future.succeededFuture();
    }
    return BlockingCall.run(
            vertx,
            "open-spool",
            () ->
                Spools.open(
                    settings.folder(),
                    settings.maxBytes(),
                    (part, room) -> Spool.open(SpoolOptions.of(part, room), encryption, nanoTime)))
        .onSuccess(
            spools -> {
              SpoolingBroker front =
                  new SpoolingBroker(
                      vertx,
                      spools,
                      settings.deadline(),
                      config.sidecar().maxWaiting(),
                      clock,
                      nanoTime);
              resources.add(LAST_WRITES, () -> closeSpool(spools, front));
              spool = Optional.of(new OpenSpool(spools, front));
            })
        .mapEmpty();
  }

  private Future<Void> closeSpool(Spools spools, SpoolingBroker front) {
    front.stop();
    return BlockingCall.close(vertx, "close-spool", spools);
  }

  // --- PostgreSQL and its schema

  private void attempt() {
    Future<ReachedPostgres> reached =
        config.postgres() instanceof PostgresSource.External external
            ? reach(external)
            : startEmbedded((PostgresSource.Embedded) config.postgres());
    reached
        .compose(postgres -> migrate(postgres).map(postgres))
        .onFailure(this::notYet)
        .onSuccess(this::reached);
  }

  /** Waits for as long as the configuration says; with a spool, for ever. */
  private Future<ReachedPostgres> reach(PostgresSource.External external) {
    PostgresGate gate =
        spool
            .map(
                open ->
                    new PostgresGate(
                        vertx,
                        config.session(),
                        ChronoUnit.FOREVER.getDuration(),
                        backoff,
                        nanoTime,
                        why -> {
                          health.away(why);
                          openEarly(open);
                        }))
            .orElseGet(
                () ->
                    new PostgresGate(
                        vertx, config.session(), config.startTimeout(), backoff, nanoTime));
    return gate.enter(external.servers())
        .compose(reached -> refuseUnsafe(external, reached))
        .onSuccess(reached -> console.accept(describe(external, reached)));
  }

  private static Future<ReachedPostgres> refuseUnsafe(
      PostgresSource.External external, ReachedPostgres reached) {
    return reached.durability().isSafe() || external.allowUnsafe()
        ? Future.succeededFuture(reached)
        : Future.failedFuture(
            new UnsafePostgresException(reached.endpoint(), reached.durability()));
  }

  private Future<ReachedPostgres> startEmbedded(PostgresSource.Embedded source) {
    ClaimedFolder claimed = folder.orElseThrow();
    Future<EmbeddedPostgres> starting = BlockingCall.run(vertx, "start-postgres", claimed::start);
    // Added before it has started: a stop that comes meanwhile waits for it, and then stops it.
    resources.add(
        EMBEDDED_STOP.multipliedBy(2),
        () ->
            starting.transform(
                result ->
                    result.succeeded()
                        ? BlockingCall.close(vertx, "stop-postgres", result.result())
                        : Future.succeededFuture()));
    SessionConfig session = config.session().with(Pooler.NONE);
    return starting
        .onSuccess(this::watch)
        .onSuccess(server -> console.accept(describe(source, server)))
        .compose(
            server ->
                new PostgresGate(vertx, session, config.startTimeout(), backoff, nanoTime)
                    .enter(endpoint(server.address())));
  }

  private void watch(EmbeddedPostgres server) {
    Future.fromCompletionStage(server.exited())
        .onSuccess(
            ended -> {
              if (!resources.closing()) {
                log.error("the embedded PostgreSQL has ended by itself; restart the broker");
              }
            });
  }

  private static PostgresEndpoint endpoint(PostgresAddress address) {
    return new PostgresEndpoint(
        address.host(),
        address.port(),
        address.database(),
        address.user(),
        new Secret(address.password()),
        new Tls.Off());
  }

  private Future<MigrationReport> migrate(ReachedPostgres postgres) {
    MigrationSettings settings = MigrationSettings.defaults().withDeadline(config.startTimeout());
    return scripts
        .compose(
            read ->
                new Migrations(vertx, read, settings, backoff, nanoTime).run(postgres.options()))
        .onSuccess(report -> console.accept(describe(report)));
  }

  /**
   * Another server takes the writes. It may lack the last migrations, as a standby that was
   * promoted moments after them. In one attempt: whoever needs a connection asks again.
   */
  private Future<Void> migrateAgain(PgConnectOptions server) {
    MigrationSettings settings = MigrationSettings.defaults().withDeadline(Duration.ZERO);
    return scripts
        .compose(read -> new Migrations(vertx, read, settings, backoff, nanoTime).run(server))
        .onSuccess(
            report -> {
              if (!report.migrations().isEmpty() || !report.procedures().isEmpty()) {
                log.warn("the server that takes the writes now was behind. {}", describe(report));
              }
            })
        .recover(
            why -> {
              String text = "the schema of the new server is not up to date: " + why.getMessage();
              report(text);
              return Future.failedFuture(new IOException(text, why));
            })
        .mapEmpty();
  }

  /** Opens the port without PostgreSQL: pushes go to the spool, and pops find nothing. */
  private synchronized void openEarly(OpenSpool open) {
    if (early.isPresent() || resources.closing()) {
      return;
    }
    Future<Integer> opening =
        http.open(
            worker ->
                new StartTable(
                    clientRoutes(open.front(), ObjectBounds.none()),
                    HealthRoutes.of(
                        () -> Future.failedFuture("PostgreSQL was never there"),
                        health,
                        drain::hasBegun,
                        version,
                        () -> new JsonObject().put("enabled", false),
                        worker),
                    guard(new UnknownQueues())));
    early = Optional.of(opening);
    opening
        .onSuccess(
            port -> {
              resources.add(LAST_ANSWERS.plus(LAST_CLOSE), () -> http.close(LAST_ANSWERS));
              listening.tryComplete(port);
            })
        .onFailure(listening::tryFail);
  }

  private void notYet(Throwable why) {
    if (early.isEmpty()) {
      listening.tryFail(why);
    } else if (!resources.closing()) {
      // Messages were accepted: the broker stays, and the operator can fix what is wrong.
      health.away(PostgresFault.summary(why));
      report(String.valueOf(why.getMessage()));
      vertx.setTimer(RETRY_MILLIS, again -> attempt());
    }
  }

  private synchronized void report(String failure) {
    long now = nanoTime.getAsLong();
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
        .compose(open -> build(postgres))
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

  // --- The workers, their sidecars and the cluster

  private Future<Integer> build(ReachedPostgres postgres) {
    Optional<TracingStart.Started> tracing =
        config
            .statistics()
            .tracing()
            .map(on -> TracingStart.run(on, version, resources, clock, nanoTime));
    PrimaryFinder primary = postgres.primary();
    primary.beforeUse(this::migrateAgain);
    Backends backends = new Backends(vertx, primary, BACKENDS_TIMEOUT);
    StoreClient admin = connections(primary, backends, ADMIN_CONNECTIONS, ADMIN_WAITING);
    StoreClient names = connections(primary, backends, NAMES_CONNECTIONS, NAMES_WAITING);
    health.found(postgres.durability());
    PostgresProbe probe = new PostgresProbe(vertx, primary, HEALTH_TIMEOUT, health::found);
    resources.add(LAST_CLOSE, probe::close);
    // A server that came back, or read its configuration again, may have other settings.
    vertx.setPeriodic(DURABILITY_PERIOD.toMillis(), look -> probe.ask());
    QueueDirectory directory = new QueueDirectory(names, shard);
    Database database = new Database(primary, backends, probe, admin, directory);
    Cluster cluster =
        new Cluster(vertx, config.cluster(), directory, new SystemState(names), clock, nanoTime);
    resources.add(LAST_CLOSE, cluster::stop);
    primary.onChange(cluster::serverChanged);
    SidecarConfig sizes = config.sidecar();
    return Workers.start(
            vertx,
            primary,
            postgres.hasFixedPlans(),
            postgres.durability().isSafe(),
            backends,
            new Workers.Size(sizes.workers(), sizes.slots(), sizes.inflightDeadline()),
            encryption,
            memory,
            clock,
            nanoTime)
        .compose(
            workers -> {
              resources.add(LAST_CLOSE, workers::close);
              Sidecars sidecars =
                  new Sidecars(
                      vertx,
                      workers.places(),
                      sidecarLimits(),
                      directory,
                      workers.appends(),
                      cluster.peers(),
                      tracing.map(TracingStart.Started::calls).orElse(CallTracing.NONE),
                      clock,
                      nanoTime);
              workers.onForgotten(sidecars::serverChanged);
              return warmUp(workers, postgres)
                  .compose(warm -> sidecars.start())
                  .compose(on -> cluster.start(sidecars))
                  .compose(on -> dashboard)
                  .compose(pages -> listen(database, sidecars, cluster, tracing, pages));
            });
  }

  /** Not while the port is open already: clients wait for what the spool does not do. */
  private Future<Void> warmUp(Workers workers, ReachedPostgres postgres) {
    Duration length = config.http().warmUp();
    return early.isPresent() || length.isZero()
        ? Future.succeededFuture()
        : WarmUp.run(vertx, workers, postgres.hasFixedPlans(), length, clock, nanoTime);
  }

  private StoreClient connections(
      PrimaryFinder primary, Backends backends, int connections, int maxWaiting) {
    Context context = vertx.getOrCreateContext();
    SharedSlots slots =
        new SharedSlots(
            context,
            Slots.of(
                vertx,
                context,
                primary,
                backends,
                connections,
                maxWaiting,
                config.sidecar().inflightDeadline(),
                nanoTime));
    resources.add(LAST_CLOSE, slots::close);
    return slots::call;
  }

  private SidecarLimits sidecarLimits() {
    SidecarConfig sizes = config.sidecar();
    PopConfig.Backoff backoff = config.pop().backoff();
    return new SidecarLimits(
        sizes.maxItemsPerCall(),
        sizes.maxBytesPerCall(),
        sizes.microBatchWait(),
        sizes.maxPendingItems(),
        Math.max(1, sizes.maxPendingBytes() / sizes.workers()),
        sizes.maxWaiting(),
        new BackoffRules(
            (int) backoff.initialMillis(),
            backoff.threshold(),
            backoff.multiplier(),
            (int) backoff.maxMillis()),
        config.statistics().maxQueues(),
        spool.isPresent());
  }

  // --- The background jobs: upkeep, statistics, the replay of the spool

  /** On a connection of its own, so that upkeep never delays messages. */
  private Upkeep startUpkeep(Database database, Cluster cluster) {
    Context context = vertx.getOrCreateContext();
    StoreClient client = connections(database.primary(), database.backends(), 1, UPKEEP_WAITING);
    Optional<Resealing> resealing =
        encryption.cipher().canSeal()
            ? Optional.of(
                new Resealing(
                    context,
                    new ResealStore(
                        client, encryption, shard, UUID.randomUUID(), ResealStore.Page.usual()),
                    nanoTime))
            : Optional.empty();
    Upkeep upkeep =
        new Upkeep(
            context,
            new UpkeepStore(client, shard, UPKEEP_LEASE),
            upkeepOptions(),
            cluster::partitionsDeleted,
            resealing,
            nanoTime);
    resources.add(LAST_CLOSE, upkeep::stop);
    upkeep.start();
    return upkeep;
  }

  private UpkeepOptions upkeepOptions() {
    UpkeepConfig sizes = config.upkeep();
    StatisticsConfig kept = config.statistics();
    List<HistoryTable> history = new ArrayList<>(UpkeepOptions.OWN_HISTORY);
    history.add(new HistoryTable("minute_queues", "minute", kept.queueDays()));
    history.add(new HistoryTable("minute_workers", "minute", kept.metricDays()));
    history.add(new HistoryTable("minute_system", "minute", kept.metricDays()));
    return new UpkeepOptions(
        config.cluster().serverId() + "/" + UUID.randomUUID().toString().substring(0, NAME_DIGITS),
        sizes.retentionInterval(),
        sizes.retentionBatch(),
        sizes.evictionInterval(),
        sizes.evictionBatch(),
        sizes.cleanupInterval(),
        sizes.partitionDays(),
        sizes.deadLetterDays(),
        history);
  }

  /** Ends after HTTP, so that the last minute is complete. */
  private StatisticsRefresh startStatistics(
      PrimaryFinder primary, Sidecars sidecars, Cluster cluster) {
    StatisticsConfig rules = config.statistics();
    // Its own connections: requests must not wait until the totals are made.
    Pool pool =
        PgBuilder.pool()
            .connectingTo(() -> Future.succeededFuture(primary.options()))
            .with(
                KeepAliveGuard.transport(
                    config.session().connectTimeout(), config.sidecar().inflightDeadline()))
            .with(
                new PoolOptions()
                    .setMaxSize(STATISTICS_CONNECTIONS)
                    .setMaxLifetime(STATISTICS_LIFE_SECONDS)
                    .setMaxLifetimeUnit(TimeUnit.SECONDS))
            .using(vertx)
            .build();
    resources.add(LAST_CLOSE, pool::close);
    HistoryKeeper keeper =
        new HistoryKeeper(
            vertx,
            new MinuteRecorder(
                sidecars,
                config.sidecar().workers(),
                new ProcessMeter()::read,
                cluster::statistics,
                nanoTime),
            new HistoryWriter(
                StoreClient.of(pool),
                new BrokerIdentity(
                    UUID.randomUUID(),
                    rules.hostname(),
                    config.http().port(),
                    config.workerId(),
                    ProcessHandle.current().pid())),
            new HistoryKeeper.Rules(
                rules.writeInterval(),
                rules.sampleInterval(),
                // A day more, so that what upkeep has not removed yet still has its broker.
                Math.max(rules.queueDays(), rules.metricDays()) + 1),
            nanoTime);
    StatisticsRefresh refresh =
        new StatisticsRefresh(vertx, pool, shard, rules.refreshInterval(), StatisticsRefresh.PAGE);
    CapacityMeasuring measuring =
        new CapacityMeasuring(vertx, pool, shard, CapacityMeasuring.Rules.usual());
    resources.add(
        LAST_CLOSE,
        () -> {
          refresh.stop();
          measuring.stop();
          return keeper.stop();
        });
    keeper.start();
    refresh.start();
    measuring.start();
    return refresh;
  }

  /** From now on pushes go to the store, and so does what the spool holds. */
  private Supplier<SpoolStatus> connectSpool(
      OpenSpool open, Database database, Sidecars sidecars, Cluster cluster) {
    DatabaseWatch watch = new DatabaseWatch(vertx, database.probe()::ask, nanoTime);
    BooleanSupplier maintenance = cluster.maintenance()::ofPushes;
    Replays replays =
        new Replays(open.spools(), open.front(), sidecars, watch, maintenance, nanoTime);
    open.front().reaches(sidecars, watch, maintenance);
    replays.start();
    resources.add(
        LAST_WRITES,
        () -> {
          watch.stop();
          return BlockingCall.close(vertx, "stop-replay", replays::stop);
        });
    return () ->
        new SpoolStatus(
            true,
            open.spools().figures(),
            config.spool().maxBytes(),
            open.spools().hasRoom(),
            replays.replayed(),
            replays.givenUp(),
            watch.isAway());
  }

  // --- The routes, and the port

  private Future<Integer> listen(
      Database database,
      Sidecars sidecars,
      Cluster cluster,
      Optional<TracingStart.Started> tracing,
      List<Route> pages) {
    Upkeep upkeep = startUpkeep(database, cluster);
    StatisticsRefresh refresh = startStatistics(database.primary(), sidecars, cluster);
    Supplier<SpoolStatus> spoolStatus =
        spool
            .map(open -> connectSpool(open, database, sidecars, cluster))
            .orElse(SpoolStatus::none);
    Broker front = spool.<Broker>map(OpenSpool::front).orElse(sidecars);
    ObjectBounds bounds = new ObjectBounds(config.bounds(), database.directory(), nanoTime);
    database.primary().onChange(bounds::startOver);
    List<Route> messages = clientRoutes(front, bounds);
    List<Route> routes =
        new ArrayList<>(
            tracing.map(each -> TracedRoutes.of(messages, each.requests())).orElse(messages));
    Streams streams =
        spool.map(open -> open.front().inFrontOf(sidecars.streams())).orElseGet(sidecars::streams);
    routes.addAll(
        new StreamRoutes(streams, ids, limits, bodies, bounds, new AnswerMemory(memory)).routes());
    routes.addAll(operatorRoutes(database, sidecars, cluster, upkeep, refresh, spoolStatus));
    KnownQueues names = new KnownQueues(database.directory());
    database.primary().onChange(names::forgetAll);
    Guard guard = guard(names);
    return http.open(
            worker -> {
              List<Route> all =
                  new ArrayList<>(
                      HealthRoutes.of(
                          database.probe()::ask,
                          health,
                          drain::hasBegun,
                          version,
                          cluster::statistics,
                          worker));
              all.addAll(routes);
              all.add(OpenApi.route(vertx, all, version));
              // Not among the routes that are described: they are no interface.
              all.addAll(pages);
              return new RouteTable(all, guard);
            })
        .onSuccess(
            port ->
                // Together: the requests that HTTP waits for include the polls that wait.
                resources.add(
                    LAST_ANSWERS.plus(LAST_CLOSE),
                    () -> Future.join(http.close(LAST_ANSWERS), sidecars.stop()).mapEmpty()));
  }

  /** Push, pop, ack, transaction, lease and configure, in front of a broker. */
  private List<Route> clientRoutes(Broker broker, ObjectBounds bounds) {
    PopConfig pop = config.pop();
    return new BrokerApi(
            broker,
            config.workerId() + "@" + config.statistics().hostname() + ":" + config.http().port(),
            ids,
            limits,
            bodies,
            encryption,
            new PopDefaults(
                pop.defaultBatch(),
                pop.defaultTimeout(),
                pop.defaultSubscriptionMode() == SubscriptionMode.NEW
                    ? new Subscription.New()
                    : new Subscription.All()),
            pop.emptyStatus() == 200 ? EmptyPop.OK_WITH_BODY : EmptyPop.NO_CONTENT,
            bounds,
            clock)
        .routes();
  }

  private List<Route> operatorRoutes(
      Database database,
      Sidecars sidecars,
      Cluster cluster,
      Upkeep upkeep,
      StatisticsRefresh refresh,
      Supplier<SpoolStatus> spoolStatus) {
    StoreClient admin = database.admin();
    int live = config.statistics().liveLimit();
    ResourceQueries resourceQueries = new ResourceQueries(admin, shard, nanoTime, live);
    PayloadReader payloads = PayloadReader.with(encryption);
    PageReply pages = new PageReply(memory);
    SharedAnswers answers = new SharedAnswers(nanoTime, memory);
    database.primary().onChange(answers::forgetAll);
    // What brokers share, and how the polls of this one wait.
    Supplier<JsonObject> sharedState =
        () -> cluster.statistics().mergeIn(SidecarBlock.groups(sidecars.now()));
    return Stream.of(
            new OperatorRoutes(
                    vertx,
                    new OperatorRoutes.Sources(
                        resourceQueries,
                        refresh,
                        new ClusterQueries(admin, shard, config.statistics().maxMetricQueues()),
                        sidecars,
                        sharedState,
                        upkeep::figures,
                        spoolStatus,
                        http::figures),
                    new PrometheusMetrics(version, config.workerId(), config.sidecar().workers()),
                    answers,
                    config.auth().metricsNeedToken())
                .routes(),
            new StatusRoutes(
                    new StatusQueries(admin, shard, live),
                    resourceQueries,
                    sidecars::databaseMillis,
                    answers)
                .routes(),
            new AnalyticsRoutes(
                    new AnalyticsQueries(admin, shard, live), sidecars::databaseMillis, answers)
                .routes(),
            new GroupRoutes(sidecars, new GroupQueries(admin, shard, live), limits, bodies, answers)
                .routes(),
            new TraceRoutes(
                    new Traces(admin, shard, config.workerId()), payloads, limits, bodies, pages)
                .routes(),
            new MessageRoutes(
                    sidecars.operator(),
                    new MessageQueries(admin, shard, payloads),
                    limits,
                    bodies,
                    pages)
                .routes(),
            new ConsumerRoutes(sidecars.operator(), new LeaseQueries(admin, shard), answers)
                .routes(),
            new UpkeepRoutes(upkeep, new UpkeepQueries(admin), clock, answers).routes(),
            new EncryptionRoutes(new EncryptionQueries(admin, encryption, shard)).routes(),
            new MaintenanceRoutes(
                    cluster.maintenance(), spoolStatus, database.probe()::ask, limits, bodies)
                .routes(),
            new SharedStateRoutes(sharedState, cluster::notice, limits, bodies).routes(),
            new DashboardRoutes(
                    new DashboardRoutes.Sources(
                        new DashboardQueries(admin, shard, live),
                        sidecars,
                        sharedState,
                        spoolStatus,
                        cluster.maintenance(),
                        health),
                    answers,
                    config.workerId(),
                    version,
                    config.auth().enabled())
                .routes())
        .flatMap(List::stream)
        .toList();
  }

  private Guard guard(QueueNames names) {
    return new Guard(authenticator, new SkipPaths(config.auth().skipPaths()), audit, names);
  }

  // --- What is printed

  private static String describe(PostgresSource.External source, ReachedPostgres reached) {
    String pooler = reached.pooler() == Pooler.NONE ? "" : ", through a pooler in transaction mode";
    String unsafe =
        reached.durability().isSafe()
            ? ""
            : ", which can lose commits (" + reached.durability().whatIsOff() + ")";
    String others =
        source.servers().size() == 1
            ? ""
            : ", the one of %d servers that takes writes".formatted(source.servers().size());
    return "PostgreSQL "
        + reached.version()
        + " at "
        + reached.endpoint().describe()
        + others
        + pooler
        + unsafe;
  }

  private static String describe(PostgresSource.Embedded source, EmbeddedPostgres server) {
    return "PostgreSQL %s of our own at %s:%d, data in %s (%s)"
        .formatted(
            server.version(),
            server.address().host(),
            server.address().port(),
            source.dataFolder().toAbsolutePath().normalize(),
            server.fresh() ? "new" : "kept from before");
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
