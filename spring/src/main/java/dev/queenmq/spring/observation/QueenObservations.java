package dev.queenmq.spring.observation;

import dev.queenmq.client.Message;
import dev.queenmq.client.Tracing;
import dev.queenmq.spring.PushObserver;
import io.micrometer.common.KeyValues;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.Kind;
import io.micrometer.observation.transport.ReceiverContext;
import io.micrometer.observation.transport.SenderContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An observation around each handler of a consumer, {@code queen.process}, and around each push of
 * a template, {@code queen.send}. With a tracer they are spans, and the span of the handler is a
 * child of the span that pushed the message.
 *
 * <p>The client carries the trace context: it asks for the {@link #current} one when a message is
 * pushed. So nothing is injected into a {@code SenderContext}; its handler only makes the span.
 */
public final class QueenObservations implements Tracing, PushObserver {
  private static final String TRACEPARENT = "traceparent";

  private final ObservationRegistry registry;
  private final TraceparentSource traceparent;

  /**
   * Observations of one client.
   *
   * @param registry gets the observations
   * @param traceparent knows the trace context
   */
  public QueenObservations(ObservationRegistry registry, TraceparentSource traceparent) {
    this.registry = registry;
    this.traceparent = traceparent;
  }

  @Override
  public @Nullable String current() {
    return traceparent.current();
  }

  @Override
  public Span handling(List<? extends Message<?>> messages) {
    Message<?> first = messages.get(0);
    ReceiverContext<Message<?>> context =
        new ReceiverContext<>(QueenObservations::header, Kind.CONSUMER);
    context.setCarrier(first);
    Observation observation =
        Observation.createNotStarted("queen.process", () -> context, registry)
            .contextualName(first.queue() + " process")
            .lowCardinalityKeyValues(labels(first.queue()).and("queen.group", first.group()))
            .highCardinalityKeyValue("queen.partition", first.partition())
            .highCardinalityKeyValue("messaging.message.id", first.id())
            .highCardinalityKeyValue(
                "messaging.batch.message_count", Integer.toString(messages.size()))
            .start();
    Observation.Scope scope = observation.openScope();
    return new Span() {
      @Override
      public void failed(Throwable error) {
        observation.error(error);
      }

      @Override
      public void close() {
        scope.close();
        observation.stop();
      }
    };
  }

  private static @Nullable String header(Message<?> message, String name) {
    return TRACEPARENT.equalsIgnoreCase(name) ? message.traceparent().orElse(null) : null;
  }

  @Override
  public <R> CompletableFuture<R> observe(String queue, Supplier<CompletableFuture<R>> push) {
    SenderContext<Object> context =
        new SenderContext<>((carrier, name, value) -> {}, Kind.PRODUCER);
    context.setCarrier(queue);
    Observation observation =
        Observation.createNotStarted("queen.send", () -> context, registry)
            .contextualName(queue + " send")
            .lowCardinalityKeyValues(labels(queue))
            .start();
    CompletableFuture<R> result;
    Observation.Scope scope = observation.openScope();
    try {
      result = push.get();
    } catch (RuntimeException | Error e) {
      observation.error(e);
      observation.stop();
      throw e;
    } finally {
      scope.close();
    }
    return result.whenComplete(
        (value, failure) -> {
          if (failure != null) {
            observation.error(
                failure instanceof CompletionException && failure.getCause() != null
                    ? failure.getCause()
                    : failure);
          }
          observation.stop();
        });
  }

  private static KeyValues labels(String queue) {
    return KeyValues.of("messaging.system", "queen", "messaging.destination.name", queue);
  }
}
