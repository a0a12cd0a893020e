package dev.queenmq.server;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.config.ServerConfig;
import dev.queenmq.server.config.SpoolConfig;
import dev.queenmq.server.encryption.Encryption;
import dev.queenmq.server.spool.DatabaseWatch;
import dev.queenmq.server.spool.Replays;
import dev.queenmq.server.spool.SpoolStatus;
import dev.queenmq.server.spool.SpoolingBroker;
import dev.queenmq.server.spool.Spools;
import dev.queenmq.server.spool.log.Spool;
import dev.queenmq.server.spool.log.SpoolOptions;
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
  private final Spools spools;
  private final SpoolingBroker front;
  private final long maxBytes;

  private SpoolStart(
      Vertx vertx, Resources resources, Spools spools, SpoolingBroker front, long maxBytes) {
    this.vertx = vertx;
    this.resources = resources;
    this.spools = spools;
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
            () ->
                Spools.open(
                    settings.folder(),
                    settings.maxBytes(),
                    (folder, room) -> Spool.open(SpoolOptions.of(folder, room), encryption)))
        .map(
            spools -> {
              SpoolingBroker front =
                  new SpoolingBroker(
                      vertx, spools, settings.deadline(), config.sidecar().maxWaiting());
              resources.add(LAST_WRITES, () -> close(vertx, spools, front));
              return new SpoolStart(vertx, resources, spools, front, settings.maxBytes());
            });
  }

  private static Future<Void> close(Vertx vertx, Spools spools, SpoolingBroker front) {
    front.stop();
    return BlockingCall.run(
            vertx,
            "close-spool",
            () -> {
              spools.close();
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
  Connected connect(Broker store, DatabaseWatch watch, BooleanSupplier maintenance) {
    Replays replays = new Replays(spools, front, store, watch, maintenance);
    front.reaches(store, watch, maintenance);
    replays.start();
    resources.add(LAST_WRITES, () -> stop(replays, watch));
    return new Connected(
        front,
        () ->
            new SpoolStatus(
                true,
                spools.figures(),
                maxBytes,
                spools.hasRoom(),
                replays.replayed(),
                replays.buried(),
                watch.isAway()));
  }

  private Future<Void> stop(Replays replays, DatabaseWatch watch) {
    watch.stop();
    return BlockingCall.run(
            vertx,
            "stop-replay",
            () -> {
              replays.stop();
              return true;
            })
        .mapEmpty();
  }
}
