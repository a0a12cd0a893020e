package dev.queenmq.spring.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.queenmq.client.DeadLetter;
import dev.queenmq.client.OutgoingMessage;
import dev.queenmq.client.QueenClient;
import dev.queenmq.client.admin.queues.QueueOptions;
import dev.queenmq.spring.QueenTemplate;
import dev.queenmq.spring.it.Listeners.Note;
import dev.queenmq.spring.listener.QueenListenerRegistry;
import dev.queenmq.spring.test.ImportEmbeddedQueen;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.test.simple.SimpleTracer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Listeners against a real broker, in one application. */
@SpringBootTest(
    classes = ListenerIT.App.class,
    webEnvironment = SpringBootTest.WebEnvironment.NONE,
    properties = {"test.prefix=some-", "test.lanes=" + Listeners.LANES, "queen.listener.group=g"})
@ImportEmbeddedQueen
class ListenerIT {
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Autowired Listeners listeners;
  @Autowired QueenTemplate queen;
  @Autowired QueenClient client;
  @Autowired QueenListenerRegistry registry;
  @Autowired MeterRegistry meters;
  @Autowired Tracer tracer;
  @Autowired Received received;

  @SpringBootConfiguration
  @EnableAutoConfiguration
  @Import(Listeners.class)
  static class App {

    @Bean
    SimpleTracer tracer() {
      return new SimpleTracer();
    }

    @Bean
    Received received() {
      return new Received();
    }
  }

  /** The trace contexts that a tracer would find. */
  static final class Received implements ObservationHandler<ReceiverContext<Object>> {
    final List<String> traceparents = new CopyOnWriteArrayList<>();

    @Override
    public void onStart(ReceiverContext<Object> context) {
      Object carrier = Objects.requireNonNull(context.getCarrier());
      String traceparent = context.getGetter().get(carrier, "traceparent");
      traceparents.add(traceparent == null ? "none" : traceparent);
    }

    @Override
    public boolean supportsContext(Observation.Context context) {
      return context instanceof ReceiverContext;
    }
  }

  @Test
  void lanes_areHandledAtTheSameTime_eachInItsOrder() {
    List<Integer> numbers = IntStream.range(0, 30).boxed().toList();
    for (int lane = 0; lane < Listeners.LANES; lane++) {
      queen.sendAll("some-lanes", "lane-" + lane, numbers.stream().map(n -> note(n, "")).toList());
    }

    await(
        () ->
            listeners.lanes.size() == Listeners.LANES
                && listeners.lanes.values().stream().allMatch(got -> got.size() == 30));
    assertThat(listeners.lanes.values()).allMatch(numbers::equals);
    // From the properties, because the annotation names no group.
    assertThat(
            meters.get("queen.client.received").tags("queue", "some-lanes", "group", "g").counter())
        .isNotNull();
    assertThat(
            meters
                .get("queen.send")
                .tag("messaging.destination.name", "some-lanes")
                .timer()
                .count())
        .isEqualTo(Listeners.LANES);
  }

  @Test
  void aFailingMessage_isTriedAgain_thenDead_andTheLaneGoesOn() {
    client.admin().queues().configure("failing", QueueOptions.builder().retryLimit(2).build());
    queen.sendAll("failing", "one", List.of(note(1, ""), note(2, "")));

    await(() -> letters("failing").size() == 1 && listeners.calls.contains("failing 2"));
    assertThat(calls("failing"))
        .containsExactly("failing 1", "failing 1", "failing 1", "failing 2");
    assertThat(letters("failing").get(0).error()).contains("IllegalStateException: never");
    assertThat(
            meters
                .get("queen.process")
                .tags("messaging.destination.name", "failing", "error", "IllegalStateException")
                .timer()
                .count())
        .isEqualTo(3);
  }

  @Test
  void aBatch_thatFails_comesAgainWithoutWhatWasSettled() {
    queen.sendAll("batches", "one", List.of(note(1, ""), note(2, ""), note(3, "")));
    assertThat(registry.isRunning("batches")).isFalse();
    registry.start("batches");

    await(() -> calls("batch").size() == 3);
    assertThat(registry.stop("batches")).isTrue();
    assertThat(registry.isRunning("batches")).isFalse();
    assertThat(calls("batch")).containsExactly("batch of 3", "batch of 2", "batch of 1");
  }

