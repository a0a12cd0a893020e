package dev.queenmq.server.sidecar;

import dev.queenmq.server.store.Cycle;
import dev.queenmq.server.store.CycleOutcome;
import dev.queenmq.server.store.StatePage;
import dev.queenmq.server.store.StateRead;
import dev.queenmq.server.store.StreamQuery;
import dev.queenmq.server.store.StreamRegistration;
import io.vertx.core.Future;
import java.util.function.Function;

/** Brings what stream processors want to the broker's sidecars. */
final class StreamSidecars implements Streams {
  private final StoreCalls stores;
  private final Function<Cycle, Future<CycleOutcome>> cycles;
  private final News news;

  StreamSidecars(StoreCalls stores, Function<Cycle, Future<CycleOutcome>> cycles, News news) {
    this.stores = stores;
    this.cycles = cycles;
    this.news = news;
  }

  @Override
  public Future<StreamRegistration> register(StreamQuery query) {
    return stores.near(store -> store.register(query));
  }

  @Override
  public Future<CycleOutcome> cycle(Cycle cycle) {
    return cycles
        .apply(cycle)
        .onSuccess(
            outcome -> {
              if (outcome instanceof CycleOutcome.Committed committed && !committed.repeated()) {
                news.cycled(cycle, committed);
              }
            });
  }

  @Override
  public Future<StatePage> state(StateRead read) {
    return stores.near(store -> store.state(read));
  }
}
