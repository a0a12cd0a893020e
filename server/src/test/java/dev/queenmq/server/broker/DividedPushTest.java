package dev.queenmq.server.broker;

import static dev.queenmq.server.testing.Await.await;
import static dev.queenmq.server.testing.Await.failureOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.server.model.Message;
import dev.queenmq.server.model.Problem;
import dev.queenmq.server.model.PushOutcome;
import io.vertx.core.Future;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DividedPushTest {
  private static final UUID PARTITION = new UUID(0, 9);
  private final BrokerException overloaded =
      new BrokerException(BrokerException.Kind.OVERLOADED, "too much");
  private final BrokerException unavailable =
      new BrokerException(BrokerException.Kind.UNAVAILABLE, "gone");

  private final Map<Integer, Throwable> refusals = new HashMap<>();
  private final Map<Integer, List<String>> got = new HashMap<>();

  /** The owner of a message is the number in the name of its queue. */
  private Future<List<PushOutcome>> push(String... queues) {
    List<Message> messages =
        Stream.of(queues).map(queue -> Message.of(queue, "p", id(queue), queue, "1")).toList();
    return DividedPush.of(messages, message -> message.queue().charAt(0) - '0', this::part);
  }

  private Future<List<PushOutcome>> part(int owner, List<Message> messages) {
    got.put(owner, messages.stream().map(Message::queue).toList());
    Throwable refusal = refusals.get(owner);
    return refusal == null
        ? Future.succeededFuture(messages.stream().map(each -> queued(each.queue())).toList())
        : Future.failedFuture(refusal);
  }

  private static UUID id(String queue) {
    return UUID.nameUUIDFromBytes(queue.getBytes(StandardCharsets.UTF_8));
  }

  private static PushOutcome queued(String queue) {
    return new PushOutcome.Queued(id(queue), PARTITION, 0, Instant.EPOCH);
  }

  private static PushOutcome unanswered(String text) {
    return new PushOutcome.Unanswered(new Problem(text), false);
  }

  @Test
  void answers_comeInTheOrderOfTheRequest() {
    assertThat(await(push("2a", "1a", "2b", "1b")))
        .containsExactly(queued("2a"), queued("1a"), queued("2b"), queued("1b"));
    assertThat(got).isEqualTo(Map.of(1, List.of("1a", "1b"), 2, List.of("2a", "2b")));
  }

  @Test
  void refusedPart_isAnsweredSo_andTheOthersAsStored() {
    refusals.put(1, overloaded);

    assertThat(await(push("2a", "1a", "3a", "1b")))
        .containsExactly(
            queued("2a"), unanswered("too much"), queued("3a"), unanswered("too much"));
  }

  @Test
  void defect_isNotTold() {
    refusals.put(1, new IllegalStateException("secret"));

    assertThat(await(push("1a", "2a"))).containsExactly(unanswered("Internal error"), queued("2a"));
  }

  @Test
  void allPartsRefused_failThePush_withTheLeastPromise() {
    refusals.put(1, overloaded);
    refusals.put(2, unavailable);

    assertThat(failureOf(push("1a", "2a"))).isSameAs(unavailable);
    assertThat(failureOf(push("2a", "1a"))).isSameAs(unavailable);
  }
}
