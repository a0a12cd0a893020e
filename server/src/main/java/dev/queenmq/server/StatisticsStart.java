package dev.queenmq.server;

import dev.queenmq.server.admin.history.BrokerIdentity;
import dev.queenmq.server.admin.history.CapacityMeasuring;
import dev.queenmq.server.admin.history.HistoryKeeper;
import dev.queenmq.server.admin.history.HistoryWriter;
import dev.queenmq.server.admin.history.StatisticsRefresh;
import dev.queenmq.server.broker.Figures;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.StatisticsConfig;
import dev.queenmq.server.metrics.MinuteRecorder;
import dev.queenmq.server.metrics.ProcessMeter;
import dev.queenmq.server.postgres.KeepAliveGuard;
import dev.queenmq.server.postgres.PrimaryFinder;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.json.JsonObject;
import io.vertx.pgclient.PgBuilder;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.PoolOptions;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** Starts what counts in the background: the minutes of this broker, and the sums over all. */
final class StatisticsStart {
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);

  /** One for the sums, one for measuring queues, one for the minutes. */
  private static final int CONNECTIONS = 3;

  /** A connection to a server that takes no writes any more does not stay for longer. */
  private static final int LONGEST_LIFE_SECONDS = 60;

  private final Vertx vertx;
  private final ServerConfig config;
  private final Resources resources;
  private final PrimaryFinder primary;

  StatisticsStart(Vertx vertx, ServerConfig config, Resources resources, PrimaryFinder primary) {
    this.vertx = vertx;
    this.config = config;
    this.resources = resources;
    this.primary = primary;
  }

  /** Ends after HTTP, so that the last minute has all of it. */
  StatisticsRefresh run(Figures figures, Supplier<JsonObject> sharedState) {
    StatisticsConfig rules = config.statistics();
    // Its own: those who ask must not wait for the sums to be made.
    Pool client =
        PgBuilder.pool()
            .connectingTo(() -> Future.succeededFuture(primary.options()))
            .with(
                KeepAliveGuard.transport(
                    config.session().connectTimeout(), config.sidecar().inflightDeadline()))
            .with(
                new PoolOptions()
                    .setMaxSize(CONNECTIONS)
                    .setMaxLifetime(LONGEST_LIFE_SECONDS)
                    .setMaxLifetimeUnit(TimeUnit.SECONDS))
            .using(vertx)
            .build();
    resources.add(LAST_CLOSE, client::close);
    HistoryKeeper keeper =
        new HistoryKeeper(
            vertx,
            new MinuteRecorder(
                figures,
                config.sidecar().workers(),
                new ProcessMeter()::read,
                sharedState,
                System::nanoTime),
            new HistoryWriter(
                StoreClient.of(client),
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
                Math.max(rules.queueDays(), rules.metricDays()) + 1));
    StatisticsRefresh refresh =
        new StatisticsRefresh(
            vertx,
            client,
            StoreOptions.defaults().shard(),
            rules.refreshInterval(),
            StatisticsRefresh.PAGE);
    CapacityMeasuring measuring =
        new CapacityMeasuring(
            vertx, client, StoreOptions.defaults().shard(), CapacityMeasuring.Rules.usual());
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
}
