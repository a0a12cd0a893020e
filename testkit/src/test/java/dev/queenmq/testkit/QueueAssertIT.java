package dev.queenmq.testkit;

import static dev.queenmq.testkit.QueenAssertions.assertThatQueue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.queenmq.client.Message;
import dev.queenmq.client.PopOptions;
import dev.queenmq.client.QueenClient;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What can be asserted, and what is said if it does not hold. */
@QueenTest(isolation = QueenTest.Isolation.PREFIX)
class QueueAssertIT {
  private static final List<String> USED = new CopyOnWriteArrayList<>();

  @BeforeEach
  void remember(@QueuePrefix String prefix) {
    USED.add(prefix);
  }

  /** The last test's queues too are gone by now. */
  @AfterAll
  static void queuesOfAPrefix_goAwayWithTheirTest() {
    assertThat(USED).doesNotHaveDuplicates().hasSizeGreaterThan(1);
    for (String prefix : USED) {
      assertThatQueue(prefix + "orders").doesNotExist();
    }
  }

  @Test
  void assertions_holdForWhatIsThere(QueenClient client, @QueuePrefix String prefix) {
    String queue = prefix + "orders";
    assertThatQueue(queue).doesNotExist();
    client.queue(queue).partition("a").pushAll(List.of("tea", "cake"));
    client.queue(queue).partition("b").push("scone");
    assertThatQueue(queue).exists().hasDepth(3).hasDepth("a", 2).hasPartitions(2);

    List<Message<String>> popped =
        client.queue(queue).partition("a").group("kitchen").pop(String.class, PopOptions.batch(2));
    // The group has asked for one partition, so that it reads no other.
    assertThatQueue(queue).group("kitchen").hasLag(2).hasLeases(1).hasNoDeadLetters();
    popped.get(0).ack();
    popped.get(1).deadLetter("no flour");

    assertThatQueue(queue)
        .group("kitchen")
        .hasNoLag()
        .hasNoLeases()
        .hasDeadLetters(1)
        .queue()
        .hasDeadLetters(1)
        .hasDepth("a", 0)
        .hasDepth(1);
    client.queue(queue).pop(String.class, PopOptions.batch(1).partitions(1).atMostOnce());
    assertThatQueue(queue).withoutGroup().hasNoLeases();
  }

  @Test
  void failures_sayWhatIsThere(QueenClient client, @QueuePrefix String prefix) {
    String queue = prefix + "orders";
    assertFails(() -> assertThatQueue(queue).hasDepth(0), "there is no such queue");
    assertFails(() -> assertThatQueue(queue).exists(), "there is no such queue");
    client.queue(queue).partition("a").push("tea");

    assertFails(() -> assertThatQueue(queue).doesNotExist(), "no queue " + queue, "depth 1");
    assertFails(
        () -> assertThatQueue(queue).hasDepth(2), "to have depth 2, but it has depth 1", "a=1");
    assertFails(() -> assertThatQueue(queue).isEmpty(), "depth 1");
    assertFails(() -> assertThatQueue(queue).hasDepth("b", 0), "partition b", "a=1");
    assertFails(() -> assertThatQueue(queue).hasPartitions(2), "2 partitions");
    assertFails(() -> assertThatQueue(queue).hasDeadLetters(1), "1 dead letters");
    assertFails(() -> assertThatQueue(queue).group("x").hasNoLag(), "lag 0 in group x", "{}");
    assertFails(() -> assertThatQueue(queue).group("x").hasLeases(1), "1 leases in group x");
    assertFails(
        () -> assertThatQueue(queue).within(Duration.ofMillis(30)).hasDepth(2), "after 30 ms");
  }

  @Test
  void patience_waitsForWhatComes(QueenClient client, @QueuePrefix String prefix) {
    String queue = prefix + "orders";
    Thread later = new Thread(() -> client.queue(queue).push("tea"));
    later.start();
    assertThatQueue(queue).within(Duration.ofSeconds(30)).hasDepth(1);
    assertThat(queue).startsWith(prefix);
  }

  private static void assertFails(Runnable assertion, String... said) {
    assertThatThrownBy(assertion::run)
        .isInstanceOf(AssertionError.class)
        .hasMessageContainingAll(said);
  }
}
