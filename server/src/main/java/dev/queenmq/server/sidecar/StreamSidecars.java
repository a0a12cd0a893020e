package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.Cycle;
import dev.queenmq.server.store.CycleOutcome;
import dev.queenmq.server.store.StatePage;
import dev.queenmq.server.store.StateRead;
import dev.queenmq.server.store.StreamQuery;
import dev.queenmq.server.store.StreamRegistration;
import io.vertx.core.Future;

/** Brings what stream processors want to the broker's sidecars. */
final class StreamSidecars implements Streams {
  private final Sidecars sidecars;
  private final News news;

  StreamSidecars(Sidecars sidecars, News news) {
    this.sidecars = sidecars;
    this.news = news;
  }

  @Override
  public Future<StreamRegistration> register(StreamQuery query) {
    Sidecar sidecar = sidecars.near();
    return sidecars.on(
        sidecar, () -> Sidecars.guarded(sidecar, () -> sidecar.store().register(query)));
  }

  /** By the sidecar that knows what was pushed to the first of its queues, as a transaction. */
  @Override
  public Future<CycleOutcome> cycle(Cycle cycle) {
    Sidecar sidecar =
        cycle.messages().isEmpty()
            ? sidecars.near()
            : sidecars.owner(cycle.messages().get(0).queue());
    return sidecars.on(
        sidecar,
        () ->
            sidecar
                .cycle(cycle)
                .onSuccess(
                    outcome -> {
                      if (outcome instanceof CycleOutcome.Committed committed
                          && !committed.repeated()) {
                        news.cycled(cycle, committed);
                      }
                    }));
  }

  @Override
  public Future<StatePage> state(StateRead read) {
    Sidecar sidecar = sidecars.near();
    return sidecars.on(sidecar, () -> Sidecars.guarded(sidecar, () -> sidecar.store().state(read)));
  }
}
