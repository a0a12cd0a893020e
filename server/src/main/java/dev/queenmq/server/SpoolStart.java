package dev.queenmq.server;

import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SpoolConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.sidecar.Broker;
import dev.queenmq.server.spool.Spool;
import dev.queenmq.server.spool.SpoolOptions;
import dev.queenmq.server.spooling.DatabaseWatch;
import dev.queenmq.server.spooling.Replay;
import dev.queenmq.server.spooling.SpoolStatus;
import dev.queenmq.server.spooling.SpoolingBroker;
import dev.queenmq.server.store.StoredMessages;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** The spool of a broker and what belongs to it, from before PostgreSQL is there. */
final class SpoolStart {
  private static final Duration LAST_WRITES = Duration.ofSeconds(5);

  private final Vertx vertx;
  private final Resources resources;
  private final Spool spool;
  private final SpoolingBroker front;
  private final long maxBytes;

  private SpoolStart(
      Vertx vertx, Resources resources, Spool spool, SpoolingBroker front, long maxBytes) {
    this.vertx = vertx;
    this.resources = resources;
    this.spool = spool;
    this.front = front;
    this.maxBytes = maxBytes;
  }

  /** Opens the folder; fails with a text for people if that cannot be. */
  static Future<SpoolStart> open(
      Vertx vertx, ServerConfig config, Resources resources, Encryption encryption) {
    SpoolConfig settings = config.spool();
    return BlockingCall.run(
            vertx,
            "open-spool",
            () -> Spool.open(SpoolOptions.of(settings.folder(), settings.maxBytes()), encryption))
        .map(
            spool -> {
              SpoolingBroker front =
                  new SpoolingBroker(
                      vertx, spool, settings.deadline(), config.sidecar().maxWaiting());
              resources.add(LAST_WRITES, () -> close(vertx, spool, front));
              return new SpoolStart(vertx, resources, spool, front, settings.maxBytes());
            });
  }

  private static Future<Void> close(Vertx vertx, Spool spool, SpoolingBroker front) {
    front.stop();
    return BlockingCall.run(
            vertx,
            "close-spool",
            () -> {
              spool.close();
              return true;
            })
        .mapEmpty();
  }

  /** Takes pushes. */
  SpoolingBroker front() {
    return front;
  }

  /** The spool of a broker that has reached PostgreSQL. */
  record Connected(SpoolingBroker front, Supplier<SpoolStatus> figures) {
    SpoolStatus status() {
      return figures.get();
    }
  }

  /** PostgreSQL is there: what is in the spool goes on, and pushes go to the store. */
  Connected connect(
      Broker store, StoredMessages stored, DatabaseWatch watch, BooleanSupplier maintenance) {
    Replay replay = new Replay(spool, front, store, stored::among, watch, maintenance);
    front.reaches(store, watch, maintenance);
    replay.start();
    resources.add(LAST_WRITES, () -> stop(replay, watch));
    return new Connected(
        front,
        () ->
            new SpoolStatus(
                true,
                spool.figures(),
                maxBytes,
                replay.replayed(),
                replay.buried(),
                watch.isAway()));
  }

  private Future<Void> stop(Replay replay, DatabaseWatch watch) {
    watch.stop();
    return BlockingCall.run(
            vertx,
            "stop-replay",
            () -> {
              replay.stop();
              return true;
            })
        .mapEmpty();
  }
}
