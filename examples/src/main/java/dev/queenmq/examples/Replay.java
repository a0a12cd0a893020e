package dev.queenmq.examples;

import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.QueueRef;
import dev.queenmq.client.admin.groups.SeekTarget;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * A report that was wrong. Messages stay in the queue after they are acked (for as long as its
 * retention says), so that a consumer group can go back and read them again, with a corrected
 * handler. Other groups do not notice.
 */
public final class Replay implements Example {

  /** Something that was sold. */
  record Sale(String item, long cents) {}

  private static final List<Sale> SALES =
      List.of(new Sale("tea", 350), new Sale("cake", 480), new Sale("tea", 350));

  /** Runs it. */
  public static void main(String[] arguments) throws InterruptedException {
    Example.main(new Replay(), arguments);
  }

  @Override
  public void run(QueenClient client, Consumer<String> out) throws InterruptedException {
    // Without what an earlier run has left.
    client.admin().queues().delete("sales");
    QueueRef sales = client.queue("sales");
    QueueRef report = sales.group("report");
    sales.partition("shop-1").pushAll(SALES);

    out.accept("first report: " + sum(report, false) + " cents");
    client.admin().groups().seek("report", "sales", SeekTarget.beginning());
    out.accept("corrected report: " + sum(report, true) + " cents");
  }

  private static long sum(QueueRef report, boolean correct) throws InterruptedException {
    LongAdder sum = new LongAdder();
    CountDownLatch read = new CountDownLatch(SALES.size());
    // Closed before the group is moved: a consumer holds a lease.
    try (QueenConsumer consumer =
        report.consume(
            Sale.class,
            message -> {
              if (correct || message.payload().item().equals("tea")) {
                sum.add(message.payload().cents());
              }
              read.countDown();
            })) {
      read.await();
      consumer.stopAsync().join();
    }
    return sum.sum();
  }
}
