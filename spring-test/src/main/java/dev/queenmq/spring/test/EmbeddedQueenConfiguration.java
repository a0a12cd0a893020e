package dev.queenmq.spring.test;

import dev.queenmq.spring.autoconfigure.QueenConnectionDetails;
import dev.queenmq.testkit.EmbeddedQueen;
import java.util.List;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * A broker for the context, and where it is. Also for running an application on your machine
 * without a broker: {@code
 * SpringApplication.from(App::main).with(EmbeddedQueenConfiguration.class)}.
 */
@Configuration(proxyBeanMethods = false)
public class EmbeddedQueenConfiguration {

  /** For Spring. */
  public EmbeddedQueenConfiguration() {}

  @Bean(destroyMethod = "close")
  EmbeddedQueen embeddedQueen() {
    return EmbeddedQueen.start();
  }

  @Bean
  QueenConnectionDetails embeddedQueenConnectionDetails(EmbeddedQueen queen) {
    List<String> urls = List.of(queen.url());
    return () -> urls;
  }
}