  @Test
  void aPayloadThatCannotBeRead_doesNotAffectTheOthersOfItsBatch() {
    queen.sendAll(
        "mixed",
        "one",
        List.of(note(1, ""), note(2, ""), "none", note(3, ""), "none", "none", note(4, "")));
    registry.start("mixed");

    await(() -> calls("mixed").size() == 3 && letters("mixed").size() == 3);
    assertThat(calls("mixed")).containsExactly("mixed [1, 2]", "mixed [3]", "mixed [4]");
    assertThat(letters("mixed"))
        .allMatch(letter -> String.valueOf(letter.error()).contains("PayloadException"));
    assertThat(listeners.failures)
        .filteredOn(failure -> failure.message().queue().equals("mixed"))
        .hasSize(3)
        .allMatch(failure -> failure.messages().size() == 1);
    assertThat(registry.stop("mixed")).isTrue();
  }

  @Test
  void aPayloadThatCannotBeRead_failsAlone() {
    client.admin().queues().configure("unreadable", QueueOptions.builder().retryLimit(1).build());
    queen.sendAll("unreadable", "one", List.of(note(1, ""), "none", note(2, ""), note(3, "")));
    registry.start("unreadable");

    await(() -> calls("unreadable").size() == 2 && letters("unreadable").size() == 1);
    assertThat(calls("unreadable")).containsExactly("unreadable [1]", "unreadable [2, 3]");
    assertThat(registry.stop("unreadable")).isTrue();
  }

  @Test
  void theErrorHandler_decides() {
    // A retry is no failure: with this limit, a failure would be a dead letter at once.
    client.admin().queues().configure("deciding", QueueOptions.builder().retryLimit(0).build());
    queen.sendAll(
        "deciding",
        "one",
        List.of(
            note(1, "RETRY"),
            note(2, "DEAD_LETTER"),
            note(3, "DISCARD"),
            "no note",
            note(4, "RETRY")));

    await(() -> calls("RETRY 4").size() == 2);
    assertThat(calls("RETRY 1")).hasSize(2);
    assertThat(calls("DEAD_LETTER")).hasSize(1);
    assertThat(calls("DISCARD")).hasSize(1);
    assertThat(letters("deciding"))
        .extracting(DeadLetter::error)
        .anyMatch(error -> String.valueOf(error).contains("DEAD_LETTER"))
        .anyMatch(error -> String.valueOf(error).contains("PayloadException"))
        .hasSize(2);
    assertThat(listeners.failures)
        .filteredOn(failure -> failure.message().queue().equals("deciding"))
        .allMatch(failure -> failure.listener().endsWith("Listeners.decides"));
  }

  @Test
  void aPromise_isWaitedFor() {
    queen.sendAll("promising", "one", List.of(note(1, ""), note(2, "DEAD_LETTER"), note(3, "")));

    await(() -> calls("promised 3").size() == 1 && letters("promising").size() == 1);
    assertThat(calls("promised")).containsExactly("promised 1", "promised 2", "promised 3");
  }

  @Test
  void theTrace_ofTheProducer_travelsWithTheMessage() {
    Span span = tracer.nextSpan().name("producer").start();
    String trace = span.context().traceId();
    Tracer.SpanInScope scope = tracer.withSpan(span);
    queen.send("traced", OutgoingMessage.of(note(1, "")));
    scope.close();
    span.end();
    queen.send("traced", note(2, ""));

    await(() -> listeners.traced.size() == 2);
    String traceparent = listeners.traced.get(0).traceparent().orElseThrow();
    // This tracer does not sample.
    assertThat(traceparent).startsWith("00-").contains(trace + "-").endsWith("-00");
    assertThat(listeners.traced.get(1).traceparent()).isEmpty();
    assertThat(received.traceparents).contains(traceparent, "none");
  }

  private static Note note(int number, String text) {
    return new Note(number, text);
  }

  private List<String> calls(String prefix) {
    return listeners.calls.stream().filter(call -> call.startsWith(prefix)).toList();
  }

  private List<DeadLetter> letters(String queue) {
    return client.queue(queue).group("g").dlq().list(10, 0).letters();
  }

  private static void await(Callable<Boolean> condition) {
    Awaitility.await().atMost(PATIENCE).until(condition);
  }
}
