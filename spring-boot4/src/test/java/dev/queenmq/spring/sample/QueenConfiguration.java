package dev.queenmq.spring.sample;

import dev.queenmq.spring.QueenClientCustomizer;
import dev.queenmq.spring.QueenErrorHandler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the properties cannot say. */
@Configuration(proxyBeanMethods = false)
class QueenConfiguration {

  @Bean
  QueenErrorHandler errorHandler() {
    return failure ->
        failure.error() instanceof IllegalArgumentException
            ? QueenErrorHandler.Decision.DEAD_LETTER
            : QueenErrorHandler.Decision.FAIL;
  }

  @Bean
  QueenClientCustomizer team() {
    return builder -> builder.header("X-Team", "kitchen");
  }
}
