package dev.queenmq.bench.peers;

import dev.queenmq.bench.Blocking;
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
import io.vertx.core.Promise;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Measures Kafka: a topic is a queue, its partitions are the lanes. */
final class KafkaTarget extends PeerTarget {
  private static final Duration FIRST_LOOK = Duration.ofSeconds(30);
  private static final Duration LEADERS = Duration.ofSeconds(60);
  private static final Duration GLANCE = Duration.ofMillis(100);

  private final String address;
  private final Admin admin;

  KafkaTarget(StartOptions options, long pid, String address, Admin admin) {
    super(options, new ProcessTree(List.of(pid)));
    this.address = address;
    this.admin = admin;
  }

  /** Lets it make the topic in which offsets are kept, which takes long the first time. */
  void prepareGroups() {
    String queue = newQueue("prepare", 1);
    try (Connections clients = connect(1)) {
      MessageConsumer consumer = clients.consumer(0, queue, new Demand("", 1, true));
      Blocking.get(consumer.take());
      Blocking.get(consumer.ack());
    }
    release(queue);
  }

  @Override
  protected void create(String queue, int partitions) {
    get(() -> admin.createTopics(List.of(new NewTopic(queue, partitions, (short) 1))).all().get());
    awaitLeaders(queue, partitions);
  }

  /**
   * Waits until the broker can write all partitions, which is after the controller has made them.
   * Producers that come too early try again, and may then be stuck until their delivery timeout.
   */
  private void awaitLeaders(String queue, int partitions) {
    Map<TopicPartition, OffsetSpec> ends =
        IntStream.range(0, partitions)
            .mapToObj(lane -> new TopicPartition(queue, lane))
            .collect(Collectors.toMap(lane -> lane, lane -> OffsetSpec.latest()));
    long deadline = System.nanoTime() + LEADERS.toNanos();
    while (true) {
      try {
        get(() -> admin.listOffsets(ends).all().get());
        return;
      } catch (IllegalStateException e) {
        if (System.nanoTime() > deadline) {
          throw e;
        }
        Blocking.sleep(GLANCE);
      }
    }
  }

  @Override
  public void release(String queue) {
    get(() -> admin.deleteTopics(List.of(queue)).all().get());
  }

  private static <T> void get(Callable<T> call) {
    try {
      call.call();
    } catch (ExecutionException e) {
      throw new IllegalStateException(String.valueOf(e.getCause()), e);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public Connections connect(int connections) {
    return new Clients(this, connections);
  }

  /** One producer is enough: it sends the next request before the last is answered. */
  @Override
  public Connections connectOnOneLoop(int connections) {
    return connect(1);
  }

  /** Each worker's own client, made when it is asked for. */
  private static final class Clients implements Connections {
    private final KafkaTarget target;
    private final int count;
    private final List<AutoCloseable> clients = new ArrayList<>();

    Clients(KafkaTarget target, int count) {
      this.target = target;
      this.count = count;
    }

    @Override
    public Context context(int worker) {
      return target.context();
    }

    @Override
    public MessageProducer producer(int worker, String queue, int partitions) {
      return producer(queue, target.messages(worker, partitions, false));
    }

    @Override
    public MessageProducer filler(int worker, String queue, int partitions) {
      return producer(queue, target.messages(worker, partitions, true));
    }

    private MessageProducer producer(String queue, MessageMaker messages) {
      KafkaProducer<byte[], byte[]> producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", target.address, "acks", "all", "linger.ms", "0"),
              new ByteArraySerializer(),
              new ByteArraySerializer());
      clients.add(() -> producer.close(Duration.ZERO));
      // Else the first send would look them up, and block the event loop.
      producer.partitionsFor(queue);
      Context context = target.context();
      return (batch, number) -> {
        Confirmations confirmations = new Confirmations(context, batch);
        int lane = messages.partition();
        for (int i = 0; i < batch; i++) {
          byte[] payload = messages.payloadBytes(number);
          // The callback has it all.
          var unused =
              producer.send(
                  new ProducerRecord<>(queue, lane, null, payload),
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
      Reader reader = new Reader(target, worker, count, queue, demand);
      clients.add(reader);
      return reader;
    }

    @Override
    public void close() {
      for (AutoCloseable client : clients) {
        get(
            () -> {
              client.close();
              return true;
            });
      }
    }
  }

  /** A consumer with a thread of its own: the client allows no other. */
  private static final class Reader implements MessageConsumer, AutoCloseable {
    private static final Duration POLL = Duration.ofMillis(200);
    private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

    private final Context context;
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final KafkaConsumer<byte[], byte[]> consumer;
    private int taken;

    Reader(KafkaTarget target, int worker, int workers, String queue, Demand demand) {
      context = target.context();
      consumer =
          new KafkaConsumer<>(
              Map.of(
                  "bootstrap.servers",
                  target.address,
                  "group.id",
                  queue,
                  "enable.auto.commit",
                  "false",
                  "auto.offset.reset",
                  "earliest",
                  "max.poll.records",
                  demand.batch()),
              new ByteArrayDeserializer(),
              new ByteArrayDeserializer());
      int lanes = consumer.partitionsFor(queue, FIRST_LOOK).size();
      // By hand: it takes seconds until a group has agreed.
      consumer.assign(
          IntStream.range(0, lanes)
              .filter(lane -> lane % workers == worker)
              .mapToObj(lane -> new TopicPartition(queue, lane))
              .toList());
    }

    @Override
    public Future<long[]> take() {
      return run(
          () -> {
            ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
            long[] numbers = new long[records.count()];
            int next = 0;
            for (ConsumerRecord<byte[], byte[]> each : records) {
              numbers[next++] = MessageMaker.number(each.value());
            }
            taken = numbers.length;
            return numbers;
          });
    }

    @Override
    public Future<Integer> ack() {
      return run(
          () -> {
            consumer.commitSync();
            return taken;
          });
    }

    private <T> Future<T> run(Callable<T> work) {
      Promise<T> promise = Promise.promise();
      try {
        thread.execute(
            () -> {
              try {
                T result = work.call();
                context.runOnContext(go -> promise.complete(result));
              } catch (Exception e) {
                context.runOnContext(go -> promise.fail(e));
              }
            });
      } catch (RejectedExecutionException e) {
        promise.fail(e);
      }
      return promise.future();
    }

    @Override
    public void close() {
      consumer.wakeup();
      // What was not committed does not matter any more.
      thread.execute(() -> consumer.close(CloseOptions.timeout(Duration.ZERO)));
      thread.shutdown();
      try {
        if (!thread.awaitTermination(STOP_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException("a consumer does not end");
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted", e);
      }
    }
  }
}
