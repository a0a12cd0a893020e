package dev.queenmq.server;

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
import dev.queenmq.server.admin.history.ClusterQueries;
import dev.queenmq.server.admin.history.DashboardQueries;
import dev.queenmq.server.admin.history.StatisticsRefresh;
import dev.queenmq.server.admin.history.StatusQueries;
import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.CallTracing;
import dev.queenmq.server.cluster.Cluster;
import dev.queenmq.server.config.BackoffConfig;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SidecarConfig;
import dev.queenmq.server.config.StatisticsConfig;
import dev.queenmq.server.encryption.Encryption;
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
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.Guard;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.routing.TracedRoutes;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.http.server.SwappableHttpServer;
import dev.queenmq.server.http.streams.StreamRoutes;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.metrics.PrometheusMetrics;
import dev.queenmq.server.metrics.SidecarBlock;
import dev.queenmq.server.postgres.Backends;
import dev.queenmq.server.postgres.PostgresProbe;
import dev.queenmq.server.postgres.ReachedPostgres;
import dev.queenmq.server.postgres.SharedSlots;
import dev.queenmq.server.postgres.Slots;
import dev.queenmq.server.sidecar.SidecarLimits;
import dev.queenmq.server.sidecar.Sidecars;
import dev.queenmq.server.sidecar.waiting.BackoffRules;
import dev.queenmq.server.spool.DatabaseWatch;
import dev.queenmq.server.spool.SpoolStatus;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.upkeep.Upkeep;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Starts the broker proper, on a PostgreSQL that is ready: workers, sidecars, HTTP. */
final class BrokerStart {
  private static final Duration HEALTH_TIMEOUT = Duration.ofSeconds(1);
  private static final Duration DURABILITY_PERIOD = Duration.ofSeconds(15);
  private static final Duration BACKENDS_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(4);
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  /** Connections for operators' questions. */
  private static final int ADMIN_CONNECTIONS = 2;

  /** Operators' questions that may wait for one of them; further ones are answered 503. */
  private static final int ADMIN_WAITING = 256;

  /** Connections for what pops and authorization must know of queues: never behind a page. */
  private static final int NAMES_CONNECTIONS = 2;

  private static final int NAMES_WAITING = 10_000;

  /**
   * The ways to PostgreSQL.
   *
   * @param admin for operators' questions
   * @param store among the workers' own
   * @param backends who works on what was sent
   */
  private record Lines(
      PostgresProbe probe, StoreClient admin, StoreClient store, Backends backends) {}

  private final Vertx vertx;
  private final ServerConfig config;
  private final Resources resources;
  private final String version;
  private final Encryption encryption;
  private final Optional<SpoolStart> spool;
  private final SwappableHttpServer door;
  private final ApiStart api;
  private final AuthStart auth;
  private final PostgresHealth health;
  private final Drain drain;

  BrokerStart(
      Vertx vertx,
      ServerConfig config,
      Resources resources,
      String version,
      Encryption encryption,
      Optional<SpoolStart> spool,
      SwappableHttpServer door,
      ApiStart api,
      AuthStart auth,
      PostgresHealth health,
      Drain drain) {
    this.vertx = vertx;
    this.config = config;
    this.resources = resources;
    this.version = version;
    this.encryption = encryption;
    this.spool = spool;
    this.door = door;
    this.api = api;
    this.auth = auth;
    this.health = health;
    this.drain = drain;
  }

