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
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Other brokers hear of polls that have to wait, and of no others; and when such polls end. */
class AnnouncedPollsTest {
  private static final long NOW = 1_000;

  private final ModelStore store = new ModelStore(new Random(1), List.of("q"), 1, List.of("g"), 60);
  private final ModelStore.Partition partition = store.partitions.get(0);
  private final WaitingRoom room =
      new WaitingRoom(BackoffRules.defaults(), new NoHints(), Instant::toEpochMilli);

  @Test
  void poll_thatFindsSomething_isNotAnnounced() {
    store.push(partition, 0, NOW);

    List<Class<?>> done = enter(new PollTarget.Queue("q"));

    assertThat(done)
        .contains(Action.Deliver.class)
        .doesNotContain(Action.AnnounceWaiting.class, Action.AnnounceGone.class);
  }

  @Test
  void poll_thatFindsNothing_isAnnounced_andOnlyOnce() {
    List<Class<?>> done = enter(new PollTarget.Queue("q"));
    room.looked(1, false, NOW);
    done.addAll(act());

    assertThat(done).containsOnlyOnce(Action.AnnounceWaiting.class);
  }

  @Test
  void poll_behindALease_isAnnounced() {
    store.push(partition, 0, NOW);
    store.pop(
        List.of(
            new PopRequest(
                new PopTarget.Named("q", partition.name),
                "g",
                1,
                1,
                false,
                new Subscription.All())),
        NOW);

    assertThat(enter(new PollTarget.Queue("q"))).contains(Action.AnnounceWaiting.class);
    assertThat(enter(new PollTarget.Partition("q", partition.name)))
        .contains(Action.AnnounceWaiting.class);
  }

  @Test
  void end_ofAnAnnouncedPoll_isAnnounced() {
    enter(new PollTarget.Queue("q"));

    room.close(NOW);

    assertThat(act()).contains(Action.AnnounceGone.class);
  }

  @Test
  void pollAtWork_isAnswered_whenTheBrokerStopsAndItsQuestionFails() {
    store.push(partition, 0, NOW);
    room.enter(
        new PollRequest(
            new PollTarget.Partition("q", partition.name),
            "g",
            1,
            1,
            false,
            new Subscription.All(),
            Duration.ofMinutes(1)),
        0,
        NOW);
    Action.Pop pop = (Action.Pop) Objects.requireNonNull(room.next());

    room.close(NOW);
    assertThat(act()).doesNotContain(Action.Dismiss.class);
    room.failed(pop.question(), NOW);

    assertThat(act()).contains(Action.Dismiss.class);
  }

  @Test
  void poll_thatCameLateInAMillisecond_isNotAnsweredEarly() {
    Duration patience = Duration.ofMinutes(1);
    Waiter waiter =
        room.enter(
            new PollRequest(
                new PollTarget.Queue("q"), "g", 1, 1, false, new Subscription.All(), patience),
            0,
            NOW);
    act();

    // By a clock of whole milliseconds it may have come at the very end of this one.
    room.alarm(NOW + patience.toMillis());
    assertThat(waiter.isLeaving()).isFalse();

    room.alarm(NOW + patience.toMillis() + 1);
    assertThat(waiter.isLeaving()).isTrue();
  }

  @Test
  void poll_behindALeaseOfThisBroker_asksForIt_onlyWhileOtherBrokersAreUp() {
    store.push(partition, 0, NOW);
    assertThat(enter(new PollTarget.Queue("q"))).contains(Action.Deliver.class);
    enter(new PollTarget.Queue("q"));

    assertThat(asksBehindALease(false)).isFalse();
    assertThat(asksBehindALease(true)).isTrue();
  }

  /** The same after the end of a lease that this broker has not given, as far as it knows. */
  private boolean asksBehindALease(boolean others) {
    room.looked(1, others, NOW);
    room.released("q", "unknown", UUID.randomUUID(), "g", Optional.empty(), true, NOW);
    act();
    return enter(new PollTarget.Queue("q")).contains(Action.Pop.class);
  }

  private List<Class<?>> enter(PollTarget target) {
    room.enter(
        new PollRequest(target, "g", 1, 1, false, new Subscription.All(), Duration.ofMinutes(1)),
        0,
        NOW);
    return act();
  }

  private List<Class<?>> act() {
    List<Class<?>> done = new ArrayList<>();
    for (Action next = room.next(); next != null; next = room.next()) {
      done.add(next.getClass());
      if (next instanceof Action.Pop pop) {
        room.answered(pop.question(), store.pop(pop.requests(), NOW), NOW);
      } else if (next instanceof Action.ReadPage page) {
        room.read(page.question(), store.page("q", "g", page.after(), 2_000, NOW), NOW);
      }
    }
    return done;
  }
}
