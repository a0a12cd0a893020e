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
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An embedded PostgreSQL with a database that has the broker's schema and no data. Each broker gets
 * a copy of it, which takes a tenth of the time that the migrations take.
 */
public final class PostgresHost implements BrokerHost {
  private static final String TEMPLATE = "queen_testkit_template";

  private final EmbeddedPostgres postgres;
  private final Vertx vertx;
  private final Path folder;
  private final AtomicInteger databases = new AtomicInteger();
  private final Set<DatabaseBroker> brokers = ConcurrentHashMap.newKeySet();

  /** Starts it. */
  public PostgresHost(HostOptions options) {
    folder = options.run();
    postgres = BrokerThread.call(() -> start(options));
    vertx = BrokerThread.call(PostgresHost::vertx);
    boolean made = false;
    try {
      makeTemplate();
      made = true;
    } finally {
      if (!made) {
        close();
      }
    }
  }

  private static EmbeddedPostgres start(HostOptions options) {
    try {
      return EmbeddedPostgres.start(
          EmbeddedPostgresConfig.in(options.run().resolve("data"))
              .withBinDir(options.postgresBin())
              .withBinariesCache(options.binaries())
              .withoutDurability()
              .withSettings(Map.of("max_connections", "300")));
    } catch (EmbeddedPostgresException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
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
      Calls.await(Migrations.run(vertx, options(TEMPLATE)));
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
    try (Database system = open(postgres.address().database())) {
      system.run("create database %s template %s".formatted(name, TEMPLATE));
    }
    Database database = open(name);
    DatabaseBroker broker = null;
    try {
      broker = new DatabaseBroker(environment(name, settings), database, () -> drop(name));
      brokers.add(broker);
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
    environment.putAll(settings);
    return environment;
  }

  private void drop(String name) {
    try (Database system = open(postgres.address().database())) {
      system.run("drop database %s with (force)".formatted(name));
    }
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
    brokers.forEach(DatabaseBroker::close);
    Calls.await(vertx.close());
    postgres.close();
  }
}
