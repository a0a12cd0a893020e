package dev.queenmq.server.sidecar.lane;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.broker.BrokerException;
import dev.queenmq.server.model.StoreException;
import dev.queenmq.server.sidecar.figures.OperationStatistics;
import dev.queenmq.server.store.StoreFailures;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** One lane, a store that answers when the test says so, and timers that the test lets run out. */
class LaneTest {
  private static final int MAX_ITEMS = 4;
  private static final long MAX_BYTES = 100;
  private static final int ATTEMPTS = 3;
  private static final long LATE_MILLIS = 250;

  private record Timer(long millis, Runnable task) {}

  private final FakeStore store = new FakeStore();
  private final Deque<Timer> timers = new ArrayDeque<>();
  private final OperationStatistics statistics = new OperationStatistics("test");
  private int databaseErrors;
  private boolean held;
  // The place of an item is its first letter.
  private final Lane<String, String> lane =
      new Lane<String, String>(
              new Lane.Rules("test", MAX_ITEMS, MAX_BYTES, 1, ATTEMPTS),
              item -> item.charAt(0),
              store::call,
              new Lane.Carrier() {
                @Override
                public void later(long millis, Runnable attempt) {
                  timers.add(new Timer(millis, attempt));
                }

                @Override
                public void arrived() {
                  changed();
                }

                @Override
                public void changed() {
                  pump();
                }

                @Override
                public long nanos() {
                  return System.nanoTime();
                }

                @Override
                public void databaseError() {
                  databaseErrors++;
                }
              },
              statistics)
          .ambiguousWhen(answer -> answer.startsWith("X"));

  private void pump() {
    while (!held && lane.sendable()) {
      lane.send();
    }
  }

  private Future<List<String>> add(String... items) {
    return lane.add(List.of(items), items.length);
  }

  /** Requests of one item each that go in one call. */
  private List<Future<List<String>>> together(String... items) {
    held = true;
    List<Future<List<String>>> answers = new ArrayList<>();
    for (String item : items) {
      answers.add(add(item));
    }
    held = false;
    pump();
    return answers;
  }

  /** Lets the timer run out that was set first. */
  private void nextTimer(long millis) {
    Timer timer = timers.remove();
    assertThat(timer.millis()).isEqualTo(millis);
    timer.task().run();
  }

  /** Makes the calls under way late. */
  private void timePasses() throws InterruptedException {
    Thread.sleep(LATE_MILLIS + 10);
    nextTimer(LATE_MILLIS);
  }

  @Test
  void request_goesAtOnce_whileNothingIsUnderWay() {
    Future<List<String>> answer = add("a1", "a2");

    assertThat(store.calls()).containsExactly(List.of("a1", "a2"));
    assertThat(answer.isComplete()).isFalse();
    store.answer(0);
    assertThat(await(answer)).containsExactly("A1", "A2");
    assertThat(lane.idle()).isTrue();
  }

  @Test
  void requests_thatCameMeanwhile_goTogether_andAnswersAreSplit() {
    add("a0");
    Future<List<String>> first = add("a1");
    Future<List<String>> second = add("b1", "b2");
    Future<List<String>> third = add("c1");

    store.answer(0);

    assertThat(store.calls()).containsExactly(List.of("a0"), List.of("a1", "b1", "b2", "c1"));
    store.answer(1);
    assertThat(await(first)).containsExactly("A1");
    assertThat(await(second)).containsExactly("B1", "B2");
    assertThat(await(third)).containsExactly("C1");
  }

  @Test
  void call_carriesNoMoreItemsThanAllowed_butOneRequestInAnyCase() {
    add("a0");
    add("a1", "a2", "a3");
    add("b1", "b2");
    add("c1", "c2", "c3", "c4", "c5");
    add("d1");
    for (int i = 0; i < 4; i++) {
      store.answer(i);
    }

    assertThat(store.calls().subList(1, 5))
        .containsExactly(
            List.of("a1", "a2", "a3"),
            List.of("b1", "b2"),
            List.of("c1", "c2", "c3", "c4", "c5"),
            List.of("d1"));
  }

