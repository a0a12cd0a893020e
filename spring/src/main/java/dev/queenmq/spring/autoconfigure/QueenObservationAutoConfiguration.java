package dev.queenmq.spring.autoconfigure;

import dev.queenmq.spring.QueenClientCustomizer;
import dev.queenmq.spring.observation.QueenObservations;
import dev.queenmq.spring.observation.TraceparentSource;
import dev.queenmq.spring.observation.TracerTraceparent;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Observations of pushes and handlers, if the application has a registry. */
@AutoConfiguration(
    before = QueenAutoConfiguration.class,
    // The same classes in Spring Boot 3 and 4.
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.observation.ObservationAutoConfiguration",
      "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.BraveAutoConfiguration",
      "org.springframework.boot.actuate.autoconfigure.tracing.OpenTelemetryTracingAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.brave.autoconfigure.BraveAutoConfiguration",
      "org.springframework.boot.micrometer.tracing.opentelemetry.autoconfigure.OpenTelemetryTracingAutoConfiguration"
    })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(ObservationRegistry.class)
public class QueenObservationAutoConfiguration {

  /** For Spring. */
  public QueenObservationAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  QueenObservations queenObservations(
      ObservationRegistry registry, ObjectProvider<TraceparentSource> traceparent) {
    return new QueenObservations(registry, traceparent.getIfAvailable(() -> () -> null));
  }

  @Bean
  QueenClientCustomizer queenObservationsCustomizer(QueenObservations observations) {
    return builder -> builder.tracing(observations);
  }

  /** The trace context that travels with messages. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(Tracer.class)
  @ConditionalOnBean(Tracer.class)
  static class WithTracer {

    @Bean
    @ConditionalOnMissingBean
    TraceparentSource queenTraceparentSource(Tracer tracer) {
      return new TracerTraceparent(tracer);
    }
  }
}
