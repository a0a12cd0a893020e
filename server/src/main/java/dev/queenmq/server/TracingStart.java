package dev.queenmq.server;

import dev.queenmq.server.broker.CallTracing;
import dev.queenmq.server.broker.RequestTracing;
import dev.queenmq.server.config.TracingConfig;
import dev.queenmq.server.tracing.Tracing;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Starts tracing. Nothing else of the wiring names the package of it, so that its classes are
 * loaded only if this is called.
 */
final class TracingStart {
  private static final Duration LAST_SPANS = Duration.ofSeconds(2);

  /** What it gives to others. */
  record Started(RequestTracing requests, CallTracing calls) {}

  private TracingStart() {}

  static Started run(
      TracingConfig config,
      String version,
      Resources resources,
      InstantSource clock,
      LongSupplier nanoTime) {
    Tracing tracing = Tracing.start(config, version, clock, nanoTime);
    resources.add(LAST_SPANS, tracing::close);
    return new Started(tracing.requests(), tracing.calls());
  }
}
