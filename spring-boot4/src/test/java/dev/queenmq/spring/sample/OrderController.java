package dev.queenmq.spring.sample;

import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.spring.QueenTemplate;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Takes orders. */
@RestController
class OrderController {
  private final QueenTemplate queen;

  OrderController(QueenTemplate queen) {
    this.queen = queen;
  }

  /** An order that is sent twice is stored once. */
  @PostMapping("/orders")
  String order(@RequestBody Order order) {
    OutgoingMessage message = OutgoingMessage.of(order).withTransactionId("order-" + order.id());
    return queen.send("orders", order.customer(), message).status().name();
  }
}
