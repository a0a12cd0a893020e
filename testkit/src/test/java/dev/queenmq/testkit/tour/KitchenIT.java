package dev.queenmq.testkit.tour;

import static dev.queenmq.testkit.QueenAssertions.assertThatQueue;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.Message;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.admin.queues.QueueOptions;
import dev.queenmq.testkit.EmbeddedQueen;
import dev.queenmq.testkit.QueenTest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

@QueenTest
class KitchenIT {
  @Test
  void order_isStored(QueenClient client) {
    client.queue("orders").push(new Order(17, "tea"));

    assertThatQueue("orders").hasDepth(1);
  }

  @Test
  void order_isBrewed(QueenClient client) {
    try (Kitchen kitchen = new Kitchen(client)) {
      kitchen.open();
      client.queue("orders").push(new Order(17, "tea"));

      assertThatQueue("brewed").within(Duration.ofSeconds(30)).hasDepth(1);
      assertThatQueue("orders").within(Duration.ofSeconds(30)).group("kitchen").hasNoLag();
    }
  }

  @Test
  void order_withoutAnItem_isADeadLetter(QueenClient client) {
    try (Kitchen kitchen = new Kitchen(client)) {
      kitchen.open();
      client.queue("orders").push(new Order(18, ""));

      assertThatQueue("orders")
          .within(Duration.ofSeconds(30))
          .group("kitchen")
          .hasDeadLetters(1)
          .hasNoLag();
    }
  }

  @Test
  void order_ofACookWhoLeft_isGivenToAnother(EmbeddedQueen queen, QueenClient client) {
    client.queue("orders").push(new Order(17, "tea"));
    client.queue("orders").group("kitchen").pop(Order.class, PopOptions.batch(1));
    assertThatQueue("orders").group("kitchen").hasLeases(1);

    queen.advance(Duration.ofMinutes(6));

    List<Message<Order>> again =
        client.queue("orders").group("kitchen").pop(Order.class, PopOptions.batch(1));
    assertThat(again).extracting(Message::payload).containsExactly(new Order(17, "tea"));
  }

  @Test
  void reminder_comesAfterADay(EmbeddedQueen queen, QueenClient client) {
    client
        .admin()
        .queues()
        .configure("reminders", QueueOptions.builder().delayedProcessing(86_400).build());
    client.queue("reminders").push("wash the cups");
    assertThat(client.queue("reminders").pop(String.class, PopOptions.batch(1))).isEmpty();

    queen.advance(Duration.ofDays(1));

    assertThat(client.queue("reminders").pop(String.class, PopOptions.batch(1))).hasSize(1);
  }
}
