package dev.queenmq.testkit.tour;

import dev.queenmq.testkit.EmbeddedQueen;
import org.junit.jupiter.api.Test;

/** Without the extension. */
class PlainIT {
  @Test
  void queen_worksWithoutJUnit() {
    try (EmbeddedQueen queen =
        EmbeddedQueen.builder().setting("QUEEN_MAX_ITEMS_PER_REQUEST", "100").start()) {
      queen.client().queue("orders").push(new Order(17, "tea"));
      queen.assertThatQueue("orders").hasDepth(1);

      queen.reset();
      queen.assertThatQueue("orders").doesNotExist();
    }
  }
}