  /** The port that it listens on. */
  Future<Integer> run(ReachedPostgres postgres) {
    SidecarConfig sizes = config.sidecar();
    Optional<TracingStart.Started> tracing =
        config.statistics().tracing().map(on -> TracingStart.run(on, version, resources));
    Backends backends = new Backends(vertx, postgres.primary(), BACKENDS_TIMEOUT);
    SharedSlots operators = slots(postgres, backends, ADMIN_CONNECTIONS, ADMIN_WAITING);
    resources.add(LAST_CLOSE, operators::close);
    SharedSlots names = slots(postgres, backends, NAMES_CONNECTIONS, NAMES_WAITING);
    resources.add(LAST_CLOSE, names::close);
    StoreClient admin = operators::call;
    health.found(postgres.durability());
    PostgresProbe probe =
        new PostgresProbe(vertx, postgres.primary(), HEALTH_TIMEOUT, health::found);
    resources.add(LAST_CLOSE, probe::close);
    // A server that came back, or read its configuration again, may have other settings.
    vertx.setPeriodic(DURABILITY_PERIOD.toMillis(), look -> probe.ask());
    QueueDirectory directory = new QueueDirectory(names::call, StoreOptions.defaults().shard());
    Cluster cluster = new Cluster(vertx, config.cluster(), directory, new SystemState(names::call));
    resources.add(LAST_CLOSE, cluster::stop);
    postgres.primary().onChange(cluster::serverChanged);
    return Workers.start(
            vertx,
            postgres.primary(),
            postgres.hasFixedPlans(),
            backends,
            new Workers.Size(sizes.workers(), sizes.slots(), sizes.inflightDeadline()),
            encryption,
            api.memory())
        .compose(
            workers -> {
              resources.add(LAST_CLOSE, workers::close);
              Sidecars sidecars =
                  new Sidecars(
                      vertx,
                      workers.places(),
                      limits(),
                      new BrokerDirectory(directory),
                      workers.appends(),
                      cluster.peers(),
                      tracing.map(TracingStart.Started::calls).orElse(CallTracing.NONE));
              workers.onForgotten(sidecars::serverChanged);
              Lines lines = new Lines(probe, admin, workers.client(), backends);
              return sidecars
                  .start()
                  .compose(on -> cluster.start(sidecars))
                  .compose(on -> listen(sidecars, cluster, lines, directory, postgres, tracing));
            });
  }

  private SharedSlots slots(
      ReachedPostgres postgres, Backends backends, int connections, int maxWaiting) {
    Context context = vertx.getOrCreateContext();
    return new SharedSlots(
        context,
        Slots.of(
            vertx,
            context,
            postgres.primary(),
            backends,
            connections,
            maxWaiting,
            config.sidecar().inflightDeadline()));
  }

