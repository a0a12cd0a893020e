package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

@Isolated
class SharedStateMemoryTest {
  private static final int PARTITIONS = 100_000;

  /** Of all caches together, each of which keeps 10,000 at most. */
  private static final long BOUND = 10L << 20;

  private static final Duration LEASE = Duration.ofMinutes(5);
  private static final int TOGETHER = 100;
  private static final int LOOKS = 3;

  @Test
  @DisplayName("100k partitions, verify memory stays bounded")
  void hundredThousandPartitions_memoryStaysBounded() {
    long before = used();
    LossyNetwork network = new LossyNetwork(1);
    LossyNetwork.Broker a = network.start("A", "1", Map.of());
    LossyNetwork.Broker b = network.start("B", "1", Map.of());
    b.state().waitingBegan("orders");
    network.rounds(6);
    int told = 0;
    for (int i = 0; i < PARTITIONS; i += TOGETHER) {
      List<PartitionRef> some = partitions(i);
      for (PartitionRef each : some) {
        UUID id = each.partitionId().orElseThrow();
        a.state().leaseAcquired("orders", id, "g", LEASE);
        a.state().partitionIds().put("orders", each.partition(), id);
        b.state().partitionIds().put("orders", each.partition(), id);
      }
      a.state().messagesAvailable("orders", some);
      a.state().flush();
      network.settle();
      told += b.heard().size();
      b.heard().clear();
    }
    assertThat(told).isEqualTo(PARTITIONS);
    network.delivered().clear();

    long kept = used() - before;

    System.out.printf("shared state of two brokers, 100,000 partitions: %,d bytes%n", kept);
    assertThat(kept).isLessThan(2 * BOUND);
    assertThat(a.state().statistics().partitionIdCache().size()).isLessThanOrEqualTo(10_000);
    assertThat(b.state().statistics().partitionIdCache().size()).isLessThanOrEqualTo(10_000);
    assertThat(b.state().statistics().leaseHints().size()).isLessThanOrEqualTo(10_000);
  }

  private static List<PartitionRef> partitions(int from) {
    return IntStream.range(from, from + TOGETHER)
        .mapToObj(i -> new PartitionRef("customer-" + i, Optional.of(new UUID(0, i))))
        .toList();
  }

  /** What is reachable: the least of a few looks, since a collection may be under way. */
  private static long used() {
    MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < LOOKS; i++) {
      memory.gc();
      least = Math.min(least, memory.getHeapMemoryUsage().getUsed());
    }
    return least;
  }
}
