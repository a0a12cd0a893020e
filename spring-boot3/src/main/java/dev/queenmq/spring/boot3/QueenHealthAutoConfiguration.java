package dev.queenmq.spring.boot3;

import dev.queenmq.client.QueenClient;
import dev.queenmq.spring.autoconfigure.BrokerHealth;
import dev.queenmq.spring.autoconfigure.QueenAutoConfiguration;
import dev.queenmq.spring.autoconfigure.QueenProperties;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The health of brokers, if the application shows its own. */
@AutoConfiguration(after = QueenAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBean(QueenClient.class)
@ConditionalOnEnabledHealthIndicator("queen")
public class QueenHealthAutoConfiguration {

  /** For Spring. */
  public QueenHealthAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean(name = {"queenHealthIndicator", "queenHealthContributor"})
  QueenHealthIndicator queenHealthIndicator(QueenClient client, QueenProperties properties) {
    return new QueenHealthIndicator(new BrokerHealth(client, properties.health().timeout()));
  }
}
