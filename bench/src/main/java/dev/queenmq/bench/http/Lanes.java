package dev.queenmq.bench.http;

import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.util.List;

/** The event loops of one measurement, which share its connections evenly. */
final class Lanes implements Connections {
  private static final String WAITING = "&wait=true&timeout=10000";
  private static final String AT_ONCE = "&autoAck=false";

  /** An event loop with connections of its own. */
  private record Lane(Context context, BrokerClient client) {}

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

  private Lane of(int worker) {
    return lanes.get(worker % lanes.size());
  }

  BrokerClient client(int worker) {
    return of(worker).client();
  }

  @Override
  public Context context(int worker) {
    return of(worker).context();
  }

  @Override
  public MessageProducer producer(int worker, String queue, int partitions) {
    return new PushMaker(client(worker), plan, queue, partitions, false, worker);
  }

  @Override
  public MessageProducer filler(int worker, String queue, int partitions) {
    return new PushMaker(client(worker), plan, queue, partitions, true, worker);
  }

  @Override
  public MessageConsumer consumer(int worker, String queue, Demand demand) {
    String group = demand.group().isEmpty() ? "" : "&consumerGroup=" + demand.group();
    String query = "batch=" + demand.batch() + (demand.waits() ? WAITING : AT_ONCE) + group;
    return new HttpConsumer(client(worker), queue, demand.group(), query);
  }

  @Override
  public void close() {
    Blocking.get(Future.join(lanes.stream().map(lane -> lane.client().close()).toList()));
  }

  /** Used by one event loop only. */
  private static final class HttpConsumer implements MessageConsumer {
    private final BrokerClient client;
    private final String queue;
    private final String group;
    private final String query;
    private List<PopMessage> taken = List.of();

    HttpConsumer(BrokerClient client, String queue, String group, String query) {
      this.client = client;
      this.queue = queue;
      this.group = group;
      this.query = query;
    }

    @Override
    public Future<long[]> take() {
      return client
          .pop(queue, query)
          .map(
              messages -> {
                taken = messages;
                return messages.stream().mapToLong(PopMessage::number).toArray();
              });
    }

    @Override
    public Future<Integer> ack() {
      return client.ack(group, taken);
    }
  }
}
