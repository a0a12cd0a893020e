package dev.queenmq.bench.peers;

import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.compare.PeerTarget;
import dev.queenmq.bench.compare.StartOptions;
import dev.queenmq.bench.http.Connections;
import dev.queenmq.bench.http.Demand;
import dev.queenmq.bench.http.MessageConsumer;
import dev.queenmq.bench.http.MessageMaker;
import dev.queenmq.bench.http.MessageProducer;
import io.nats.client.Connection;
import io.nats.client.ConsumeOptions;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Message;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.AckPolicy;
import io.nats.client.api.ConsumerConfiguration;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures NATS JetStream: a queue is a stream with a durable consumer that all workers share, a
 * lane is a subject of the stream.
 */
final class NatsTarget extends PeerTarget {
  private static final String CONSUMER = "workers";
  private static final int MAX_UNACKED = 100_000;

  private final Options options;
  private final Connection first;

  NatsTarget(StartOptions start, long pid, Options options, Connection first) {
    super(start, new ProcessTree(List.of(pid)));
    this.options = options;
    this.first = first;
  }

  /** Something that needs the server. */
  private interface Call<T> {
    T run() throws IOException, JetStreamApiException, InterruptedException;
  }

  private static <T> T call(Call<T> call) {
    try {
      return call.run();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (JetStreamApiException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  @Override
  protected void create(String queue, int partitions) {
    call(
        () -> {
          JetStreamManagement management = first.jetStreamManagement();
          management.addStream(
              StreamConfiguration.builder()
                  .name(queue)
                  .subjects(queue + ".*")
                  .storageType(StorageType.File)
                  .build());
          return management.addOrUpdateConsumer(
              queue,
              ConsumerConfiguration.builder()
                  .durable(CONSUMER)
                  .ackPolicy(AckPolicy.Explicit)
                  .maxAckPending(MAX_UNACKED)
                  .build());
        });
  }

  @Override
  public void release(String queue) {
    call(() -> first.jetStreamManagement().deleteStream(queue));
  }

  @Override
  public Connections connect(int connections) {
    return new Clients(this, connections);
  }

  /** One connection is enough: it sends the next message before the last is confirmed. */
  @Override
  public Connections connectOnOneLoop(int connections) {
    return connect(1);
  }

  private static final class Clients implements Connections {
    private final NatsTarget target;
    private final List<Connection> connections = new ArrayList<>();
    private final List<Deliveries<Message>> deliveries = new ArrayList<>();

    Clients(NatsTarget target, int count) {
      this.target = target;
      for (int i = 0; i < count; i++) {
        connections.add(call(() -> Nats.connect(target.options)));
      }
    }

    @Override
    public Context context(int worker) {
      return target.context();
    }

    @Override
    public MessageProducer producer(int worker, String queue, int partitions) {
      return producer(worker, queue, target.messages(worker, partitions, false));
    }

    @Override
    public MessageProducer filler(int worker, String queue, int partitions) {
      return producer(worker, queue, target.messages(worker, partitions, true));
    }

    private MessageProducer producer(int worker, String queue, MessageMaker messages) {
      JetStream stream = call(() -> connections.get(worker).jetStream());
      Context context = target.context();
      return (batch, number) -> {
        Confirmations confirmations = new Confirmations(context, batch);
        String subject = queue + "." + messages.partition();
        for (int i = 0; i < batch; i++) {
          var unused =
              stream
                  .publishAsync(subject, messages.payloadBytes(number))
                  .whenComplete(
                      (stored, failure) -> {
                        if (failure == null) {
                          confirmations.confirmed();
                        } else {
                          confirmations.failed(failure);
                        }
                      });
        }
        return confirmations.all();
      };
    }

    @Override
    public MessageConsumer consumer(int worker, String queue, Demand demand) {
      Deliveries<Message> delivered =
          new Deliveries<>(target.context(), demand.batch(), demand.waits());
      deliveries.add(delivered);
      ConsumeOptions pull = ConsumeOptions.builder().batchSize(demand.batch()).build();
      io.nats.client.MessageConsumer consuming =
          call(
              () ->
                  connections
                      .get(worker)
                      .getStreamContext(queue)
                      .getConsumerContext(CONSUMER)
                      .consume(pull, delivered::addWhenThereIsRoom));
      return new Consumer(consuming, delivered);
    }

    @Override
    public void close() {
      deliveries.forEach(Deliveries::close);
      for (Connection connection : connections) {
        call(
            () -> {
              connection.close();
              return true;
            });
      }
    }
  }

  /** For one event loop. */
  private static final class Consumer implements MessageConsumer {
    private final io.nats.client.MessageConsumer consuming;
    private final Deliveries<Message> delivered;
    private List<Message> taken = List.of();

    Consumer(io.nats.client.MessageConsumer consuming, Deliveries<Message> delivered) {
      this.consuming = consuming;
      this.delivered = delivered;
    }

    @Override
    public Future<long[]> take() {
      if (consuming.isStopped()) {
        return Future.failedFuture("the consumer has stopped");
      }
      return delivered
          .take()
          .map(
              messages -> {
                taken = messages;
                return messages.stream()
                    .mapToLong(message -> MessageMaker.number(message.getData()))
                    .toArray();
              });
    }

    @Override
    public Future<Integer> ack() {
      try {
        taken.forEach(Message::ack);
        return Future.succeededFuture(taken.size());
      } catch (RuntimeException e) {
        return Future.failedFuture(e);
      }
    }
  }
}
