package dev.queenmq.server.tracing;

import dev.queenmq.server.broker.CallTracing;
import dev.queenmq.server.broker.RequestTracing;
import dev.queenmq.server.config.TracingConfig;
import io.vertx.core.Future;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Tracing that is on: a tracer, and the exporter behind it. */
public final class Tracing {
  private final SpanExporter exporter;
  private final Tracer tracer;

  private Tracing(SpanExporter exporter, Tracer tracer) {
    this.exporter = exporter;
    this.tracer = tracer;
  }

  /** Starts it. */
  public static Tracing start(
      TracingConfig config, String version, InstantSource clock, LongSupplier nanos) {
    SpanExporter exporter = new SpanExporter(config, version, nanos);
    exporter.start();
    return new Tracing(
        exporter,
        new Tracer(Sampler.named(config.sampler(), config.ratio()), clock, nanos, exporter::add));
  }

  /** Follows requests. */
  public RequestTracing requests() {
    return tracer;
  }

  /** Follows calls of the store. */
  public CallTracing calls() {
    return tracer;
  }

  /** Sends the last spans. */
  public Future<Void> close() {
    return Future.fromCompletionStage(exporter.close());
  }
}
