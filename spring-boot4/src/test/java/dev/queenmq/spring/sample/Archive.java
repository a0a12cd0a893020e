package dev.queenmq.spring.sample;

import dev.queenmq.spring.QueenListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.stereotype.Component;

/** Writes orders down, many at a time. */
@Component
class Archive {
  private final List<Order> archived = new CopyOnWriteArrayList<>();

  @QueenListener(queue = "orders", group = "archive", batch = "500")
  void store(List<Order> orders) {
    archived.addAll(orders);
  }

  List<Order> archived() {
    return archived;
  }
}