  @Test
  void call_carriesNoMoreBytesThanAllowed_butOneRequestInAnyCase() {
    add("a0");
    lane.add(List.of("a1"), 60);
    lane.add(List.of("a2"), 40);
    lane.add(List.of("a3"), 1);
    lane.add(List.of("a4"), 101);
    for (int i = 0; i < 3; i++) {
      store.answer(i);
    }

    assertThat(store.calls())
        .containsExactly(List.of("a0"), List.of("a1", "a2"), List.of("a3"), List.of("a4"));
  }

  @Test
  void full_isALaneWithEnoughForOneCall() {
    held = true;
    add("a1", "a2", "a3");
    assertThat(lane.full()).isFalse();
    add("a4");
    assertThat(lane.full()).isTrue();
  }

  @Test
  void held_isWhatIsNotAnswered() {
    add("a1", "a2");
    lane.add(List.of("b1"), 50);
    assertThat(lane.heldItems()).isEqualTo(3);
    assertThat(lane.heldBytes()).isEqualTo(52);

    store.answer(0);
    assertThat(lane.heldItems()).isEqualTo(1);
    store.fail(1, StoreException.Kind.INTERNAL);
    assertThat(lane.heldItems()).isZero();
    assertThat(lane.heldBytes()).isZero();
  }

  @Test
  void failingCall_isHalved_untilOnlyTheCulpritFails() {
    List<Future<List<String>>> answers = together("a1", "b1", "c1", "d1");

    for (int i = 0; i < store.calls().size(); i++) {
      if (store.calls().get(i).contains("c1")) {
        store.fail(i, StoreException.Kind.INTERNAL);
      } else {
        store.answer(i);
      }
    }

    assertThat(store.calls())
        .containsExactly(
            List.of("a1", "b1", "c1", "d1"),
            List.of("a1", "b1"),
            List.of("c1", "d1"),
            List.of("c1"),
            List.of("d1"));
    assertThat(await(answers.get(0))).containsExactly("A1");
    assertThat(await(answers.get(1))).containsExactly("B1");
    assertThat(await(answers.get(3))).containsExactly("D1");
    assertThat(failureOf(answers.get(2))).isInstanceOf(BrokerException.class);
    assertThat(databaseErrors).isEqualTo(3);
    assertThat(lane.idle()).isTrue();
    assertThat(statistics.figures().requests()).isEqualTo(4);
    assertThat(statistics.figures().failures()).isEqualTo(1);
    assertThat(statistics.figures().items()).isEqualTo(3);
    assertThat(statistics.figures().calls()).isEqualTo(5);
  }

