package dev.queenmq.server.sharedstate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** Several event loops call it at once. */
class SharedStateThreadsTest {
  private static final int QUEUES = 20;
  private final ManualClock clock = new ManualClock();
  private final Map<String, SharedState> brokers = new ConcurrentHashMap<>();

  @Test
  void manyThreads_leaveTheBrokersInAgreement() throws Exception {
    List<SharedState> two = List.of(start("A"), start("B"));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<?>> tasks = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      int seed = i;
      tasks.add(threads.submit(() -> work(two, new Random(seed))));
    }
    for (Future<?> task : tasks) {
      task.get();
    }
    threads.shutdown();
    two.get(1).waitingBegan("q3");
    for (int i = 0; i < 10; i++) {
      clock.advance(1000);
      two.forEach(SharedState::tick);
    }
    for (int i = 0; i < QUEUES; i++) {
      assertThat(two.get(0).presence().targets("q" + i))
          .contains(i == 3 ? List.of("B") : List.of());
      assertThat(two.get(1).presence().targets("q" + i)).contains(List.of());
    }
    two.forEach(
        state -> {
          assertThat(state.statistics().traffic().failures()).isZero();
          assertThat(state.statistics().partitionIdCache().size()).isLessThanOrEqualTo(100);
          // A race may leave a name without an entry, never many of them.
          assertThat(state.partitionIds().indexed()).isLessThanOrEqualTo(110);
        });
  }

  private void work(List<SharedState> two, Random random) {
    for (int i = 0; i < 5000; i++) {
      SharedState one = two.get(random.nextInt(2));
      String queue = "q" + random.nextInt(QUEUES);
      UUID id = new UUID(0, random.nextInt(50));
      switch (random.nextInt(8)) {
        case 0 -> {
          clock.advance(random.nextInt(300));
          one.tick();
        }
        case 1 -> one.messagesAvailable(queue, List.of(new PartitionRef("p", Optional.of(id))));
        case 2 -> one.leaseAcquired(queue, id, "g", Duration.ofMinutes(1));
        case 3 -> one.leaseReleased(queue, id, "g");
        case 4 -> one.partitionIds().put(queue, "p" + random.nextInt(50), id);
        case 5 -> one.queueDeleted(queue, i);
        default -> {
          one.waitingBegan(queue);
          one.waitingEnded(queue);
        }
      }
    }
  }

  private SharedState start(String id) {
    SharedStateOptions usual = SharedStateOptions.defaults(id);
    SharedState state =
        SharedState.withPeers(
            new SharedStateOptions(
                id,
                usual.deadThreshold(),
                usual.refreshInterval(),
                100,
                usual.partitionTtl(),
                100,
                Duration.ofMillis(100),
                usual.tombstone()),
            new Direct(id),
            TestSurroundings.of(Map.of(), new RecordingListener(), clock));
    brokers.put(id, state);
    return state;
  }

  private final class Direct implements SyncLink {
    private final String from;

    Direct(String from) {
      this.from = from;
    }

    @Override
    public boolean send(String serverId, int type, byte[] payload) {
      SharedState to = brokers.get(serverId);
      if (to != null) {
        to.receive(from, "1", type, payload);
      }
      return to != null;
    }

    @Override
    public void broadcast(int type, byte[] payload) {
      brokers.keySet().forEach(to -> send(to, type, payload));
    }
  }
}
