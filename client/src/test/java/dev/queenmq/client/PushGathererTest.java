package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** When requests of pushes that meet began, on a clock that the test moves. */
@SuppressWarnings("FutureReturnValueIgnored") // What a push answers is read where it matters.
class PushGathererTest {
  private static final Duration LONGEST = Duration.ofSeconds(32);
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private record Sent(
      List<Calls.Item> items, long begun, CompletableFuture<List<PushResult>> answer) {
    List<String> ids() {
      return items.stream().map(item -> item.message().transactionId()).toList();
    }

    void answered() {
      answer.complete(
          ids().stream()
              .map(id -> new PushResult(PushResult.Status.QUEUED, id, null, null))
              .toList());
    }
  }

  private final ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
  private final List<Sent> sent = new ArrayList<>();
  private long now = 100 * SECOND;
  private final PushGatherer gatherer =
      new PushGatherer(
          (items, affinity, begun) -> {
            Sent request = new Sent(items, begun, new CompletableFuture<>());
            sent.add(request);
            return request.answer();
          },
          request -> CompletableFuture.failedFuture(new IllegalStateException("not used")),
          1_000,
          1 << 20,
          LONGEST,
          () -> now,
          timer,
          timer);

  @BeforeEach
  void keepBusy() {
    for (int i = 0; i < PushGatherer.MOST_REQUESTS; i++) {
      push("first-" + i);
    }
    assertThat(sent).hasSize(PushGatherer.MOST_REQUESTS).allMatch(each -> each.begun() == now);
  }

  @AfterEach
  void stop() {
    timer.shutdownNow();
  }

  private CompletableFuture<PushResult> push(String id) {
    byte[] payload = "1".getBytes(StandardCharsets.UTF_8);
    OutgoingMessage message = OutgoingMessage.of(1).withTransactionId(id);
    return gatherer.push(Calls.Item.of("q", null, message, payload), "a");
  }

  private Sent last() {
    return sent.get(sent.size() - 1);
  }

  @Test
  void aRequest_beganWithTheCallOfItsOldestPush() {
    long called = now;
    push("a");
    now += SECOND / 2;
    push("b");
    now += 20 * SECOND;

    sent.get(0).answered();

    assertThat(last().ids()).containsExactly("a", "b");
    assertThat(last().begun()).isEqualTo(called);
  }

  /** Else a push that was just called would give up with those that have waited for long. */
  @Test
  void pushes_whoseCallsAreFarApart_travelApart() {
    push("old");
    now += SECOND + 1;
    long called = now;
    push("young");
    push("younger");

    sent.get(0).answered();
    assertThat(last().ids()).containsExactly("old");
    sent.get(1).answered();
    assertThat(last().ids()).containsExactly("young", "younger");
    assertThat(last().begun()).isEqualTo(called);
  }

  @Test
  void halves_beganWithTheirOwnOldest() {
    push("a");
    now += SECOND / 2;
    long called = now;
    CompletableFuture<PushResult> b = push("b");

    sent.get(0).answered();
    last().answer().completeExceptionally(new RejectedException(400, "no"));
    last().answered();

    assertThat(last().ids()).containsExactly("b");
    assertThat(last().begun()).isEqualTo(called);
    last().answered();
    assertThat(b).isCompletedWithValueMatching(result -> result.transactionId().equals("b"));
  }
}
