package dev.queenmq.server.tracing;

import dev.queenmq.server.broker.Broker;
import dev.queenmq.server.broker.RequestTrace;
import dev.queenmq.server.model.Message;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The span of a request. Whose trace it is of is known late: a client that sends no header may have
 * written the trace into its messages, and these have to be read first.
 */
final class RequestSpan implements RequestTrace {
  private static final int SERVER_ERROR = 500;

  /** Spans for single messages of one push; messages beyond it are linked by trace id alone. */
  private static final int MOST_CREATED = 128;

  private final Tracer tracer;
  private final String operation;
  private final Optional<SpanContext> caller;
  private final Moment start;
  private final List<Span> created = new ArrayList<>();
  private Optional<Span> span = Optional.empty();
  private boolean decided;
  private boolean over;
  private boolean empty;

  RequestSpan(Tracer tracer, String operation, Optional<SpanContext> caller, Moment start) {
    this.tracer = tracer;
    this.operation = operation;
    this.caller = caller;
    this.start = start;
  }

  @Override
  public List<Message> pushing(List<Message> messages) {
    Optional<SpanContext> producer =
        messages.stream().flatMap(message -> produced(message).stream()).findFirst();
    @Nullable Span own = decide(producer).orElse(null);
    if (own == null) {
      return messages;
    }
    UUID trace = own.context().traceUuid();
    List<Message> carrying = new ArrayList<>(messages.size());
    for (Message message : messages) {
      Message carried = message.traceId() == null ? message.withTrace(trace) : message;
      Optional<SpanContext> linked = produced(carried);
      linked.ifPresent(own::link);
      if (linked.isEmpty() && trace.equals(carried.traceId())) {
        create(carried, own);
      }
      carrying.add(carried);
    }
    return carrying;
  }

  @Override
  public Broker through(Broker broker) {
    return decide(Optional.empty())
        .<Broker>map(own -> new TracedBroker(broker, tracer, this, own))
        .orElse(broker);
  }

  @Override
  public void answered(int status) {
    end(
        decide(Optional.empty()),
        own -> {
          own.put("http.response.status_code", status);
          if (status >= SERVER_ERROR) {
            own.failed(Integer.toString(status));
          }
        });
  }

  @Override
  public void abandoned() {
    end(span, own -> own.failed("abandoned"));
  }

  /** What it asked for was not there. */
  void foundNothing() {
    empty = true;
  }

  private void end(Optional<Span> ending, Consumer<Span> last) {
    if (over) {
      return;
    }
    over = true;
    ending.ifPresent(
        own -> {
          last.accept(own);
          // Consumers ask all day long. Who wants to see that says so with a header.
          if (!empty || caller.isPresent()) {
            created.forEach(tracer::end);
            tracer.end(own);
          }
        });
  }

  /** Keeps the span or not: once, with the parent that is known by then. */
  private Optional<Span> decide(Optional<SpanContext> producer) {
    if (!decided) {
      decided = true;
      span = tracer.start(operation, caller.or(() -> producer), start);
      span.ifPresent(
          own -> {
            own.put("messaging.system", "queen");
            own.put("messaging.operation.name", operation);
          });
    }
    return span;
  }

  private void create(Message message, Span own) {
    if (created.size() == MOST_CREATED) {
      return;
    }
    SpanContext context =
        new SpanContext(
            own.context().traceHigh(),
            own.context().traceLow(),
            message.id().getLeastSignificantBits(),
            true);
    Span one =
        new Span(
            context,
            Optional.of(own.context()),
            Span.Kind.PRODUCER,
            "create " + message.queue(),
            start);
    one.put("messaging.system", "queen");
    one.put("messaging.operation.name", "create");
    one.put("messaging.destination.name", message.queue());
    one.put("messaging.destination.partition.id", message.partition());
    one.put("messaging.message.id", message.id().toString());
    created.add(one);
  }

  private static Optional<SpanContext> produced(Message message) {
    return SpanContext.ofProducer(message.traceId(), message.transactionId());
  }
}
