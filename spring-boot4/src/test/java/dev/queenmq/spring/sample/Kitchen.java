package dev.queenmq.spring.sample;

import dev.queenmq.spring.QueenListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Brews up to 20 customers' orders at the same time, each customer's in their order. */
@Component
class Kitchen {
  private final List<Order> brewed = new CopyOnWriteArrayList<>();

  @QueenListener(queue = "orders", group = "kitchen", concurrency = "20")
  void brew(Order order) {
    if (order.item().isEmpty()) {
      throw new IllegalArgumentException("an order without an item");
    }
    brewed.add(order);
  }

  List<Order> brewed() {
    return brewed;
  }
}
