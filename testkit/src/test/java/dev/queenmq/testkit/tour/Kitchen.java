package dev.queenmq.testkit.tour;

import dev.queenmq.client.QueenClient;
import dev.queenmq.client.QueenConsumer;
import org.jspecify.annotations.Nullable;

/** A part of an application, which its tests are about. */
final class Kitchen implements AutoCloseable {
  private final QueenClient client;
  private @Nullable QueenConsumer consumer;

  Kitchen(QueenClient client) {
    this.client = client;
  }

  void open() {
    consumer =
        client
            .queue("orders")
            .group("kitchen")
            .consume(Order.class, message -> brew(message.payload()));
  }

  private void brew(Order order) {
    if (order.item().isEmpty()) {
      throw new IllegalArgumentException("an order without an item");
    }
    client.queue("brewed").push(order);
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close();
    }
  }
}
