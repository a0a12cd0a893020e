package dev.queenmq.client.opentelemetry;

import dev.queenmq.client.Message;
import dev.queenmq.client.Tracing;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Connects a client with OpenTelemetry.
 *
 * <pre>{@code
 * QueenClient.builder().url(url).tracing(new QueenTracing(openTelemetry)).build();
 * }</pre>
 *
 * <p>The span that is current when a message is pushed travels with it. Each call of a handler is a
 * span {@code process QUEUE} of kind consumer, current on the handler's thread: a child of that
 * span for a single message, linked to the spans of all messages for a batch. Names and attributes
 * follow the semantic conventions for messaging.
 */
public final class QueenTracing implements Tracing {
  private static final String PROCESS = "process";
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  private static final AttributeKey<String> OPERATION_TYPE =
      AttributeKey.stringKey("messaging.operation.type");
  private static final AttributeKey<String> OPERATION_NAME =
      AttributeKey.stringKey("messaging.operation.name");
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.name");
  private static final AttributeKey<String> PARTITION =
      AttributeKey.stringKey("messaging.destination.partition.id");
  private static final AttributeKey<String> GROUP =
      AttributeKey.stringKey("messaging.consumer.group.name");
  private static final AttributeKey<String> MESSAGE_ID =
      AttributeKey.stringKey("messaging.message.id");
  private static final AttributeKey<String> CONVERSATION =
      AttributeKey.stringKey("messaging.message.conversation_id");
  private static final AttributeKey<Long> BATCH =
      AttributeKey.longKey("messaging.batch.message_count");
  private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");

  private static final Pattern TRACEPARENT =
      Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

  private final Tracer tracer;

  /**
   * Spans of a tracer named {@code dev.queenmq.client}.
   *
   * @param openTelemetry yours
   */
  public QueenTracing(OpenTelemetry openTelemetry) {
    tracer = openTelemetry.getTracer("dev.queenmq.client");
  }

  @Override
  public @Nullable String current() {
    SpanContext current = io.opentelemetry.api.trace.Span.current().getSpanContext();
    return current.isValid()
        ? "00-%s-%s-%s"
            .formatted(current.getTraceId(), current.getSpanId(), current.getTraceFlags().asHex())
        : null;
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // The client closes it, on the same thread.
  public Span handling(List<? extends Message<?>> messages) {
    Message<?> first = messages.get(0);
    SpanBuilder builder =
        tracer
            .spanBuilder(PROCESS + " " + first.queue())
            .setSpanKind(SpanKind.CONSUMER)
            .setAttribute(SYSTEM, "queenmq")
            .setAttribute(OPERATION_TYPE, PROCESS)
            .setAttribute(OPERATION_NAME, PROCESS)
            .setAttribute(DESTINATION, first.queue())
            .setAttribute(PARTITION, first.partition())
            .setAttribute(GROUP, first.group());
    if (messages.size() == 1) {
      builder.setAttribute(MESSAGE_ID, first.id());
      first.traceId().ifPresent(id -> builder.setAttribute(CONVERSATION, id.toString()));
      producer(first)
          .ifPresent(
              context ->
                  builder.setParent(
                      Context.current().with(io.opentelemetry.api.trace.Span.wrap(context))));
    } else {
      builder.setAttribute(BATCH, (long) messages.size());
      messages.forEach(message -> producer(message).ifPresent(builder::addLink));
    }
    io.opentelemetry.api.trace.Span span = builder.startSpan();
    return new Handled(span, span.makeCurrent());
  }

  private static Optional<SpanContext> producer(Message<?> message) {
    return message
        .traceparent()
        .map(TRACEPARENT::matcher)
        .filter(Matcher::matches)
        .map(
            parts ->
                SpanContext.createFromRemoteParent(
                    parts.group(1),
                    parts.group(2),
                    TraceFlags.fromHex(parts.group(3), 0),
                    TraceState.getDefault()))
        .filter(SpanContext::isValid);
  }

  private record Handled(io.opentelemetry.api.trace.Span span, Scope scope) implements Span {
    @Override
    public void failed(Throwable error) {
      span.recordException(error);
      span.setStatus(StatusCode.ERROR);
      span.setAttribute(ERROR_TYPE, error.getClass().getName());
    }

    @Override
    public void close() {
      scope.close();
      span.end();
    }
  }
}
