package dev.queenmq.bench;

import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.PostgresAddress;
import io.vertx.core.Vertx;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A PostgreSQL of a run's own. Its folder and its processes go away on {@link #close}, and with the
 * JVM however that ends, except by kill -9 (then PostgreSQL stops and the folder stays). Safe for
 * several threads.
 */
public final class BenchPostgres implements AutoCloseable {
  private final TemporaryFolder folder;
  private final EmbeddedPostgresConfig config;
  private final Vertx vertx = Vertx.vertx();
  private final AtExit atExit = new AtExit("bench-exit", this::release);
  private @Nullable EmbeddedPostgres server;
  private volatile @Nullable PostgresAddress address;
  private boolean released;

  private BenchPostgres(TemporaryFolder folder, EmbeddedPostgresConfig config) {
    this.folder = folder;
    this.config = config;
    // A connection that is cut while nobody uses it has nobody else to tell.
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
    folder.close();
  }
}
