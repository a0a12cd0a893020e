package dev.queenmq.server.sidecar.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.PopRequest;
import dev.queenmq.server.model.PopTarget;
import dev.queenmq.server.model.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The tail is looked at for polls that may find nothing, and for no others. */
class NeededLooksTest {
  private static final int PARTITIONS = 4;
  private static final long NOW = 1_000;

  private final ModelStore store =
      new ModelStore(new Random(1), List.of("q"), PARTITIONS, List.of("g"), 60);
  private final WaitingRoom room =
      new WaitingRoom(BackoffRules.defaults(), new NoHints(), Instant::toEpochMilli);

  @Test
  void poll_thatCannotWait_needsNoLook_whileTheNextQuestionHasSomethingForIt() {
    Action.Pop first = oneUnderWay();

    enter();
    enter();
    enter();

    assertThat(room.next()).as("three partitions are left for three polls").isNull();
    room.answered(first.question(), store.pop(first.requests(), NOW), NOW);
    assertThat(act()).contains(Action.Pop.class).doesNotContain(Action.Look.class);
  }

  @Test
  void poll_thatCannotWait_needsALook_onceThereIsNothingLeftForIt() {
    oneUnderWay();
    enter();
    enter();
    enter();
    assertThat(room.next()).isNull();

    enter();

    assertThat(room.next()).isInstanceOf(Action.Look.class);
  }

  @Test
  void poll_whosePartitionTurnsOutToBeEmpty_needsALook_andIsAnswered() {
    Action.Pop first = oneUnderWay();
    enter();
    store.partitions.forEach(this::takeElsewhere);

    room.answered(first.question(), store.pop(first.requests(), NOW), NOW);
    assertThat(act()).contains(Action.Look.class).doesNotContain(Action.Deliver.class);
    room.looked(1, false, NOW);

    assertThat(act()).contains(Action.Dismiss.class);
  }

  /** Everything is listed, and a question for one poll is under way. */
  private Action.Pop oneUnderWay() {
    store.partitions.forEach(each -> store.push(each, 0, NOW));
    enter();
    for (Action next = room.next(); next != null; next = room.next()) {
      if (next instanceof Action.Pop pop && !pop.question().asks.isEmpty()) {
        assertThat(room.next()).isNull();
        return pop;
      }
      answer(next);
    }
    throw new AssertionError("nothing is asked");
  }

  private void takeElsewhere(ModelStore.Partition partition) {
    PopTarget target = new PopTarget.Named("q", partition.name);
    store.pop(List.of(new PopRequest(target, "g", 10, 1, true, new Subscription.All())), NOW);
  }

  private void enter() {
    room.enter(
        new PollRequest(
            new PollTarget.Queue("q"), "g", 1, 1, false, new Subscription.All(), Duration.ZERO),
        0,
        NOW);
  }

  private List<Class<?>> act() {
    List<Class<?>> done = new ArrayList<>();
    for (Action next = room.next(); next != null; next = room.next()) {
      done.add(next.getClass());
      answer(next);
    }
    return done;
  }

  private void answer(Action action) {
    if (action instanceof Action.Pop pop) {
      room.answered(pop.question(), store.pop(pop.requests(), NOW), NOW);
    } else if (action instanceof Action.ReadPage page) {
      room.read(page.question(), store.page("q", "g", page.after(), 2_000, NOW), NOW);
    }
  }
}
