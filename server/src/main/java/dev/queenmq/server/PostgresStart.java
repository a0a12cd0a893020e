package dev.queenmq.server;

import dev.queenmq.embedded.ClaimedFolder;
import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.server.config.PostgresSource;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SessionConfig;
import dev.queenmq.server.config.values.Pooler;
import dev.queenmq.server.config.values.PostgresEndpoint;
import dev.queenmq.server.config.values.Secret;
import dev.queenmq.server.config.values.Tls;
import dev.queenmq.server.postgres.Backoff;
import dev.queenmq.server.postgres.PostgresGate;
import dev.queenmq.server.postgres.ReachedPostgres;
import dev.queenmq.server.postgres.UnsafePostgresException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gets hold of a PostgreSQL that answers: the operator's, or one of our own. */
final class PostgresStart {

  private static final Logger log = LoggerFactory.getLogger(PostgresStart.class);

  /** Crash recovery of a large database takes its time. */
  private static final Duration LONGEST_START = Duration.ofMinutes(10);

  private static final Duration LONGEST_STOP = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final ServerConfig config;
  private final Backoff backoff;
  private final Resources resources;
  private final Consumer<String> console;
  private final Optional<ClaimedFolder> folder;

  /**
   * A start.
   *
   * @param folder of a PostgreSQL of our own; empty for the operator's
   */
  PostgresStart(
      Vertx vertx,
      ServerConfig config,
      Backoff backoff,
      Resources resources,
      Consumer<String> console,
      Optional<ClaimedFolder> folder) {
    this.vertx = vertx;
    this.config = config;
    this.backoff = backoff;
    this.resources = resources;
    this.console = console;
    this.folder = folder;
  }

  /**
   * Reserves the folder of a PostgreSQL of our own. Fails, and has changed nothing, if one cannot
   * be started there.
   */
  static Future<Optional<ClaimedFolder>> claim(Vertx vertx, ServerConfig config) {
    if (!(config.postgres() instanceof PostgresSource.Embedded source)) {
      return Future.succeededFuture(Optional.empty());
    }
    EmbeddedPostgresConfig settings =
        EmbeddedPostgresConfig.in(source.dataFolder())
            .withBinDir(source.binFolder())
            .withTimeouts(LONGEST_START, LONGEST_STOP);
    return BlockingCall.run(
        vertx, "check-folder", () -> Optional.of(EmbeddedPostgres.claim(settings)));
  }

  /**
   * Waits for it, for as long as the configuration says.
   *
   * @param whileAway gets the reason whenever it has to wait for the operator's, and lets it wait
   *     for ever
   */
  Future<ReachedPostgres> run(Optional<Consumer<String>> whileAway) {
    if (config.postgres() instanceof PostgresSource.External external) {
      return whileAway
          .map(
              told ->
                  new PostgresGate(
                      vertx, config.session(), ChronoUnit.FOREVER.getDuration(), backoff, told))
          .orElseGet(
              () -> new PostgresGate(vertx, config.session(), config.startTimeout(), backoff))
          .enter(external.servers())
          .compose(reached -> refuseUnsafe(external, reached))
          .onSuccess(reached -> console.accept(external(external, reached)));
    }
    PostgresSource.Embedded source = (PostgresSource.Embedded) config.postgres();
    return start()
        .onSuccess(server -> console.accept(embedded(source, server)))
        .compose(server -> enter(endpoint(server.address()), config.session().with(Pooler.NONE)));
  }

  /** The one that we start is asked by itself. */
  private static Future<ReachedPostgres> refuseUnsafe(
      PostgresSource.External external, ReachedPostgres reached) {
    return reached.durability().isSafe() || external.allowUnsafe()
        ? Future.succeededFuture(reached)
        : Future.failedFuture(
            new UnsafePostgresException(reached.endpoint(), reached.durability()));
  }

  private Future<ReachedPostgres> enter(PostgresEndpoint endpoint, SessionConfig session) {
    return new PostgresGate(vertx, session, config.startTimeout(), backoff).enter(endpoint);
  }

  private Future<EmbeddedPostgres> start() {
    ClaimedFolder claimed = folder.orElseThrow();
    Future<EmbeddedPostgres> starting = BlockingCall.run(vertx, "start-postgres", claimed::start);
    // Added before it has started: whoever stops us meanwhile waits for it, and then stops it.
    resources.add(
        LONGEST_STOP.multipliedBy(2),
        () ->
            starting.transform(
                result -> result.succeeded() ? stop(result.result()) : Future.succeededFuture()));
    return starting.onSuccess(this::watch);
  }

  private void watch(EmbeddedPostgres server) {
    Future.fromCompletionStage(server.exited())
        .onSuccess(
            ended -> {
              if (!resources.closing()) {
                log.error("our PostgreSQL has ended by itself; restart the broker");
              }
            });
  }

  private Future<Void> stop(EmbeddedPostgres server) {
    return BlockingCall.run(
            vertx,
            "stop-postgres",
            () -> {
              server.close();
              return true;
            })
        .mapEmpty();
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

  private static String external(PostgresSource.External source, ReachedPostgres reached) {
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

  private static String embedded(PostgresSource.Embedded source, EmbeddedPostgres server) {
    return "PostgreSQL %s of our own at %s:%d, data in %s (%s)"
        .formatted(
            server.version(),
            server.address().host(),
            server.address().port(),
            source.dataFolder().toAbsolutePath().normalize(),
            server.fresh() ? "new" : "kept from before");
  }
}
