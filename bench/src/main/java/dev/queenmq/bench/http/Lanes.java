package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;

/** The lanes of one measurement, which share its connections evenly. */
final class Lanes implements Connections {
  private static final String WAITING = "&wait=true&timeout=10000";
  private static final String AT_ONCE = "&autoAck=false";

  private final Plan plan;
  private final List<Lane> lanes;

  Lanes(Plan plan, List<Context> contexts, BrokerUrl url, int connections) {
    this.plan = plan;
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
  public Context context(int worker) {
    return of(worker).context();
  }

  @Override
  public MessageProducer producer(int worker, String queue, int partitions) {
    return producer(of(worker), new PushMaker(plan, queue, partitions, worker));
  }

  @Override
  public MessageProducer filler(int worker, String queue, int partitions) {
    return producer(of(worker), new PushMaker(plan, queue, partitions, true, worker));
  }

  private static MessageProducer producer(Lane lane, PushMaker maker) {
    return (batch, number) -> Pushing.push(lane, maker.batch(batch, number), batch);
  }

  @Override
  public MessageConsumer consumer(int worker, String queue, Demand demand) {
    String query = "batch=" + demand.batch() + (demand.waits() ? WAITING : AT_ONCE);
    return new HttpConsumer(new Consuming(of(worker), queue, demand.group(), query));
  }

  @Override
  public void close() {
    Blocking.get(Future.join(lanes.stream().map(lane -> lane.client().close()).toList()));
  }

  /** For one event loop. */
  private static final class HttpConsumer implements MessageConsumer {
    private final Consuming consuming;
    private List<PopMessage> taken = List.of();

    HttpConsumer(Consuming consuming) {
      this.consuming = consuming;
    }

    @Override
    public Future<long[]> take() {
      return consuming
          .pop()
          .map(
              messages -> {
                taken = messages;
                return messages.stream().mapToLong(PopMessage::number).toArray();
              });
    }

    @Override
    public Future<Integer> ack() {
      return consuming.ack(taken);
    }
  }
}
