package dev.queenmq.server.broker;

import dev.queenmq.server.model.streams.Cycle;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.streams.StatePage;
import dev.queenmq.server.model.streams.StateRead;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import io.vertx.core.Future;

/**
 * What a broker does for stream processors, which keep their state here. Nothing blocks; a call
 * that could not be carried out fails with a {@link BrokerException} whose text may be shown.
 *
 * <p>May be called from any thread; a caller on an event loop is answered on it.
 */
public interface Streams {

  /** Registers a query, or finds it. */
  Future<StreamRegistration> register(StreamQuery query);

  /** Does all of a cycle or nothing, and wakes the polls that wait for what it pushed or left. */
  Future<CycleOutcome> cycle(Cycle cycle);

  /** Reads what cycles have kept. */
  Future<StatePage> state(StateRead read);
}
