package dev.queenmq.spring.observation;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.TraceContext;
import io.micrometer.tracing.Tracer;
import org.jspecify.annotations.Nullable;

/** Writes the current span of Micrometer Tracing as a W3C {@code traceparent}. */
public final class TracerTraceparent implements TraceparentSource {
  private static final int TRACE_ID = 32;

  private final Tracer tracer;

  /**
   * A source.
   *
   * @param tracer knows the current span
   */
  public TracerTraceparent(Tracer tracer) {
    this.tracer = tracer;
  }

  @Override
  public @Nullable String current() {
    Span span = tracer.currentSpan();
    if (span == null || span.isNoop()) {
      return null;
    }
    TraceContext context = span.context();
    String trace = context.traceId();
    // Some tracers have trace ids of 64 bits; the other half is zero.
    String padded = "0".repeat(Math.max(0, TRACE_ID - trace.length())) + trace;
    String sampled = Boolean.FALSE.equals(context.sampled()) ? "00" : "01";
    return "00-" + padded + "-" + context.spanId() + "-" + sampled;
  }
}
