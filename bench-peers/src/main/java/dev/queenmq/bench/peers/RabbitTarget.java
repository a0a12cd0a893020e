package dev.queenmq.bench.peers;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.MessageProperties;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.compare.PeerTarget;
import dev.queenmq.bench.compare.StartOptions;
import dev.queenmq.bench.http.Connections;
import dev.queenmq.bench.http.Demand;
import dev.queenmq.bench.http.MessageConsumer;
import dev.queenmq.bench.http.MessageMaker;
import dev.queenmq.bench.http.MessageProducer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeoutException;

/** Measures RabbitMQ: each lane is a quorum queue, whose name is the routing key. */
final class RabbitTarget extends PeerTarget {
  private final ConnectionFactory factory;
  private final Connection first;
  private final Map<String, Integer> lanes = new HashMap<>();

  RabbitTarget(StartOptions options, long pid, ConnectionFactory factory, Connection first) {
    super(options, new ProcessTree(List.of(pid)));
    this.factory = factory;
    this.first = first;
  }

  private static String lane(String queue, int number) {
    return queue + "." + number;
  }

  /** Declares or deletes on a channel of its own. */
  private interface Declaration {
    void on(Channel channel, String lane) throws IOException;
  }

  private void eachLane(String queue, int count, Declaration declaration) {
    try (Channel channel = first.createChannel()) {
      for (int i = 0; i < count; i++) {
        declaration.on(channel, lane(queue, i));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected void create(String queue, int partitions) {
    lanes.put(queue, partitions);
    Map<String, Object> quorum = Map.of("x-queue-type", "quorum");
    eachLane(
        queue,
        partitions,
        (channel, lane) -> channel.queueDeclare(lane, true, false, false, quorum));
  }

  @Override
  public void release(String queue) {
    eachLane(queue, lanes.getOrDefault(queue, 0), (channel, lane) -> channel.queueDelete(lane));
  }

  @Override
  public Connections connect(int connections) {
    return new Channels(this, connections);
  }

  /** One connection is enough: it sends the next message before the last is confirmed. */
  @Override
  public Connections connectOnOneLoop(int connections) {
    return connect(1);
  }

  private static final class Channels implements Connections {
    private final RabbitTarget target;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Channel> channels = new ArrayList<>();
    private final List<Deliveries<Message>> deliveries = new ArrayList<>();

    Channels(RabbitTarget target, int count) {
      this.target = target;
      try {
        for (int i = 0; i < count; i++) {
          Connection connection = target.factory.newConnection();
          connections.add(connection);
          channels.add(connection.createChannel());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public Context context(int worker) {
      return target.context();
    }

    @Override
    public MessageProducer producer(int worker, String queue, int partitions) {
      return new Producer(
          target.context(),
          channels.get(worker),
          queue,
          target.messages(worker, partitions, false));
    }

    @Override
    public MessageProducer filler(int worker, String queue, int partitions) {
      return new Producer(
          target.context(), channels.get(worker), queue, target.messages(worker, partitions, true));
    }

    @Override
    public MessageConsumer consumer(int worker, String queue, Demand demand) {
      Channel channel = channels.get(worker);
      Deliveries<Message> delivered =
          new Deliveries<>(target.context(), demand.batch(), demand.waits());
      deliveries.add(delivered);
      try {
        channel.basicQos(demand.batch());
        for (int i = worker; i < target.lanes.getOrDefault(queue, 0); i += channels.size()) {
          channel.basicConsume(
              lane(queue, i),
              false,
              (tag, message) ->
                  delivered.add(
                      new Message(
                          message.getEnvelope().getDeliveryTag(),
                          MessageMaker.number(message.getBody()))),
              tag -> {});
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return new Consumer(channel, delivered);
    }

    @Override
    public void close() {
      deliveries.forEach(Deliveries::close);
      try {
        for (Connection connection : connections) {
          connection.close();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** A delivered message: its tag within the channel, and the number that it carries. */
  private record Message(long tag, long number) {}

  /** Publishes on the event loop; confirmations come on a thread of the client. */
  private static final class Producer implements MessageProducer {
    private final Context context;
    private final Channel channel;
    private final String queue;
    private final MessageMaker messages;
    private final ConcurrentNavigableMap<Long, Confirmations> open = new ConcurrentSkipListMap<>();

    Producer(Context context, Channel channel, String queue, MessageMaker messages) {
      this.context = context;
      this.channel = channel;
      this.queue = queue;
      this.messages = messages;
      try {
        channel.confirmSelect();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      channel.addConfirmListener(
          (tag, multiple) -> settle(tag, multiple, Confirmations::confirmed),
          (tag, multiple) ->
              settle(
                  tag,
                  multiple,
                  each -> each.failed(new IllegalStateException("RabbitMQ refused a message"))));
    }

    private void settle(
        long tag, boolean multiple, java.util.function.Consumer<Confirmations> outcome) {
      ConcurrentNavigableMap<Long, Confirmations> settled =
          multiple ? open.headMap(tag, true) : open.subMap(tag, true, tag, true);
      settled.values().forEach(outcome);
      settled.clear();
    }

    @Override
    public Future<Integer> push(int batch, long number) {
      Confirmations confirmations = new Confirmations(context, batch);
      String lane = lane(queue, messages.partition());
      try {
        for (int i = 0; i < batch; i++) {
          open.put(channel.getNextPublishSeqNo(), confirmations);
          channel.basicPublish(
              "", lane, MessageProperties.PERSISTENT_BASIC, messages.payloadBytes(number));
        }
      } catch (IOException | RuntimeException e) {
        return Future.failedFuture(e);
      }
      return confirmations.all();
    }
  }

  private static final class Consumer implements MessageConsumer {
    private final Channel channel;
    private final Deliveries<Message> delivered;
    private List<Message> taken = List.of();

    Consumer(Channel channel, Deliveries<Message> delivered) {
      this.channel = channel;
      this.delivered = delivered;
    }

    @Override
    public Future<long[]> take() {
      return delivered
          .take()
          .map(
              messages -> {
                taken = messages;
                return messages.stream().mapToLong(Message::number).toArray();
              });
    }

    /** All up to the last: a channel counts its deliveries, whatever queue they are from. */
    @Override
    public Future<Integer> ack() {
      try {
        channel.basicAck(taken.get(taken.size() - 1).tag(), true);
        return Future.succeededFuture(taken.size());
      } catch (IOException | RuntimeException e) {
        return Future.failedFuture(e);
      }
    }
  }
}
