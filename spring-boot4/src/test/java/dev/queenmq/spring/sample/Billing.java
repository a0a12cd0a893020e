package dev.queenmq.spring.sample;

import dev.queenmq.client.Message;
import dev.queenmq.client.QueenClient;
import dev.queenmq.spring.QueenListener;
import org.springframework.stereotype.Component;

/** Writes an invoice for each order, exactly once. */
@Component
class Billing {
  private final QueenClient client;

  Billing(QueenClient client) {
    this.client = client;
  }

  @QueenListener(queue = "orders", group = "billing")
  void bill(Message<Order> message) {
    client
        .transaction()
        .ack(message)
        .push(
            client.queue("invoices").partition(message.partition()),
            new Invoice(message.payload().id()))
        .commit();
  }
}
