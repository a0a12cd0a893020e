package dev.queenmq.server;

import dev.queenmq.server.cluster.Cluster;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.StatisticsConfig;
import dev.queenmq.server.config.UpkeepConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.postgres.KeepAliveGuard;
import dev.queenmq.server.store.call.StoreClient;
import dev.queenmq.server.store.call.StoreOptions;
import dev.queenmq.server.store.upkeep.HistoryTable;
import dev.queenmq.server.store.upkeep.ResealStore;
import dev.queenmq.server.store.upkeep.UpkeepStore;
import dev.queenmq.server.upkeep.Resealing;
import dev.queenmq.server.upkeep.Upkeep;
import dev.queenmq.server.upkeep.UpkeepOptions;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.pgclient.PgBuilder;
import io.vertx.pgclient.PgConnectOptions;
import io.vertx.sqlclient.PoolOptions;
import io.vertx.sqlclient.SqlClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Puts together what is done in the background. */
final class UpkeepStart {
  /** A broker that takes no step for so long has lost its job. */
  private static final Duration LEASE = Duration.ofSeconds(30);

  private static final Duration LAST_STEPS = Duration.ofSeconds(1);
  private static final Duration LAST_CLOSE = Duration.ofSeconds(1);
  private static final int NAME_DIGITS = 8;

  private UpkeepStart() {}

  /** Upkeep on a connection of its own, so that it never stands in the way of messages. */
  static Upkeep run(
      Vertx vertx,
      ServerConfig config,
      PgConnectOptions postgres,
      Resources resources,
      Cluster cluster,
      Encryption encryption) {
    SqlClient client =
        PgBuilder.client()
            .connectingTo(postgres)
            .with(
                KeepAliveGuard.transport(
                    config.session().connectTimeout(), config.sidecar().inflightDeadline()))
            .with(new PoolOptions().setMaxSize(1))
            .using(vertx)
            .build();
    resources.add(LAST_CLOSE, client::close);
    Context context = vertx.getOrCreateContext();
    short shard = StoreOptions.defaults().shard();
    Upkeep upkeep =
        new Upkeep(
            context,
            new UpkeepStore(StoreClient.of(client), shard, LEASE),
            options(config),
            cluster::partitionsDeleted,
            encryption.cipher().canSeal()
                ? Optional.of(
                    new Resealing(
                        context,
                        new ResealStore(
                            StoreClient.of(client),
                            encryption,
                            shard,
                            UUID.randomUUID(),
                            ResealStore.Page.usual())))
                : Optional.empty());
    resources.add(LAST_STEPS, upkeep::stop);
    upkeep.start();
    return upkeep;
  }

  private static UpkeepOptions options(ServerConfig config) {
    UpkeepConfig sizes = config.upkeep();
    return new UpkeepOptions(
        config.cluster().serverId() + "/" + UUID.randomUUID().toString().substring(0, NAME_DIGITS),
        sizes.retentionInterval(),
        sizes.retentionBatch(),
        sizes.evictionInterval(),
        sizes.evictionBatch(),
        sizes.cleanupInterval(),
        sizes.partitionDays(),
        sizes.deadLetterDays(),
        history(config.statistics()));
  }

  private static List<HistoryTable> history(StatisticsConfig kept) {
    List<HistoryTable> tables = new ArrayList<>(UpkeepOptions.OWN_HISTORY);
    tables.add(new HistoryTable("minute_queues", "minute", kept.queueDays()));
    tables.add(new HistoryTable("minute_workers", "minute", kept.metricDays()));
    tables.add(new HistoryTable("minute_system", "minute", kept.metricDays()));
    return tables;
  }
}
