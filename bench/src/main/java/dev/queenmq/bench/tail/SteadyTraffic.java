package dev.queenmq.bench.tail;

import dev.queenmq.bench.broker.Answers;
import dev.queenmq.bench.broker.Bodies;
import dev.queenmq.bench.broker.BrokerClient;
import dev.queenmq.bench.broker.PopMessage;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
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
  private static final int TICK_MILLIS = 10;
  private static final int MOST_OUTSTANDING = 2_000;
  private static final String PAYLOAD = "{\"amount\":12990,\"currency\":\"EUR\"}";
  private static final String POP =
      BrokerClient.popPath(QUEUE)
          + "?consumerGroup="
          + GROUP
          + "&batch=50&partitions=10&wait=true&timeout=1000";

  private final Vertx vertx;
  private final BrokerClient pushes;
  private final BrokerClient pops;
  private final int rate;
  private final AtomicLong pushed = new AtomicLong();
  private final AtomicLong acked = new AtomicLong();
  private final AtomicLong failed = new AtomicLong();
  private final AtomicLong leases = new AtomicLong();
  private final AtomicInteger outstanding = new AtomicInteger();
  private final long began = System.nanoTime();
  private final long timer;
  private long sent;
  private volatile boolean stopped;

  SteadyTraffic(Vertx vertx, BrokerClient pushes, BrokerClient pops, int rate) {
    this.vertx = vertx;
    this.pushes = pushes;
    this.pops = pops;
    this.rate = rate;
    timer = vertx.setPeriodic(TICK_MILLIS, tick -> push());
    for (int i = 0; i < CONSUMERS; i++) {
      consume();
    }
  }

  long pushed() {
    return pushed.get();
  }

  long acked() {
    return acked.get();
  }

  long failed() {
    return failed.get();
  }

  /** Leases over several partitions: each made a row of queen.leases. */
  long leases() {
    return leases.get();
  }

  private void push() {
    long due = (System.nanoTime() - began) / 1_000 * rate / 1_000_000;
    while (sent < due && outstanding.get() < MOST_OUTSTANDING) {
      sent++;
      outstanding.incrementAndGet();
      pushes
          .post(
              BrokerClient.PUSH,
              Bodies.push().item(QUEUE, "p" + sent % PARTITIONS, "t" + sent, PAYLOAD).finish())
          .onComplete(
              reply -> {
                outstanding.decrementAndGet();
                boolean stored = reply.succeeded() && reply.result().isSuccess();
                (stored ? pushed : failed).incrementAndGet();
              });
    }
  }

  private void consume() {
    if (stopped) {
      return;
    }
    pops.get(POP)
        .map(Answers::pop)
        .compose(this::ack)
        .onComplete(
            done -> {
              if (done.failed()) {
                failed.incrementAndGet();
                vertx.setTimer(100, again -> consume());
              } else {
                vertx.runOnContext(again -> consume());
              }
            });
  }

  private Future<Void> ack(List<PopMessage> messages) {
    if (messages.isEmpty()) {
      return Future.succeededFuture();
    }
    if (messages.stream().map(PopMessage::partitionId).distinct().count() > 1) {
      leases.incrementAndGet();
    }
    Bodies acks = Bodies.acks(GROUP);
    messages.forEach(message -> acks.ack(message, "completed"));
    return pops.post(BrokerClient.ACK_BATCH, acks.finish())
        .map(
            reply -> {
              reply.orThrow();
              acked.addAndGet(messages.size());
              return null;
            });
  }

  @Override
  public void close() {
    stopped = true;
    vertx.cancelTimer(timer);
  }
}
