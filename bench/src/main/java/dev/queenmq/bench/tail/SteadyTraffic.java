package dev.queenmq.bench.tail;

import dev.queenmq.bench.EventLoop;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.BrokerUrl;
import dev.queenmq.bench.broker.PopMessage;
import dev.queenmq.bench.broker.Reply;
import dev.queenmq.bench.http.ClosedLoop;
import dev.queenmq.bench.http.Meter;
import dev.queenmq.bench.http.OpenLoop;
import io.vertx.core.Future;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Pushes of one message each at a steady rate, and consumers that lease up to ten partitions at a
 * time and answer.
 */
final class SteadyTraffic implements AutoCloseable {
  private static final String QUEUE = "steady";
  private static final String GROUP = "readers";
  private static final int PARTITIONS = 200;
  private static final int CONSUMERS = 8;
  private static final int PUSHING = 32;
  private static final String PAYLOAD = "{\"amount\":12990,\"currency\":\"EUR\"}";
  private static final String POP =
      "consumerGroup=" + GROUP + "&batch=50&partitions=10&wait=true&timeout=1000";

  private final BrokerClient pushes;
  private final BrokerClient pops;
  private final Meter acked = new Meter();
  private final ClosedLoop consumers = new ClosedLoop(acked);
  private final OpenLoop producer;
  private final AtomicLong pushed = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong leases = new AtomicLong();
  private long sent;

  SteadyTraffic(EventLoop loop, BrokerUrl url, int rate) {
    pushes = new BrokerClient(loop.vertx(), url, PUSHING);
    pops = new BrokerClient(loop.vertx(), url, CONSUMERS);
    producer = new OpenLoop(loop.context(), rate, due -> push());
    producer.start();
    for (int i = 0; i < CONSUMERS; i++) {
      consumers.start(loop.context(), this::consume);
    }
  }

  long pushed() {
    return pushed.get();
  }

  long acked() {
    return acked.messages();
  }

  long failed() {
    return failed.get() + acked.errors();
  }

  /** Leases over several partitions: each made a row of queen.leases. */
  long leases() {
    return leases.get();
  }

  private void push() {
    sent++;
    pushes
        .push(Bodies.push().item(QUEUE, "p" + sent % PARTITIONS, "t" + sent, PAYLOAD))
        .map(Reply::orThrow)
        .onSuccess(stored -> pushed.incrementAndGet())
        .onFailure(refused -> failed.incrementAndGet());
  }

  private Future<Integer> consume() {
    return pops.pop(QUEUE, POP)
        .compose(
            messages -> {
              if (messages.stream().map(PopMessage::partitionId).distinct().count() > 1) {
                leases.incrementAndGet();
              }
              return pops.ack(GROUP, messages);
            });
  }

  @Override
  public void close() {
    producer.close();
    consumers.close();
  }
}
