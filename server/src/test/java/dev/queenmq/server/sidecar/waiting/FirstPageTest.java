package dev.queenmq.server.sidecar.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.PollRequest;
import dev.queenmq.server.model.PollTarget;
import dev.queenmq.server.model.Subscription;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The first pop of a group gets all that there is, also if a part of it is known before. */
class FirstPageTest {
  private static final long NOW = 1_000;

  private final ModelStore store = new ModelStore(new Random(1), List.of("q"), 2, List.of("g"), 60);
  private final WaitingRoom room =
      new WaitingRoom(BackoffRules.defaults(), new NoHints(), Instant::toEpochMilli);

  private final ModelStore.Partition known = store.partitions.get(0);

  @Test
  void appendHeardOf_whileTheFirstPageIsRead_doesNotHideTheOtherPartitions() {
    Action.ReadPage page = untilTheFirstPage();

    room.appended("q", known.name, known.id, NOW);

    assertThat(room.next()).isNull();
    assertThat(room.nextAlarm()).as("nothing to do before the page comes").isGreaterThan(NOW + 1);
    room.read(page.question(), store.page("q", "g", page.after(), 2_000, NOW), NOW);
    assertThat(askedFor()).isEqualTo(2);
  }

  @Test
  void laterPages_areNotWaitedFor() {
    Action.ReadPage page = untilTheFirstPage();

    room.read(page.question(), store.page("q", "g", page.after(), 1, NOW), NOW);

    assertThat(room.next()).isInstanceOf(Action.ReadPage.class);
    assertThat(askedFor()).isEqualTo(1);
  }

  @Test
  void firstPage_thatFails_isReadAgain() {
    Action.ReadPage page = untilTheFirstPage();
    room.appended("q", known.name, known.id, NOW);

    room.failed(page.question(), NOW);
    room.alarm(room.nextAlarm());

    assertThat(untilPage()).isNotNull();
  }

  private Action.ReadPage untilTheFirstPage() {
    store.partitions.forEach(each -> store.push(each, 0, NOW));
    room.enter(
        new PollRequest(
            new PollTarget.Queue("q"),
            "g",
            10,
            10,
            false,
            new Subscription.All(),
            Duration.ofMinutes(1)),
        0,
        NOW);
    return untilPage();
  }

  private Action.ReadPage untilPage() {
    for (Action next = room.next(); next != null; next = room.next()) {
      if (next instanceof Action.Pop pop) {
        room.answered(pop.question(), store.pop(pop.requests(), NOW), NOW);
      } else if (next instanceof Action.ReadPage page) {
        return page;
      }
    }
    throw new AssertionError("no page is read");
  }

  /** How many partitions the next pop asks for. */
  private int askedFor() {
    return room.next() instanceof Action.Pop pop
        ? pop.question().asks.get(0).candidates().size()
        : 0;
  }
}
