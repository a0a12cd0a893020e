package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;

/** The lanes of one measurement, which share its connections evenly. */
final class Lanes implements AutoCloseable {
  private final List<Lane> lanes;

  Lanes(List<Context> contexts, BrokerUrl url, int connections) {
    int used = Math.min(contexts.size(), connections);
    int each = (connections + used - 1) / used;
    lanes =
        contexts.stream()
            .limit(used)
            .map(context -> new Lane(context, new BrokerClient(context.owner(), url, each)))
            .toList();
  }

  /** The lane of a worker. */
  Lane of(int worker) {
    return lanes.get(worker % lanes.size());
  }

  @Override
  public void close() {
    Blocking.get(Future.join(lanes.stream().map(lane -> lane.client().close()).toList()));
  }
}
