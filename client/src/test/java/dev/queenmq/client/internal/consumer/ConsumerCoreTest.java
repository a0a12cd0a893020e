package dev.queenmq.client.internal.consumer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.internal.consumer.ConsumerCore.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Single decisions; {@link ConsumerSimulationTest} has what follows from all of them. */
class ConsumerCoreTest {
  private static final long SECOND = 1_000_000_000L;
  private static final Duration LEASE = Duration.ofSeconds(60);

  private final List<Action<String>> actions = new ArrayList<>();
  private ConsumerCore<String> core = core(4, false);

  private static ConsumerCore<String> core(int concurrency, boolean wholeBatches) {
    return new ConsumerCore<>(
        new ConsumerLimits(
            concurrency,
            20,
            wholeBatches,
            1000,
            Duration.ofMillis(100),
            Duration.ofSeconds(5),
            Duration.ofHours(1)));
  }

  @Test
  void wake_pollsOnce_whenIdle() {
    did(core.wake(0));

    assertThat(polls()).hasSize(1);
    assertThat(core.nextWake()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void polled_doublesThePolls_whileMessagesCome() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 5), true, 0));
    assertThat(polls()).hasSize(3);

    did(core.polled(polls().get(1), batch("b", 5), true, 0));
    assertThat(polls()).as("one for each free lane").hasSize(4);
  }

  @Test
  void polled_fallsBackToOnePoll_whenNothingComes() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 1), true, 0));
    List<Long> open = polls().subList(1, 3);
    did(core.polled(open.get(0), List.of(), true, SECOND));

    assertThat(polls()).as("the other one still waits").hasSize(3);
    did(core.polled(open.get(1), List.of(), true, SECOND));
    assertThat(polls()).hasSize(4);
  }

  @Test
  void polled_runsLanesAtTheSameTime_andMessagesOfOneInOrder() {
    did(core.wake(0));
    did(core.polled(polls().get(0), both(batch("a", 2), batch("b", 2)), true, 0));

    assertThat(runs())
        .extracting(Action.Run::messages)
        .containsExactly(List.of("a0"), List.of("b0"));
    did(core.handled(runs().get(0).id(), List.of(done("a0")), 0));
    assertThat(runs()).hasSize(3);
    assertThat(runs().get(2).messages()).containsExactly("a1");
  }

  @Test
  void handled_givesTheRestOfTheLaneBack_whenAMessageInTheMiddleFails() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 4), true, 0));
    did(core.handled(runs().get(0).id(), List.of(done("a0")), 0));
    did(core.handled(runs().get(1).id(), List.of(disposition("a1", Disposition.Status.FAILED)), 0));

    did(core.acked(List.of(Outcome.HELD), 0));
    assertThat(acks().get(1)).containsExactly(disposition("a1", Disposition.Status.FAILED));
    did(core.acked(List.of(Outcome.RELEASED), 0));
    assertThat(runs()).as("a2 and a3 come again after a1").hasSize(2);
    assertThat(lost()).containsExactly("a2", "a3");
  }

  @Test
  void handled_goesOnWithTheRest_whenTheFailedMessageBecameADeadLetter() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 2), true, 0));
    did(core.handled(runs().get(0).id(), List.of(disposition("a0", Disposition.Status.FAILED)), 0));

    assertThat(runs()).as("it is not known yet").hasSize(1);
    did(core.acked(List.of(Outcome.HELD), 0));
    assertThat(runs().get(1).messages()).containsExactly("a1");
  }

  @Test
  void handled_givesTheRestOfABatchToTheHandlerAgain_afterADeadLetter() {
    core = core(4, true);
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 4), true, 0));
    did(
        core.handled(
            runs().get(0).id(),
            List.of(done("a0"), disposition("a1", Disposition.Status.FAILED)),
            0));
    did(core.acked(List.of(Outcome.HELD, Outcome.HELD), 0));

    assertThat(runs().get(1).messages()).containsExactly("a2", "a3");
  }

  @Test
  void handled_goesOn_afterADeadLetter() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 2), true, 0));
    did(
        core.handled(
            runs().get(0).id(), List.of(disposition("a0", Disposition.Status.DEAD_LETTER)), 0));

    assertThat(runs().get(1).messages()).containsExactly("a1");
  }

  @Test
  void acks_areCollected_whileOneIsUnderWay() {
    did(core.wake(0));
    did(
        core.polled(
            polls().get(0), both(batch("a", 1), both(batch("b", 1), batch("c", 1))), true, 0));
    for (Action.Run<String> run : List.copyOf(runs())) {
      did(core.handled(run.id(), List.of(done(run.messages().get(0))), 0));
    }

    assertThat(acks()).containsExactly(List.of(done("a0")));
    did(core.acked(List.of(Outcome.HELD), 0));
    assertThat(acks().get(1)).containsExactly(done("b0"), done("c0"));
  }

  @Test
  void ackFailed_tellsAgain_untilTheLeaseIsOver() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 1), true, 0));
    did(core.handled(runs().get(0).id(), List.of(done("a0")), 0));
    did(core.ackFailed(SECOND));

    assertThat(acks()).hasSize(1);
    assertThat(core.nextWake()).isEqualTo(SECOND + 100_000_000L);
    did(core.wake(core.nextWake()));
    assertThat(acks()).hasSize(2);

    did(core.ackFailed(LEASE.toNanos()));
    assertThat(lost()).containsExactly("a0");
    did(core.wake(LEASE.toNanos() + 10 * SECOND));
    assertThat(acks()).hasSize(2);
  }

  @Test
  void ackRefused_sendsSmallerCalls_untilOneIsAlone_andGivesThatUp() {
    did(core.wake(0));
    did(core.polled(polls().get(0), both(batch("a", 1), batch("b", 4)), true, 0));
    did(core.handled(runs().get(0).id(), List.of(done("a0")), 0));
    for (int i = 0; i < 4; i++) {
      did(core.handled(runs().get(i + 1).id(), List.of(done("b" + i)), 0));
    }
    did(core.acked(List.of(Outcome.HELD), 0));
    assertThat(acks().get(1)).containsExactly(done("b0"), done("b1"), done("b2"), done("b3"));

    did(core.ackRefused(0));
    assertThat(acks().get(2)).containsExactly(done("b0"), done("b1"));
    did(core.acked(List.of(Outcome.HELD, Outcome.HELD), 0));
    assertThat(acks().get(3)).containsExactly(done("b2"), done("b3"));
    did(core.ackRefused(0));
    assertThat(acks().get(4)).containsExactly(done("b2"));
    did(core.ackRefused(0));
    assertThat(acks().get(5)).containsExactly(done("b3"));
    did(core.acked(List.of(Outcome.RELEASED), 0));
    did(core.stop(0));
    did(core.polled(polls().get(polls().size() - 1), List.of(), true, 0));
    for (Long poll : polls()) {
      did(core.pollFailed(poll, 0));
    }
    assertThat(core.isStopped()).isTrue();
    assertThat(acks()).as("what was given up is not sent again").hasSize(6);
  }

  @Test
  void leases_areRenewed_whileAHandlerWorks() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 1), true, 0));
    did(core.wake(10 * SECOND));

    assertThat(all(Action.Extend.class)).hasSize(1);
    Action.Extend<?> extend = all(Action.Extend.class).get(0);
    assertThat(extend.seconds()).isEqualTo(60);
    did(core.extended(extend.leaseId(), 60, 11 * SECOND));
    did(core.wake(39 * SECOND));
    assertThat(all(Action.Extend.class)).hasSize(1);
    did(core.wake(40 * SECOND));
    assertThat(all(Action.Extend.class)).hasSize(2);
  }

  @Test
  void leases_areNotRenewed_whenAllIsSettled() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 1), true, 0));
    did(core.handled(runs().get(0).id(), List.of(done("a0")), 0));
    did(core.acked(List.of(Outcome.HELD), 0));
    did(core.wake(10 * SECOND));

    assertThat(all(Action.Extend.class)).isEmpty();
    assertThat(core.nextWake()).isGreaterThan(10 * SECOND);
  }

  @Test
  void extendFailed_dropsWhatWaits_whenTheLeaseIsLost() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 3), true, 0));
    did(core.extendFailed("lease-a", true, SECOND));

    assertThat(lost()).containsExactly("a1", "a2");
    did(core.handled(runs().get(0).id(), List.of(done("a0")), SECOND));
    assertThat(runs()).hasSize(1);
  }

  @Test
  void aLaneThatComesAgain_waitsForTheHandlerThatStillWorksOnIt() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 2), true, 0));
    did(core.extendFailed("lease-a", true, SECOND));
    List<Delivery<String>> again =
        List.of(
            new Delivery<>("a0", "a", "other", LEASE), new Delivery<>("a1", "a", "other", LEASE));
    did(core.polled(polls().get(1), again, true, SECOND));

    assertThat(runs()).hasSize(1);
    did(core.handled(runs().get(0).id(), List.of(done("a0")), SECOND));
    assertThat(runs()).hasSize(2);
    assertThat(runs().get(1).messages()).containsExactly("a0");
  }

  @Test
  void nothingIsHandled_afterItsLeaseHasRunOut() {
    core = core(1, false);
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 2), true, 0));
    did(core.extendFailed("lease-a", false, 30 * SECOND));
    did(core.handled(runs().get(0).id(), List.of(done("a0")), 61 * SECOND));

    assertThat(runs()).hasSize(1);
    assertThat(lost()).containsExactly("a1");
  }

  @Test
  void pollFailed_pausesLongerEachTime_andNeverStops() {
    did(core.wake(0));
    long now = 0;
    long lastPause = 0;
    for (int i = 0; i < 40; i++) {
      did(core.pollFailed(polls().get(i), now));
      long pause = core.nextWake() - now;
      assertThat(pause).isBetween(lastPause, 5 * SECOND);
      lastPause = pause;
      now = core.nextWake();
      did(core.wake(now));
      assertThat(polls()).hasSize(i + 2);
    }
    assertThat(lastPause).isEqualTo(5 * SECOND);
  }

  @Test
  void pollsThatFailTogether_countAsOneError() {
    did(core.wake(0));
    did(core.polled(polls().get(0), batch("a", 1), true, 0));
    did(core.pollFailed(polls().get(1), SECOND));
    did(core.pollFailed(polls().get(2), SECOND + 1));

    assertThat(core.nextWake()).isEqualTo(SECOND + 100_000_000L);
  }

  @Test
  void emptyAnswersThatDidNotWait_arePausedFor() {
    did(core.wake(0));
    did(core.polled(polls().get(0), List.of(), false, 0));

    assertThat(polls()).hasSize(1);
    assertThat(core.nextWake()).isEqualTo(100_000_000L);
  }

  @Test
  void wholeBatches_areOneRunPerLane() {
    core = core(4, true);
    did(core.wake(0));
    did(core.polled(polls().get(0), both(batch("a", 3), batch("b", 1)), true, 0));

    assertThat(runs())
        .extracting(Action.Run::messages)
        .containsExactly(List.of("a0", "a1", "a2"), List.of("b0"));
  }

  @Test
  void stop_releasesWhatWaits_andFinishesWhatRuns() {
    core = core(1, false);
    did(core.wake(0));
    did(core.polled(polls().get(0), both(batch("a", 3), batch("b", 2)), true, 0));
    did(core.stop(SECOND));

    assertThat(acks()).containsExactly(List.of(disposition("b0", Disposition.Status.RETRY)));
    assertThat(core.isStopped()).isFalse();
    did(core.acked(List.of(Outcome.HELD), SECOND));
    did(core.handled(runs().get(0).id(), List.of(done("a0")), SECOND));
    assertThat(acks().get(1))
        .containsExactly(done("a0"), disposition("a1", Disposition.Status.RETRY));
    assertThat(core.isStopped()).as("while acks are under way").isFalse();
    did(core.acked(List.of(Outcome.HELD, Outcome.HELD), SECOND));
    assertThat(core.isStopped()).isTrue();
  }

  @Test
  void stop_endsPollsThatWait_andReleasesWhatStillComes() {
    did(core.wake(0));
    did(core.stop(SECOND));
    did(core.wake(SECOND));

    assertThat(all(Action.EndPoll.class)).as("once").hasSize(1);
    assertThat(core.nextWake()).isEqualTo(Long.MAX_VALUE);
    assertThat(core.isStopped()).isFalse();
    did(core.polled(polls().get(0), batch("a", 2), true, SECOND));
    assertThat(runs()).isEmpty();
    assertThat(acks()).containsExactly(List.of(disposition("a0", Disposition.Status.RETRY)));
    did(core.acked(List.of(Outcome.HELD), SECOND));
    assertThat(core.isStopped()).isTrue();
  }

  @Test
  void stop_isOver_whenThePollThatItEndedFails() {
    did(core.wake(0));
    did(core.stop(SECOND));
    assertThat(core.isStopped()).isFalse();
    did(core.pollFailed(polls().get(0), SECOND));
    assertThat(core.isStopped()).isTrue();
  }

  private void did(List<Action<String>> more) {
    actions.addAll(more);
  }

  private List<Long> polls() {
    return actions.stream()
        .filter(Action.Poll.class::isInstance)
        .map(each -> ((Action.Poll<String>) each).id())
        .toList();
  }

  private List<Action.Run<String>> runs() {
    return actions.stream()
        .filter(Action.Run.class::isInstance)
        .map(each -> (Action.Run<String>) each)
        .toList();
  }

  private List<List<Action.Settled<String>>> acks() {
    return actions.stream()
        .filter(Action.Ack.class::isInstance)
        .map(each -> ((Action.Ack<String>) each).dispositions())
        .toList();
  }

  private List<String> lost() {
    return actions.stream()
        .filter(Action.Lost.class::isInstance)
        .flatMap(each -> ((Action.Lost<String>) each).messages().stream())
        .toList();
  }

  private <A> List<A> all(Class<A> type) {
    return actions.stream().filter(type::isInstance).map(type::cast).toList();
  }

  private static Action.Settled<String> done(String message) {
    return new Action.Settled<>(message, Disposition.completed());
  }

  private static Action.Settled<String> disposition(String message, Disposition.Status status) {
    return new Action.Settled<>(message, new Disposition(status, null));
  }

  private static List<Delivery<String>> batch(String lane, int messages) {
    return IntStream.range(0, messages)
        .mapToObj(i -> new Delivery<>(lane + i, lane, "lease-" + lane, LEASE))
        .toList();
  }

  private static <E> List<E> both(List<E> one, List<E> other) {
    List<E> both = new ArrayList<>(one);
    both.addAll(other);
    return both;
  }
}
