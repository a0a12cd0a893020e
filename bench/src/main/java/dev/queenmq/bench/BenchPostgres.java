package dev.queenmq.bench;

import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.embedded.Standby;
import io.vertx.core.Vertx;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of a run's own. Its folder and its processes go away on {@link #close}, and with the
 * JVM however that ends, except by kill -9 (then PostgreSQL stops and the folder stays). Safe for
 * several threads.
 */
public final class BenchPostgres implements AutoCloseable {
  private static final Duration STREAMING_LIMIT = Duration.ofMinutes(1);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(50);

  private final TemporaryFolder folder;
  private EmbeddedPostgresConfig config;
  private final Vertx vertx = Vertx.vertx();
  private final AtExit atExit = new AtExit("bench-exit", this::release);
  private @Nullable EmbeddedPostgres server;
  private @Nullable StandbyServer standby;
  private int folders = 1;
  private volatile @Nullable PostgresAddress address;
  private boolean released;

  /** A server that follows the other one. */
  private record StandbyServer(EmbeddedPostgres server, EmbeddedPostgresConfig config) {}

  private BenchPostgres(TemporaryFolder folder, EmbeddedPostgresConfig config) {
    this.folder = folder;
    this.config = config;
    // A connection that is cut while it is idle has no other way to report it.
    vertx.exceptionHandler(failure -> {});
  }

  /** Starts one with durable settings, plus these. */
  public static BenchPostgres start(PostgresOptions options, Map<String, String> settings) {
    TemporaryFolder folder = TemporaryFolder.in(options.parent());
    EmbeddedPostgresConfig config =
        EmbeddedPostgresConfig.in(folder.path().resolve("data"))
            .withBinDir(options.binFolder())
            .withSettings(settings);
    if (options.binariesCache().isPresent()) {
      config = config.withBinariesCache(options.binariesCache().get());
    }
    BenchPostgres postgres = new BenchPostgres(folder, config);
    try {
      postgres.startServer();
      return postgres;
    } catch (RuntimeException e) {
      postgres.close();
      throw e;
    }
  }

  /** The Vert.x that everything of this run uses. */
  public Vertx vertx() {
    return vertx;
  }

  /** A new, empty database. */
  public BenchDatabase createDatabase(String name) {
    return BenchDatabase.create(vertx, address(), name);
  }

  /** Where the server is, or was last: a restart may change the port. Does not wait. */
  public PostgresAddress address() {
    PostgresAddress known = address;
    if (known == null) {
      throw new IllegalStateException("PostgreSQL did not start");
    }
    return known;
  }

  /** The process that a crash test kills. */
  public long postmasterPid() {
    return running().postmasterPid();
  }

  /** The same database, wherever the server is now. */
  public BenchDatabase database(String name) {
    return new BenchDatabase(vertx, address().withDatabase(name));
  }

  /** Starts the server again on its data after it was killed. */
  public synchronized void restart() {
    running().close();
    server = null;
    startServer();
  }

