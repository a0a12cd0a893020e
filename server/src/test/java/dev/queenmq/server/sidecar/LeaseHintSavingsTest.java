package dev.queenmq.server.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.sidecar.Directory.NamedPartition;
import dev.queenmq.server.sidecar.WaitGroup.AnyPartition;
import dev.queenmq.server.sidecar.WaitGroup.Ask;
import dev.queenmq.server.store.QueueSettings;
import dev.queenmq.server.store.Subscription;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * How often somebody who waits asks the store for a partition that a consumer at another broker
 * holds: the same minute with and without lease hints, step by step.
 */
class LeaseHintSavingsTest {
  private static final UUID PARTITION = new UUID(1, 1);
  private static final int MINUTE = 60_000;
  private static final int STEP = 10;
  private static final int PUSH_EVERY = 100;
  private static final int LOOK_EVERY = 1_000;

  private final Vertx vertx = Vertx.vertx();

  @AfterEach
  void close() {
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }

  @Test
  @DisplayName("30%+ reduction in POP DB queries (lease hints)")
  void hints_saveQuestions() {
    int longLeases = asked(new Hints(false), MINUTE);
    int longLeasesHinted = asked(new Hints(true), MINUTE);
    int shortLeases = asked(new Hints(false), 500);
    int shortLeasesHinted = asked(new Hints(true), 500);

    System.out.printf(
        "questions for a leased partition in a minute: %d, with hints %d; short leases: %d, with hints %d%n",
        longLeases, longLeasesHinted, shortLeases, shortLeasesHinted);
    assertThat(longLeasesHinted).isLessThan(longLeases * 7 / 10).isPositive();
    assertThat(shortLeasesHinted).isLessThan(shortLeases * 7 / 10).isPositive();
  }

  /** A minute in which others lease the partition all the time, each so long. */
  private int asked(Peers peers, int lease) {
    BackoffRules rules = BackoffRules.defaults();
    DatabaseClock clock = new DatabaseClock(() -> 0);
    ReadyList ready = new ReadyList();
    AnyPartition group =
        new AnyPartition(
            "orders",
            "g",
            new QueueRoom.Doors(peers, rules, () -> new GroupAlarm(vertx, clock)),
            ready);
    group.waiters.add(
        new Waiter(
            new PollRequest(
                new PollTarget.Queue("orders"),
                "g",
                10,
                1,
                false,
                new Subscription.All(),
                Duration.ofMinutes(2))));
    int asked = 0;
    for (int now = 0; now < MINUTE; now += STEP) {
      if (now % PUSH_EVERY == 0) {
        ready.add(PARTITION);
      }
      if (now % LOOK_EVERY == 0) {
        group.doubt(now - rules.maxMillis());
      }
      for (Ask ask : group.asks(now)) {
        asked++;
        long until = (now / lease + 1) * (long) lease;
        for (UUID id : ask.candidates()) {
          ready.seenLeased(id, until, now);
        }
      }
    }
    return asked;
  }

  /** Says of all partitions that they are leased, or of none. */
  private static final class Hints implements Peers {
    private final boolean leased;

    Hints(boolean leased) {
      this.leased = leased;
    }

    @Override
    public boolean leasedElsewhere(UUID partitionId, String group) {
      return leased;
    }

    @Override
    public void appended(String queue, List<NamedPartition> partitions) {}

    @Override
    public void freed(String queue, String partition, UUID partitionId, String group) {}

    @Override
    public void moved(String queue, String group) {}

    @Override
    public void leased(String queue, String group, List<UUID> partitionIds, Duration lease) {}

    @Override
    public void leaseRefused(UUID partitionId, String group) {}

    @Override
    public void waitingBegan(String queue) {}

    @Override
    public void waitingEnded(String queue) {}

    @Override
    public void configured(QueueSettings settings) {}

    @Override
    public void deleted(String queue) {}

    @Override
    public boolean inTouch() {
      return true;
    }

    @Override
    public Optional<UUID> partitionId(String queue, String partition) {
      return Optional.empty();
    }

    @Override
    public void partitionMet(NamedPartition partition) {}

    @Override
    public void partitionMissing(String queue, String partition) {}

    @Override
    public void partitionDeleted(String queue, String partition) {}
  }
}
