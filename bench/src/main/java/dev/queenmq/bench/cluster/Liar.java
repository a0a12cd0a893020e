package dev.queenmq.bench.cluster;

import dev.queenmq.bench.BenchDatabase;
import dev.queenmq.bench.Blocking;
import dev.queenmq.server.sharedstate.PartitionRef;
import dev.queenmq.server.sharedstate.SyncMessage;
import dev.queenmq.server.sharedstate.SyncMessageCodec;
import dev.queenmq.server.udpsync.PeerAddress;
import dev.queenmq.server.udpsync.UdpOptions;
import dev.queenmq.server.udpsync.UdpTransport;
import io.vertx.core.Vertx;
import io.vertx.sqlclient.Row;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A peer that knows the secret and the names, and sends wrong hints only: messages that are not
 * there, leases that do not exist, partitions that are not free, queues that are gone or have other
 * settings, consumers that do not exist. Each is a hint like any other, only wrong. While it does
 * not lie, it is a broker without consumers that has nothing to report.
 */
final class Liar implements AutoCloseable {
  private static final String NAME = "liar";
  private static final long PAUSE_MILLIS = 5;
  private static final long LEARN_MILLIS = 1000;
  private static final long HEARTBEAT_MILLIS = 500;
  private static final long HINT_MILLIS = 60_000;
  private static final int RECEIVE_BUFFER = 1 << 20;
  private static final int KINDS = 9;

  /** Something there is to lie about. */
  private record Truth(String queue, String partition, UUID partitionId, String group) {}

  private final Vertx vertx = Vertx.vertx();
  private final BenchDatabase database;
  private final UdpTransport transport;
  private final Random random;
  private final AtomicLong lies = new AtomicLong();
  private final AtomicLong epoch = new AtomicLong();
  private volatile List<Truth> truths = List.of();
  private volatile boolean lying = true;

  /** Begins to lie. */
  Liar(int port, List<Integer> brokers, byte[] secret, BenchDatabase database, long seed) {
    this.database = database;
    this.random = new Random(seed);
    transport =
        new UdpTransport(
            vertx,
            new UdpOptions(
                NAME,
                "127.0.0.1",
                port,
                brokers.stream().map(each -> new PeerAddress("127.0.0.1", each)).toList(),
                secret,
                RECEIVE_BUFFER,
                Duration.ofSeconds(1),
                Duration.ofSeconds(5)),
            InstantSource.system(),
            System::nanoTime);
    Blocking.get(transport.start());
    vertx.setPeriodic(
        1,
        LEARN_MILLIS,
        tick ->
            vertx.executeBlocking(
                () -> {
                  learn();
                  return true;
                }));
    vertx.setPeriodic(PAUSE_MILLIS, tick -> lie());
    vertx.setPeriodic(1, HEARTBEAT_MILLIS, tick -> live());
  }

  /** Whether it lies from now on. */
  void lie(boolean yes) {
    lying = yes;
  }

  long lies() {
    return lies.get();
  }

  private void learn() {
    if (!lying) {
      return;
    }
    truths =
        database
            .query(
                "select q.name, p.name, p.id, c.consumer_group from queen.queues q"
                    + " join queen.partitions p on p.queue_id = q.id"
                    + " join queen.cursors c on c.partition_id = p.id limit 200")
            .stream()
            .map(Liar::truth)
            .toList();
  }

  private static Truth truth(Row row) {
    return new Truth(row.getString(0), row.getString(1), row.getUUID(2), row.getString(3));
  }

  private void lie() {
    List<Truth> known = truths;
    if (lying && !known.isEmpty()) {
      say(about(known.get(random.nextInt(known.size()))));
      lies.incrementAndGet();
    }
  }

  private void live() {
    if (!lying) {
      say(heartbeat(List.of()));
    }
  }

  private void say(SyncMessage message) {
    SyncMessageCodec.encode(message)
        .forEach(payload -> transport.broadcast(message.type(), payload));
  }

  private SyncMessage heartbeat(List<String> queues) {
    return new SyncMessage.Heartbeat(
        System.currentTimeMillis(),
        false,
        new SyncMessage.PresencePart(epoch.incrementAndGet(), 0, 1, queues));
  }

  private SyncMessage about(Truth it) {
    UUID id = random.nextInt(4) == 0 ? UUID.randomUUID() : it.partitionId;
    return switch (random.nextInt(KINDS)) {
      case 0 ->
          new SyncMessage.MessageAvailable(
              it.queue, List.of(new PartitionRef(it.partition, Optional.of(id))));
      case 1 -> new SyncMessage.PartitionFree(it.queue, it.partition, id, it.group);
      case 2, 3 -> new SyncMessage.LeaseHintAcquired(it.queue, it.group, HINT_MILLIS, List.of(id));
      case 4 -> new SyncMessage.LeaseHintReleased(it.queue, it.group, List.of(id));
      case 5 ->
          new SyncMessage.QueueConfigSet(
              it.queue,
              Optional.of(Map.of("leaseTime", random.nextInt(1000), "delayedProcessing", 3600)),
              Long.MAX_VALUE - random.nextInt(1000));
      case 6 -> new SyncMessage.QueueConfigDelete(it.queue, OptionalLong.empty());
      case 7 -> new SyncMessage.PartitionDeleted(it.queue, List.of(it.partition));
      default -> heartbeat(random.nextBoolean() ? List.of() : List.of(it.queue));
    };
  }

  @Override
  public void close() {
    Blocking.get(transport.stop());
    Blocking.get(vertx.close());
  }
}
