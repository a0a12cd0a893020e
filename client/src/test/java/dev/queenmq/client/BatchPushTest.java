package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pushes of three requests with two items each. The test answers them. */
class BatchPushTest {
  private final List<List<Calls.Item>> sent = new ArrayList<>();
  private final List<CompletableFuture<List<PushResult>>> answers = new ArrayList<>();
  private int interruptAt = -1;
  private final BatchPush push =
      new BatchPush(
          items -> {
            sent.add(items);
            CompletableFuture<List<PushResult>> answer = new CompletableFuture<>();
            answers.add(answer);
            if (interruptAt >= 0) {
              if (sent.size() == interruptAt) {
                Thread.currentThread().interrupt();
              } else {
                answer.complete(stored(items));
              }
            }
            return answer;
          },
          IntStream.range(0, 3)
              .mapToObj(request -> List.of(item("a" + request), item("b" + request)))
              .toList());

  @AfterEach
  void stop() {
    assertThat(Thread.interrupted()).as("left over").isFalse();
  }

  private static Calls.Item item(String id) {
    byte[] payload = "1".getBytes(StandardCharsets.UTF_8);
    return Calls.Item.of("q", null, OutgoingMessage.of(1).withTransactionId(id), payload);
  }

  private static List<PushResult> stored(List<Calls.Item> items) {
    return items.stream()
        .map(
            item ->
                new PushResult(
                    PushResult.Status.QUEUED,
                    item.message().transactionId(),
                    "id-" + item.message().transactionId(),
                    null))
        .toList();
  }

  private void answer(int request) {
    answers.get(request).complete(stored(sent.get(request)));
  }

  private static List<String> told(List<PushResult> results) {
    return results.stream().map(each -> each.transactionId() + " " + each.status()).toList();
  }

  @Test
  void requests_followEachOther_andResultsHaveTheirOrder() {
    CompletableFuture<List<PushResult>> result = push.start();
    for (int request = 0; request < 3; request++) {
      assertThat(sent).hasSize(request + 1);
      assertThat(result).isNotDone();
      answer(request);
    }

    assertThat(told(result.join()))
        .containsExactly(
            "a0 QUEUED", "b0 QUEUED", "a1 QUEUED", "b1 QUEUED", "a2 QUEUED", "b2 QUEUED");
  }

  @Test
  void aFailureOfTheFirstRequest_failsAll() {
    CompletableFuture<List<PushResult>> result = push.start();
    answers.get(0).completeExceptionally(new UnavailableException("away", false, null));

    assertThatThrownBy(result::join).hasCauseInstanceOf(UnavailableException.class);
    assertThat(sent).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"UNKNOWN, true", "UNSENT, false"})
  void aLaterRequestWithoutAnAnswer_isNotTakenForARefusal(
      PushResult.Status status, boolean mayHaveHappened) {
    CompletableFuture<List<PushResult>> result = push.start();
    answer(0);
    answers.get(1).completeExceptionally(new UnavailableException("away", mayHaveHappened, null));

    List<PushResult> known = result.join();
    assertThat(told(known))
        .containsExactly(
            "a0 QUEUED", "b0 QUEUED", "a1 " + status, "b1 " + status, "a2 UNSENT", "b2 UNSENT");
    assertThat(known.stream().map(PushResult::isAccepted))
        .containsExactly(true, true, false, false, false, false);
    UnavailableException thrown =
        catchThrowableOfType(UnavailableException.class, known.get(2)::orThrow);
    assertThat(thrown).hasMessage("away");
    assertThat(thrown.mayHaveHappened()).isEqualTo(mayHaveHappened);
    assertThatThrownBy(known.get(4)::orThrow)
        .isInstanceOf(UnavailableException.class)
        .hasMessage("not sent after a failure before it: away");
    assertThat(sent).hasSize(2);
  }

  @Test
  void aLaterRequestThatIsRefused_fails_andNothingOvertakesIt() {
    CompletableFuture<List<PushResult>> result = push.start();
    answer(0);
    answers.get(1).completeExceptionally(new RejectedException(400, "no such lane"));

    List<PushResult> known = result.join();
    assertThat(told(known))
        .containsExactly(
            "a0 QUEUED", "b0 QUEUED", "a1 FAILED", "b1 FAILED", "a2 UNSENT", "b2 UNSENT");
    assertThatThrownBy(known.get(2)::orThrow)
        .isInstanceOf(RejectedException.class)
        .hasMessage("no such lane");
  }

  @Test
  void anInterruptAfterTheFirstRequest_saysWhatIsKnown() {
    interruptAt = 2;

    List<PushResult> known = push.startAndWait();

    assertThat(Thread.interrupted()).as("the thread is still interrupted").isTrue();
    assertThat(told(known))
        .containsExactly(
            "a0 QUEUED", "b0 QUEUED", "a1 UNKNOWN", "b1 UNKNOWN", "a2 UNSENT", "b2 UNSENT");
    assertThat(known.get(2).error()).isEqualTo("interrupted while waiting for the broker");
    assertThat(answers.get(1)).as("the request under way").isCancelled();
    assertThat(sent).hasSize(2);
  }

  @Test
  void anInterruptInTheFirstRequest_throws_andNothingMoreIsSent() {
    interruptAt = 1;

    UnavailableException thrown =
        catchThrowableOfType(UnavailableException.class, push::startAndWait);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(thrown).hasMessage("interrupted while waiting for the broker");
    assertThat(thrown.mayHaveHappened()).isTrue();
    assertThat(answers.get(0)).isCancelled();
    assertThat(sent).hasSize(1);
  }

  @Test
  void aPushThatIsCancelled_endsItsRequest_andSendsNothingMore() {
    CompletableFuture<List<PushResult>> result = push.start();
    answer(0);

    result.cancel(true);

    assertThat(answers.get(1)).isCancelled();
    assertThat(sent).hasSize(2);
  }
}