  /**
   * Starts a server that follows this one, from a copy that is made while this one works.
   *
   * @param synchronous whether this one waits for it before it says that a commit is done
   * @return where it is
   */
  public synchronized PostgresAddress addStandby(boolean synchronous) {
    EmbeddedPostgresConfig own =
        new EmbeddedPostgresConfig(
            folder.path().resolve("data-" + folders++),
            config.binDir(),
            Optional.of(
                config
                    .binariesCache()
                    .orElseGet(() -> folder.path().resolve("data").resolve("binaries"))),
            config.settings(),
            config.launcher(),
            config.startTimeout(),
            config.stopTimeout(),
            config.durable());
    try {
      EmbeddedPostgres started = Standby.start(config, running().address(), own, "standby");
      standby = new StandbyServer(started, own);
    } catch (EmbeddedPostgresException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    if (synchronous) {
      database("postgres").query("alter system set synchronous_standby_names = 'standby'");
      database("postgres").query("select pg_reload_conf()");
    }
    String state = synchronous ? "sync" : "async";
    if (!Blocking.await(STREAMING_LIMIT, POLL_INTERVAL, () -> state.equals(standbyState()))) {
      throw new IllegalStateException("the standby does not follow");
    }
    return standby().server.address();
  }

  /** As the server that it follows sees it; empty if it does not. */
  private String standbyState() {
    return database("postgres")
        .text("select coalesce(max(sync_state), '') from pg_stat_replication");
  }

  /** The standby does not hear of what is committed from now on. */
  public synchronized void cutStandby() {
    BenchDatabase deaf =
        new BenchDatabase(vertx, standby().server.address().withDatabase("postgres"));
    deaf.query("alter system set primary_conninfo = 'host=127.0.0.1 port=1'");
    deaf.query("select pg_reload_conf()");
    if (!Blocking.await(STREAMING_LIMIT, POLL_INTERVAL, () -> standbyState().isEmpty())) {
      throw new IllegalStateException("the standby still follows");
    }
  }

  /** Does without a standby, if there is one. */
  public synchronized void dropStandby() {
    if (standby != null) {
      standby.server.close();
      standby = null;
    }
    database("postgres").query("alter system reset synchronous_standby_names");
    database("postgres").query("select pg_reload_conf()");
  }

  /** Kills the server at once; when this returns it is gone, and its folder is free. */
  public synchronized void kill() {
    Optional<ProcessHandle> postmaster = ProcessHandle.of(postmasterPid());
    postmaster.ifPresent(
        process -> {
          process.destroyForcibly();
          process.onExit().join();
        });
  }

  /**
   * Lets the standby take the place of a server that was killed, and returns when it takes writes.
   * It has no standby of its own then.
   *
   * @return the folder of the server that was killed
   */
  public synchronized Path promote() {
    StandbyServer next = standby();
    EmbeddedPostgres old = running();
    Path left = config.dataDir();
    BenchDatabase promoted =
        new BenchDatabase(vertx, next.server.address().withDatabase("postgres"));
    // What cutStandby wrote would be copied to the next standby, which would not follow.
    promoted.query("alter system reset primary_conninfo");
    promoted.query("select pg_promote(true, 300)");
    server = next.server;
    config = next.config;
    address = next.server.address();
    standby = null;
    old.close();
    return left;
  }

  /** Removes the database from such a folder. The programs, which the others use, stay. */
  public static void discard(Path left) {
    new TemporaryFolder(left.resolve("postgres")).close();
  }

  /** Starts a server on a folder that {@link #promote} has left, for a look at what it has. */
  public synchronized BenchPostgres autopsy(Path left) {
    BenchPostgres old =
        new BenchPostgres(
            TemporaryFolder.in(Optional.of(folder.path())),
            new EmbeddedPostgresConfig(
                left,
                config.binDir(),
                config.binariesCache(),
                Map.of(),
                config.launcher(),
                config.startTimeout(),
                config.stopTimeout(),
                config.durable()));
    try {
      old.startServer();
      return old;
    } catch (RuntimeException e) {
      old.close();
      throw e;
    }
  }

  private StandbyServer standby() {
    if (standby == null) {
      throw new IllegalStateException("there is no standby");
    }
    return standby;
  }

  private synchronized void startServer() {
    if (released) {
      throw new IllegalStateException("the run is over");
    }
    try {
      EmbeddedPostgres started = EmbeddedPostgres.start(config);
      server = started;
      address = started.address();
    } catch (EmbeddedPostgresException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private synchronized EmbeddedPostgres running() {
    if (server == null) {
      throw new IllegalStateException("PostgreSQL does not run");
    }
    return server;
  }

  @Override
  public void close() {
    atExit.close();
  }

  private synchronized void release() {
    released = true;
    Blocking.get(vertx.close());
    if (server != null) {
      server.close();
    }
    if (standby != null) {
      standby.server.close();
    }
    folder.close();
  }
}
