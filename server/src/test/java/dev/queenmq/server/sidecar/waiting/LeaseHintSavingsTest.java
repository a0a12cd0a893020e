package dev.queenmq.server.sidecar.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.PopOutcome;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * How often PostgreSQL is asked in vain for partitions that consumers of another broker hold: the
 * same work with and without lease hints, step by step.
 */
class LeaseHintSavingsTest {
  private static final int PARTITIONS = 20;
  private static final int STEPS = 2_000;

  @Test
  @DisplayName("30%+ reduction in POP DB queries (lease hints)")
  void hints_saveQuestions() {
    int without = questions(false);
    int with = questions(true);

    System.out.printf("questions for %d batches: %d, with hints %d%n", STEPS, without, with);
    assertThat(with).isLessThan(without * 7 / 10);
  }

  /** Half of the partitions get messages and are leased elsewhere at once, half are free. */
  private static int questions(boolean hinted) {
    Random random = new Random(1);
    ModelStore store = new ModelStore(random, List.of("q"), PARTITIONS, List.of("g"), 50);
    Set<UUID> elsewhere = new HashSet<>();
    WaitingRoom room =
        new WaitingRoom(
            BackoffRules.defaults(),
            new Hints() {
              @Override
              public boolean leasedElsewhere(UUID partitionId, String group) {
                return hinted && elsewhere.contains(partitionId);
              }

              @Override
              public Optional<UUID> partitionId(String queue, String partition) {
                return Optional.empty();
              }
            },
            Instant::toEpochMilli);
    int asked = 0;
    long now = 0;
    for (int step = 0; step < STEPS; step++) {
      now += 60;
      store.observe(now);
      elsewhere.clear();
      List<ModelStore.Partition> all = new ArrayList<>(store.partitions);
      for (int i = 0; i < all.size(); i++) {
        ModelStore.Partition partition = all.get(i);
        store.push(partition, 0, now);
        room.appended("q", partition.name, partition.id, now);
        if ((i + step) % 2 == 0) {
          // By a consumer of the other broker, which says so.
          store.pop(
              List.of(
                  new dev.queenmq.server.model.PopRequest(
                      new PopTarget.Named("q", partition.name),
                      "g",
                      1,
                      1,
                      false,
                      new Subscription.All())),
              now);
          elsewhere.add(partition.id);
        }
      }
      room.enter(
          new PollRequest(
              new PollTarget.Queue("q"),
              "g",
              1,
              1,
              true,
              new Subscription.All(),
              Duration.ofMinutes(1)),
          0,
          now);
      asked += run(room, store, now);
    }
    return asked;
  }

  private static int run(WaitingRoom room, ModelStore store, long now) {
    int asked = 0;
    for (Action next = room.next(); next != null; next = room.next()) {
      if (next instanceof Action.Pop pop) {
        asked++;
        List<PopOutcome> outcomes = store.pop(pop.requests(), now);
        room.answered(pop.question(), outcomes, now);
      } else if (next instanceof Action.ReadPage page) {
        room.read(page.question(), store.page("q", "g", page.after(), 2_000, now), now);
      }
    }
    return asked;
  }
}
