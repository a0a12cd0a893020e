package dev.queenmq.testkit.tour;

import static dev.queenmq.testkit.QueenAssertions.assertThatQueue;

import dev.queenmq.client.QueenClient;
import dev.queenmq.testkit.QueenTest;
import dev.queenmq.testkit.QueuePrefix;
import org.junit.jupiter.api.Test;

@QueenTest(isolation = QueenTest.Isolation.PREFIX)
class ParallelIT {
  @Test
  void order_isStored(QueenClient client, @QueuePrefix String prefix) {
    client.queue(prefix + "orders").push(new Order(17, "tea"));

    assertThatQueue(prefix + "orders").hasDepth(1);
  }
}
