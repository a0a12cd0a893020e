package dev.queenmq.client;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Connects the client with a tracer such as OpenTelemetry, without depending on it.
 *
 * <p>When a message is pushed, the client asks for the {@link #current} trace context and sends it
 * along. When a consumer handles a message it calls {@link #handling}, and {@link
 * Message#traceparent()} is what the producer sent. With transaction ids of your own only the trace
 * id travels ({@link Message#traceId()}), because the protocol has no other place for the span.
 */
public interface Tracing {

  /**
   * The trace context of the calling thread.
   *
   * @return a W3C {@code traceparent}, null if there is none
   */
  @Nullable String current();

  /**
   * A handler is about to be called on this thread; begin a span.
   *
   * @param messages what it handles, one or more of one partition
   * @return is closed on the same thread when the handler has returned
   */
  Span handling(List<? extends Message<?>> messages);

  /** A span around a handler. */
  interface Span extends AutoCloseable {
    /**
     * The handler failed; called before {@link #close}.
     *
     * @param error what it threw
     */
    void failed(Throwable error);

    /** The handler has returned. */
    @Override
    void close();
  }
}
