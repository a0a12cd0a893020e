package dev.queenmq.spring.sample;

import dev.queenmq.spring.QueenTemplate;
import dev.queenmq.spring.test.ImportEmbeddedQueen;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** The test that docs/spring.md shows. */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@ImportEmbeddedQueen
class KitchenIT {
  @Autowired QueenTemplate queen;
  @Autowired Kitchen kitchen;

  @Test
  void brewsWhatIsOrdered() {
    Order order = new Order(90, "90", "tea");
    queen.send("orders", order.customer(), order);

    Awaitility.await().until(() -> kitchen.brewed().contains(order));
  }
}
