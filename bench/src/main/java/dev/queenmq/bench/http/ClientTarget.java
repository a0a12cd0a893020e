package dev.queenmq.bench.http;

import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.client.AckResult;
import dev.queenmq.client.ClientListener;
import dev.queenmq.client.Message;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.PushResult;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueueRef;
import io.vertx.core.Context;
import io.vertx.core.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.atomic.LongAdder;

/**
 * The same broker as a {@link Generator} measures, through the Java client. Workers, payloads and
 * batches are the same; each measurement has one client, which all of its workers share. By itself
 * the client lets pushes of several workers travel in one request, which the generator never does.
 */
final class ClientTarget implements LoadTarget {
  private static final Duration WAITING = Duration.ofSeconds(10);
  private static final String PUSH = "/api/v1/push";
  private static final int LARGEST_REQUEST = 4 << 20;

  private final Generator generator;
  private final OptionalInt limit;
  private final LongAdder requests = new LongAdder();
  private final LongAdder pushed = new LongAdder();

  /**
   * One that sends by itself.
   *
   * @param limit how many messages a push request takes at most; without it, what clients take
   */
  ClientTarget(Generator generator, OptionalInt limit) {
    this.generator = generator;
    this.limit = limit;
  }

  /** How many messages a push request has carried so far. */
  double pushedPerRequest() {
    return (double) pushed.sum() / Math.max(1, requests.sum());
  }

  @Override
  public Plan plan() {
    return generator.plan();
  }

  @Override
  public Connections connect(int connections) {
    return new ClientConnections(generator.url());
  }

  @Override
  public Connections connectOnOneLoop(int connections) {
    return connect(connections);
  }

  @Override
  public Window window(Meter meter, String title) {
    return generator.window(meter, title + ", client");
  }

  @Override
  public String newQueue(String name, int partitions) {
    return generator.newQueue("client-" + name, partitions);
  }

  @Override
  public void release(String queue) {
    generator.release(queue);
  }

  private ClientListener counter() {
    return new ClientListener() {
      @Override
      public void onAttempt(Attempt attempt) {
        if (attempt.route().equals(PUSH)) {
          requests.increment();
        }
      }

      @Override
      public void onPushed(String queue, PushResult.Status status, int count) {
        pushed.add(count);
      }
    };
  }

  private final class ClientConnections implements Connections {
    private final QueenClient client;

    ClientConnections(BrokerUrl url) {
      QueenClient.Builder builder = QueenClient.builder().url(url.toString()).listener(counter());
      limit.ifPresent(messages -> builder.pushLimits(messages, LARGEST_REQUEST));
      client = builder.build();
    }

    @Override
    public Context context(int worker) {
      return generator.context(worker);
    }

    @Override
    public MessageProducer producer(int worker, String queue, int partitions) {
      return new Producer(worker, client.queue(queue), partitions, false);
    }

    @Override
    public MessageProducer filler(int worker, String queue, int partitions) {
      return new Producer(worker, client.queue(queue), partitions, true);
    }

    @Override
    public MessageConsumer consumer(int worker, String queue, Demand demand) {
      QueueRef all = client.queue(queue);
      PopOptions options = PopOptions.batch(demand.batch());
      return new Consumer(
          worker,
          client,
          demand.group().isEmpty() ? all : all.group(demand.group()),
          demand.waits() ? options.waitUpTo(WAITING) : options);
    }

    @Override
    public void close() {
      client.close(Duration.ZERO);
    }
  }

  /** Used by one event loop only. */
  private final class Producer implements MessageProducer {
    private final int worker;
    private final QueueRef queue;
    private final MessageMaker messages;

    Producer(int worker, QueueRef queue, int partitions, boolean inTurn) {
      this.worker = worker;
      this.queue = queue;
      messages = new MessageMaker(plan().payload(), partitions, inTurn, worker);
    }

    @Override
    public Future<Integer> push(int batch, long number) {
      String partition = nextPartition();
      List<OutgoingMessage> all = new ArrayList<>(batch);
      for (int i = 0; i < batch; i++) {
        all.add(
            OutgoingMessage.of(messages.payloadBytes(number))
                .withPartition(plan().spread() ? nextPartition() : partition));
      }
      return Future.fromCompletionStage(queue.pushAllAsync(all), generator.context(worker))
          .map(
              results -> {
                if (!results.stream().allMatch(PushResult::isAccepted)) {
                  throw new IllegalStateException("not all were queued: " + results);
                }
                return batch;
              });
    }

    private String nextPartition() {
      return "customer-" + messages.partition();
    }
  }

  /** Used by one event loop only. */
  private final class Consumer implements MessageConsumer {
    private final int worker;
    private final QueenClient client;
    private final QueueRef queue;
    private final PopOptions options;
    private List<Message<byte[]>> taken = List.of();

    Consumer(int worker, QueenClient client, QueueRef queue, PopOptions options) {
      this.worker = worker;
      this.client = client;
      this.queue = queue;
      this.options = options;
    }

    @Override
    public Future<long[]> take() {
      return Future.fromCompletionStage(
              queue.popAsync(byte[].class, options), generator.context(worker))
          .map(
              messages -> {
                taken = messages;
                return messages.stream()
                    .mapToLong(message -> MessageMaker.number(message.payload()))
                    .toArray();
              });
    }

    @Override
    public Future<Integer> ack() {
      return Future.fromCompletionStage(client.ackAsync(taken), generator.context(worker))
          .map(
              results -> {
                if (!results.stream().allMatch(AckResult::success)) {
                  throw new IllegalStateException("not all were acked: " + results);
                }
                return results.size();
              });
    }
  }
}
