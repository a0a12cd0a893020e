package dev.queenmq.testkit.broker;

import dev.queenmq.embedded.EmbeddedPostgres;
import dev.queenmq.embedded.EmbeddedPostgresConfig;
import dev.queenmq.embedded.EmbeddedPostgresException;
import dev.queenmq.embedded.PostgresAddress;
import dev.queenmq.server.migration.Migrations;
import dev.queenmq.testkit.internal.BrokerHost;
import dev.queenmq.testkit.internal.HostOptions;
import dev.queenmq.testkit.internal.RunningBroker;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.pgclient.PgConnectOptions;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An embedded PostgreSQL with a database that has the broker's schema and no data. Each broker gets
 * a copy of it, which takes a tenth of the time that the migrations take. The files of PostgreSQL
 * are kept for the next process, which needs no migrations at all: {@link KeptCluster}.
 */
public final class PostgresHost implements BrokerHost {
  private static final Logger log = LoggerFactory.getLogger(PostgresHost.class);
  private static final String TEMPLATE = "queen_testkit_template";

  /** As {@link EmbeddedPostgres} calls it in its folder. */
  private static final String CLUSTER = "postgres";

  /** Without room for logs that are written again: what is kept should be small. */
  private static final Map<String, String> SETTINGS =
      Map.of("max_connections", "300", "wal_recycle", "off", "min_wal_size", "32MB");

  private final Optional<KeptCluster> kept;
  private final Path data;
  private final EmbeddedPostgres postgres;
  private final Vertx vertx;
  private final Path folder;
  private boolean isComplete;
  private final AtomicInteger databases = new AtomicInteger();
  private final Map<String, DatabaseBroker> brokers = new ConcurrentHashMap<>();

  /** Databases that exist, or whose end is not known. */
  private final Set<String> undropped = ConcurrentHashMap.newKeySet();

  /** Starts it. */
  public PostgresHost(HostOptions options) {
    folder = options.run();
    kept = options.kept().map(KeptCluster::new);
    // Most of the time goes into loading classes, and PostgreSQL needs no Vert.x.
    Supplier<Vertx> making = BrokerThread.begin(PostgresHost::vertx);
    Started started;
    try {
      started = BrokerThread.call(() -> start(options, kept));
    } catch (RuntimeException e) {
      Calls.await(making.get().close());
      throw e;
    }
    data = started.data();
    postgres = started.postgres();
    vertx = making.get();
    if (!postgres.fresh()) {
      isComplete = true;
      return;
    }
    try {
      makeTemplate();
      isComplete = true;
    } finally {
      if (!isComplete) {
        close();
      }
    }
  }

  private record Started(EmbeddedPostgres postgres, Path data) {}

  private static Started start(HostOptions options, Optional<KeptCluster> kept) {
    Path old = options.run().resolve("kept");
    if (kept.isPresent() && kept.get().takeTo(old.resolve(CLUSTER))) {
      try {
        return start(options, old);
      } catch (EmbeddedPostgresException e) {
        log.info("The database of an earlier test run cannot be used: {}", e.getMessage());
      }
    }
    try {
      return start(options, options.run().resolve("data"));
    } catch (EmbeddedPostgresException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
  }

  private static Started start(HostOptions options, Path data) throws EmbeddedPostgresException {
    return new Started(
        EmbeddedPostgres.start(
            EmbeddedPostgresConfig.in(data)
                .withBinDir(options.postgresBin())
                .withBinariesCache(options.binaries())
                .withoutDurability()
                .withSettings(SETTINGS)),
        data);
  }

  private static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setUseDaemonThread(true)
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1));
  }

  private void makeTemplate() {
    try (Database system = open(postgres.address().database())) {
      system.run("create database " + TEMPLATE);
      // Of the role, since a copy of a database has none of its settings.
      system.run("alter role current_user set search_path = queen_testkit, pg_catalog");
    }
    try (Database template = open(TEMPLATE)) {
      template.runScript("clock.sql");
      Calls.await(Migrations.run(vertx, options(TEMPLATE), System::nanoTime));
      template.runScript("defaults.sql");
      template.runScript("figures.sql");
    }
  }

  @Override
  public RunningBroker start(Map<String, String> settings) {
    return BrokerThread.call(() -> startBroker(settings));
  }

  private RunningBroker startBroker(Map<String, String> settings) {
    String name = "queen_" + databases.incrementAndGet();
    undropped.add(name);
    try (Database system = open(postgres.address().database())) {
      system.run("create database %s template %s".formatted(name, TEMPLATE));
    }
    Database database = open(name);
    DatabaseBroker broker = null;
    try {
      broker = new DatabaseBroker(environment(name, settings), database, () -> drop(name));
      brokers.put(name, broker);
      return broker;
    } finally {
      if (broker == null) {
        database.close();
        drop(name);
      }
    }
  }

  private Map<String, String> environment(String database, Map<String, String> settings) {
    PostgresAddress address = postgres.address();
    Map<String, String> environment = new HashMap<>();
    environment.put("HOST", "127.0.0.1");
    environment.put("PORT", "0");
    environment.put("PG_HOST", address.host());
    environment.put("PG_PORT", Integer.toString(address.port()));
    environment.put("PG_DB", database);
    environment.put("PG_USER", address.user());
    environment.put("PG_PASSWORD", address.password());
    environment.put("QUEEN_ALLOW_UNSAFE_POSTGRES", "true");
    environment.put("DB_POOL_SIZE", "10");
    environment.put("NUM_WORKERS", "2");
    environment.put("QUEEN_SPOOL_DIR", folder.resolve("spool-" + database).toString());
    // A busy machine is no outage.
    environment.put("QUEEN_SPOOL_DEADLINE_MS", "60000");
    environment.put("DB_CONNECTION_TIMEOUT", "60000");
    environment.putAll(settings);
    return environment;
  }

  private void drop(String name) {
    brokers.remove(name);
    try (Database system = open(postgres.address().database())) {
      system.run("drop database if exists %s with (force)".formatted(name));
    }
    undropped.remove(name);
  }

  private Database open(String name) {
    return Database.open(vertx, options(name));
  }

  private PgConnectOptions options(String database) {
    PostgresAddress address = postgres.address();
    return new PgConnectOptions()
        .setHost(address.host())
        .setPort(address.port())
        .setDatabase(database)
        .setUser(address.user())
        .setPassword(address.password());
  }

  @Override
  public void close() {
    brokers.values().forEach(broker -> attempt(broker::close));
    // Of brokers that could not be closed in order.
    undropped.forEach(name -> attempt(() -> drop(name)));
    Calls.await(vertx.close());
    postgres.close();
    // The next process gives its databases the same names.
    if (isComplete && undropped.isEmpty()) {
      kept.ifPresent(place -> place.putBack(data.resolve(CLUSTER), folder));
    }
  }

  /** What fails must not keep PostgreSQL from its end. */
  private static void attempt(Runnable work) {
    try {
      work.run();
    } catch (RuntimeException e) {
      log.debug("A broker or its database was not removed", e);
    }
  }
}
