package dev.queenmq.server.sidecar;

import dev.queenmq.server.broker.Streams;
import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.streams.StatePage;
import dev.queenmq.server.model.streams.StateRead;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import dev.queenmq.server.sidecar.polling.BrokerEvents;
import io.vertx.core.Future;
import java.util.function.Function;

/** Brings what stream processors want to the broker's sidecars. */
final class StreamSidecars implements Streams {
  private final StoreCalls stores;
  private final Function<Cycle, Future<CycleOutcome>> cycles;
  private final BrokerEvents events;

  StreamSidecars(
      StoreCalls stores, Function<Cycle, Future<CycleOutcome>> cycles, BrokerEvents events) {
    this.stores = stores;
    this.cycles = cycles;
    this.events = events;
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
                events.cycled(cycle, committed);
              }
            });
  }

  @Override
  public Future<StatePage> state(StateRead read) {
    return stores.near(store -> store.state(read));
  }
}
