package dev.queenmq.server;

import dev.queenmq.server.cluster.Cluster;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.StatisticsConfig;
import dev.queenmq.server.config.UpkeepConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.postgres.Backends;
import dev.queenmq.server.postgres.PrimaryFinder;
import dev.queenmq.server.postgres.SharedSlots;
import dev.queenmq.server.postgres.Slots;
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

  /** Each job has one step under way at most; this is for a defect. */
  private static final int MOST_WAITING = 1_000;

  private UpkeepStart() {}

  /** Upkeep on a connection of its own, so that it never stands in the way of messages. */
  static Upkeep run(
      Vertx vertx,
      ServerConfig config,
      PrimaryFinder primary,
      Backends backends,
      Resources resources,
      Cluster cluster,
      Encryption encryption) {
    Context context = vertx.getOrCreateContext();
    SharedSlots line =
        new SharedSlots(
            context,
            Slots.of(
                vertx,
                context,
                primary,
                backends,
                1,
                MOST_WAITING,
                config.sidecar().inflightDeadline()));
    resources.add(LAST_CLOSE, line::close);
    StoreClient client = line::call;
    short shard = StoreOptions.defaults().shard();
    Upkeep upkeep =
        new Upkeep(
            context,
            new UpkeepStore(client, shard, LEASE),
            options(config),
            cluster::partitionsDeleted,
            encryption.cipher().canSeal()
                ? Optional.of(
                    new Resealing(
                        context,
                        new ResealStore(
                            client,
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