  @Test
  void lockedCall_isCutByPlace() {
    together("a1", "b1", "a2");

    store.fail(0, StoreException.Kind.LOCKED);

    assertThat(store.calls().subList(1, 3)).containsExactly(List.of("a1", "a2"), List.of("b1"));
  }

  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "UNAVAILABLE"})
  void passingFault_isTriedAgain_withTheSameRequests(StoreException.Kind kind) {
    List<Future<List<String>>> answers = together("a1", "b1");

    store.fail(0, kind);
    assertThat(store.calls()).hasSize(1);
    add("c1");
    timers.removeIf(timer -> timer.millis() == LATE_MILLIS);
    nextTimer(20);
    store.fail(1, kind);
    nextTimer(40);
    store.answer(2);

    assertThat(store.calls().subList(0, 3)).allMatch(List.of("a1", "b1")::equals);
    assertThat(await(answers.get(0))).containsExactly("A1");
    assertThat(await(answers.get(1))).containsExactly("B1");
    assertThat(store.calls()).hasSize(4).endsWith(List.of("c1"));
  }

  @Test
  void answer_thatAnUnheardAttemptMayHaveCaused_isNotTold() {
    List<Future<List<String>>> answers = together("a1", "x1");

    store.fail(0, StoreException.Kind.UNAVAILABLE);
    nextTimer(20);
    store.answer(1);

    assertThat(await(answers.get(0))).containsExactly("A1");
    assertThat(failureOf(answers.get(1)))
        .isInstanceOfSatisfying(
            BrokerException.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(BrokerException.Kind.UNAVAILABLE));
    assertThat(lane.idle()).isTrue();
  }

  @Test
  void answer_thatAnUnheardAttemptMayHaveCaused_isNotTold_whenTheCallWasCut() {
    List<Future<List<String>>> answers = together("a1", "x1");

    store.fail(0, StoreException.Kind.UNAVAILABLE);
    nextTimer(20);
    store.fail(1, StoreException.Kind.LOCKED);
    store.answer(2);
    store.answer(3);

    assertThat(await(answers.get(0))).containsExactly("A1");
    assertThat(failureOf(answers.get(1)))
        .isInstanceOfSatisfying(
            BrokerException.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(BrokerException.Kind.UNAVAILABLE));
    assertThat(lane.idle()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"TIMEOUT", "LOCKED"})
  void answer_thatAPartOfACallMayHaveCaused_isNotTold(StoreException.Kind kind) {
    List<Future<List<String>>> answers = together("a1", "x1");

    store.fail(0, StoreFailures.of(kind).partly());
    store.answer(1);
    store.answer(2);

    assertThat(await(answers.get(0))).containsExactly("A1");
    assertThat(failureOf(answers.get(1))).isInstanceOf(BrokerException.class);
    assertThat(lane.idle()).isTrue();
  }

  @Test
  void answer_isTold_ifTheAttemptBeforeWasRolledBack() {
    Future<List<String>> answer = add("x1");

    store.fail(0, StoreException.Kind.CONFLICT);
    nextTimer(20);
    store.answer(1);

    assertThat(await(answer)).containsExactly("X1");
  }

  @ParameterizedTest
  @EnumSource(names = {"CONFLICT", "UNAVAILABLE"})
  void passingFault_isTriedNoMoreThanAllowed(StoreException.Kind kind) {
    List<Future<List<String>>> answers = together("a1", "b1");

    store.fail(0, kind);
    nextTimer(20);
    store.fail(1, kind);
    nextTimer(40);
    store.fail(2, kind);

    assertThat(store.calls()).hasSize(ATTEMPTS);
    for (Future<List<String>> answer : answers) {
      assertThat(failureOf(answer))
          .isInstanceOfSatisfying(
              BrokerException.class,
              refusal -> assertThat(refusal.kind()).isEqualTo(BrokerException.Kind.UNAVAILABLE));
    }
    assertThat(lane.idle()).isTrue();
  }

  @Test
  void defectInTheStore_failsTheRequest_withoutItsText() {
    Future<List<String>> answer = add("a1");

    store.fail(0, new IllegalStateException("secret"));

    assertThat(failureOf(answer)).isInstanceOf(BrokerException.class).hasMessage("Internal error");
  }

  @Test
  void lateCall_makesWay_exceptForItsPlaces_whichKeepTheirOrder() throws Exception {
    Future<List<String>> stuck = add("a1");
    Future<List<String>> behind = add("a2");
    Future<List<String>> mixed = add("a3", "c1");
    Future<List<String>> other = add("b1");
    Future<List<String>> behindMixed = add("c2");
    assertThat(store.calls()).hasSize(1);

    timePasses();

    // What shares a place with the late call waits, and so does what shares one with those.
    assertThat(store.calls()).containsExactly(List.of("a1"), List.of("b1"));
    store.answer(1);
    assertThat(await(other)).containsExactly("B1");
    Future<List<String>> stillBehind = add("a4");
    assertThat(store.calls()).hasSize(2);

    store.answer(0);

    assertThat(await(stuck)).containsExactly("A1");
    assertThat(store.calls().get(2)).containsExactly("a2", "a3", "c1", "c2");
    store.answer(2);
    assertThat(store.calls().get(3)).containsExactly("a4");
    store.answer(3);
    assertThat(await(behind)).containsExactly("A2");
    assertThat(await(mixed)).containsExactly("A3", "C1");
    assertThat(await(behindMixed)).containsExactly("C2");
    assertThat(await(stillBehind)).containsExactly("A4");
    assertThat(lane.idle()).isTrue();
  }

  @Test
  void callThatIsNotLate_doesNotMakeWay() {
    add("a1");
    add("b1");

    nextTimer(LATE_MILLIS);

    assertThat(store.calls()).containsExactly(List.of("a1"));
    assertThat(timers).hasSize(1);
  }
}
