package dev.queenmq.examples;

import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import dev.queenmq.client.QueueRef;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;

/**
 * Orders that become shipments. The worker in the middle takes an order and pushes a shipment. If
 * it fails after the push and before the ack, the order is delivered again, and there would be two
 * shipments; if it acks first, there might be none. So it does both in one transaction: they happen
 * together, or not at all.
 *
 * <p>This worker fails on every third order at the first try. Still, each order is shipped once.
 */
public final class OrderPipeline implements Example {

  /** What a customer ordered. */
  record Order(int number, String customer, String item) {}

  /** What the warehouse sends. */
  record Shipment(int order, String item) {}

  static final int ORDERS = 12;

  private static final int FAILS_EVERY = 3;
  private static final int CUSTOMERS = 4;

  /** Runs it. */
  public static void main(String[] arguments) throws InterruptedException {
    Example.main(new OrderPipeline(), arguments);
  }

  @Override
  public void run(QueenClient client, Consumer<String> out) throws InterruptedException {
    QueueRef orders = client.queue("shop.orders");
    QueueRef shipments = client.queue("shop.shipments");
    Set<Integer> failed = ConcurrentHashMap.newKeySet();
    CountDownLatch shipped = new CountDownLatch(ORDERS);

    try (QueenConsumer workers =
            orders.consume(
                Order.class,
                message -> {
                  Order order = message.payload();
                  if (order.number() % FAILS_EVERY == 0 && failed.add(order.number())) {
                    throw new IllegalStateException("the payment service does not answer");
                  }
                  client
                      .transaction()
                      .ack(message)
                      .push(
                          shipments.partition(message.partition()),
                          new Shipment(order.number(), order.item()))
                      .commit();
                });
        QueenConsumer warehouse =
            shipments.consume(
                Shipment.class,
                message -> {
                  out.accept(message.partition() + ": shipped order " + message.payload().order());
                  shipped.countDown();
                })) {
      for (int number = 1; number <= ORDERS; number++) {
        String customer = "customer-" + number % CUSTOMERS;
        orders.partition(customer).push(new Order(number, customer, "tea"));
      }
      shipped.await();
      out.accept("failures: " + failed.size());
      out.accept("consumers running: " + (workers.isRunning() && warehouse.isRunning()));
    }
  }
}