  private Future<Integer> listen(
      Sidecars sidecars,
      Cluster cluster,
      Lines lines,
      QueueDirectory directory,
      ReachedPostgres postgres,
      Optional<TracingStart.Started> tracing) {
    PostgresProbe probe = lines.probe;
    StoreClient admin = lines.admin;
    Upkeep upkeep =
        UpkeepStart.run(
            vertx, config, postgres.primary(), lines.backends, resources, cluster, encryption);
    HttpLimits limits = api.limits();
    BodyHandler uploads = api.uploads();
    PageReply pages = new PageReply(api.memory());
    short shard = StoreOptions.defaults().shard();
    StatisticsConfig statistics = config.statistics();
    int live = statistics.liveLimit();
    ResourceQueries resourceQueries = new ResourceQueries(admin, shard, System::nanoTime, live);
    StatisticsStart background = new StatisticsStart(vertx, config, resources, postgres.primary());
    StatisticsRefresh refresh = background.run(sidecars, cluster::statistics);
    Optional<SpoolStart.Connected> kept =
        spool.map(each -> connect(each, sidecars, cluster, lines));
    Broker front = kept.<Broker>map(SpoolStart.Connected::front).orElse(sidecars);
    Supplier<SpoolStatus> status =
        () -> kept.map(SpoolStart.Connected::status).orElseGet(SpoolStatus::none);
    ObjectBounds bounds =
        new ObjectBounds(config.bounds(), new BrokerObjects(directory), System::nanoTime);
    SharedAnswers answers = new SharedAnswers(System::nanoTime);
    postgres.primary().onChange(bounds::startOver);
    postgres.primary().onChange(answers::forgetAll);
    List<Route> messages = api.of(front, bounds).routes();
    List<Route> routes =
        new ArrayList<>(
            tracing.map(each -> TracedRoutes.of(messages, each.requests())).orElse(messages));
    routes.addAll(
        new OperatorRoutes(
                vertx,
                new OperatorRoutes.Sources(
                    resourceQueries,
                    refresh,
                    new ClusterQueries(admin, shard, statistics.maxMetricQueues()),
                    sidecars,
                    () -> sharedState(cluster, sidecars),
                    upkeep::figures,
                    status,
                    door::figures),
                new PrometheusMetrics(version, config.workerId(), config.sidecar().workers()),
                answers,
                config.auth().metricsNeedToken())
            .routes());
    routes.addAll(
        new StatusRoutes(
                new StatusQueries(admin, shard, live),
                resourceQueries,
                sidecars::databaseMillis,
                answers)
            .routes());
    routes.addAll(
        new AnalyticsRoutes(
                new AnalyticsQueries(admin, shard, live), sidecars::databaseMillis, answers)
            .routes());
    routes.addAll(
        new GroupRoutes(sidecars, new GroupQueries(admin, shard, live), limits, uploads, answers)
            .routes());
    routes.addAll(
        new TraceRoutes(
                new Traces(admin, shard, config.workerId()),
                PayloadReader.with(encryption),
                limits,
                uploads,
                pages)
            .routes());
    routes.addAll(
        new MessageRoutes(
                sidecars.operator(),
                new MessageQueries(admin, shard, PayloadReader.with(encryption)),
                limits,
                uploads,
                pages)
            .routes());
    routes.addAll(
        new ConsumerRoutes(sidecars.operator(), new LeaseQueries(admin, shard), answers).routes());
    routes.addAll(
        new StreamRoutes(
                sidecars.streams(),
                api.ids(),
                limits,
                uploads,
                bounds,
                new AnswerMemory(api.memory()))
            .routes());
    routes.addAll(
        new UpkeepRoutes(upkeep, new UpkeepQueries(admin), InstantSource.system(), answers)
            .routes());
    routes.addAll(new EncryptionRoutes(new EncryptionQueries(admin, encryption, shard)).routes());
    routes.addAll(
        new MaintenanceRoutes(cluster.maintenance(), status, probe::ask, limits, uploads).routes());
    routes.addAll(
        new SharedStateRoutes(
                () -> sharedState(cluster, sidecars), cluster::notice, limits, uploads)
            .routes());
    boolean tokens = config.auth().enabled();
    routes.addAll(
        new DashboardRoutes(
                new DashboardRoutes.Sources(
                    new DashboardQueries(admin, shard, live),
                    sidecars,
                    () -> sharedState(cluster, sidecars),
                    status,
                    cluster.maintenance(),
                    health),
                answers,
                config.workerId(),
                version,
                tokens)
            .routes());
    // Not among the routes that are described: they are pages, not an interface.
    List<Route> dashboard =
        statistics.dashboard() ? new DashboardPages(version, tokens).routes() : List.of();
    KnownQueues names = new KnownQueues(directory);
    postgres.primary().onChange(names::forgetAll);
    Guard guard = auth.guard(names);
    return door.open(
            worker -> {
              List<Route> all =
                  new ArrayList<>(
                      HealthRoutes.of(
                          probe::ask,
                          health,
                          drain::hasBegun,
                          version,
                          cluster::statistics,
                          worker));
              all.addAll(routes);
              all.add(OpenApi.route(all, version));
              all.addAll(dashboard);
              return new RouteTable(all, guard);
            })
        .onSuccess(
            port ->
                // Together: the requests that HTTP waits for include the polls that wait.
                resources.add(
                    LAST_ANSWERS.plus(LAST_CLOSE),
                    () -> Future.join(door.close(LAST_ANSWERS), sidecars.stop()).mapEmpty()));
  }

  private SpoolStart.Connected connect(
      SpoolStart kept, Sidecars sidecars, Cluster cluster, Lines lines) {
    return kept.connect(
        sidecars, new DatabaseWatch(vertx, lines.probe::ask), cluster.maintenance()::ofPushes);
  }

  private SidecarLimits limits() {
    SidecarConfig sizes = config.sidecar();
    BackoffConfig backoff = config.pop().backoff();
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

  /** What brokers share, and how the polls of this one wait. */
  private static JsonObject sharedState(Cluster cluster, Sidecars sidecars) {
    return cluster.statistics().mergeIn(SidecarBlock.groups(sidecars.now()));
  }
}
