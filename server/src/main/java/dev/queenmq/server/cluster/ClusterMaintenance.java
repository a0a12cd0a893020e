package dev.queenmq.server.cluster;

import dev.queenmq.server.admin.SystemState;
import dev.queenmq.server.admin.SystemState.Switch;
import dev.queenmq.server.broker.Maintenance;
import dev.queenmq.server.sharedstate.MaintenanceFlags.Flag;
import dev.queenmq.server.sharedstate.MaintenanceFlags.Flags;
import dev.queenmq.server.sharedstate.SharedState;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * The switches of maintenance: PostgreSQL keeps them, brokers notify each other of a change, and
 * each reads them again every few seconds, in case a packet was lost.
 */
public final class ClusterMaintenance implements Maintenance {
  private static final long REFRESH_MILLIS = 2_000;

  private final SystemState switches;
  private final SharedState state;

  ClusterMaintenance(SystemState switches, SharedState state) {
    this.switches = switches;
    this.state = state;
  }

  /** What PostgreSQL has. */
  static CompletionStage<Flags> load(SystemState switches) {
    return switches
        .all()
        .map(
            all ->
                new Flags(
                    flag(all, SystemState.MAINTENANCE), flag(all, SystemState.POP_MAINTENANCE)))
        .toCompletionStage();
  }

  private static Optional<Flag> flag(Map<String, Switch> all, String name) {
    return Optional.ofNullable(all.get(name)).map(found -> new Flag(found.on(), found.millis()));
  }

  /** Reads them now, and from time to time. */
  Future<Void> start(Vertx vertx) {
    vertx.setPeriodic(
        REFRESH_MILLIS,
        tick -> {
          // One that fails changes nothing; the next will do.
          var unused = refresh();
        });
    return Future.fromCompletionStage(refresh());
  }

  private CompletionStage<Void> refresh() {
    return state.maintenance().refresh(() -> load(switches));
  }

  @Override
  public boolean ofPushes() {
    return state.maintenance().maintenance();
  }

  @Override
  public boolean ofPops() {
    return state.maintenance().popMaintenance();
  }

  @Override
  public Future<Void> setPushes(boolean on) {
    return switches
        .set(SystemState.MAINTENANCE, on)
        .onSuccess(set -> state.maintenanceSet(set.on(), set.millis()))
        .mapEmpty();
  }

  @Override
  public Future<Void> setPops(boolean on) {
    return switches
        .set(SystemState.POP_MAINTENANCE, on)
        .onSuccess(set -> state.popMaintenanceSet(set.on(), set.millis()))
        .mapEmpty();
  }
}
