package dev.queenmq.spring.autoconfigure;

import dev.queenmq.client.micrometer.QueenMetrics;
import dev.queenmq.spring.QueenClientCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** Meters of the client, if the application has a registry. */
@AutoConfiguration(
    before = QueenAutoConfiguration.class,
    // The same class in Spring Boot 3 and 4.
    afterName = {
      "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
      "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
    })
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(MeterRegistry.class)
public class QueenMetricsAutoConfiguration {

  /** For Spring. */
  public QueenMetricsAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  QueenMetrics queenMetrics(MeterRegistry registry) {
    return new QueenMetrics(registry);
  }

  @Bean
  QueenClientCustomizer queenMetricsCustomizer(QueenMetrics metrics) {
    return builder -> builder.listener(metrics);
  }
}
