package dev.queenmq.spring.autoconfigure;

import dev.queenmq.client.QueenClient;
import dev.queenmq.client.RetryPolicy;
import dev.queenmq.spring.PushObserver;
import dev.queenmq.spring.QueenClientCustomizer;
import dev.queenmq.spring.QueenTemplate;
import dev.queenmq.spring.listener.ListenerSettings;
import dev.queenmq.spring.listener.QueenListenerPostProcessor;
import dev.queenmq.spring.listener.QueenListenerRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;

/** The client, the template, and listeners. */
@AutoConfiguration(afterName = "org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration")
@EnableConfigurationProperties(QueenProperties.class)
public class QueenAutoConfiguration {

  /** For Spring. */
  public QueenAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  QueenConnectionDetails queenConnectionDetails(
      QueenProperties properties, ObjectProvider<SslBundles> bundles) {
    String bundle = properties.ssl().bundle();
    return new PropertiesConnectionDetails(
        properties.urls(),
        properties.token(),
        bundle == null ? null : bundles.getObject().getBundle(bundle));
  }

  @Bean(destroyMethod = "close")
  @ConditionalOnMissingBean
  QueenClient queenClient(
      QueenProperties properties,
      QueenConnectionDetails connection,
      ObjectProvider<QueenClientCustomizer> customizers) {
    QueenProperties.Retry retry = properties.retry();
    QueenClient.Builder builder =
        QueenClient.builder()
            .urls(connection.urls())
            .routing(properties.routing())
            .connectTimeout(properties.connectTimeout())
            .requestTimeout(properties.requestTimeout())
            .restAfterFailure(properties.restAfterFailure())
            .retry(new RetryPolicy(retry.giveUpAfter(), retry.firstDelay(), retry.maxDelay()))
            .pushLimits(
                properties.push().maxMessages(),
                Math.toIntExact(properties.push().maxSize().toBytes()));
    properties.headers().forEach(builder::header);
    String token = connection.token();
    if (token != null) {
      builder.token(() -> token);
    }
    if (connection.sslBundle() != null) {
      builder.sslContext(connection.sslBundle().createSslContext());
    }
    customizers.orderedStream().forEach(customizer -> customizer.customize(builder));
    return builder.build();
  }

  @Bean
  @ConditionalOnMissingBean
  QueenTemplate queenTemplate(QueenClient client, ObjectProvider<PushObserver> observer) {
    PushObserver observing = observer.getIfUnique();
    return observing == null ? new QueenTemplate(client) : new QueenTemplate(client, observing);
  }

  @Bean
  @ConditionalOnMissingBean
  QueenListenerRegistry queenListenerRegistry(
      ObjectProvider<QueenClient> client, QueenProperties properties) {
    return new QueenListenerRegistry(client::getObject, properties.listener().shutdownTimeout());
  }

  // Static, because beans that process others are made before this configuration.
  @Bean
  static QueenListenerPostProcessor queenListenerPostProcessor(
      ConfigurableListableBeanFactory beans,
      ObjectProvider<QueenListenerRegistry> registry,
      ObjectProvider<QueenProperties> properties) {
    return new QueenListenerPostProcessor(
        beans, registry::getObject, () -> defaults(properties.getObject().listener()));
  }

  private static ListenerSettings defaults(QueenProperties.Listener listener) {
    return new ListenerSettings(
        listener.group(),
        listener.concurrency(),
        listener.batch(),
        listener.partitionsPerPop(),
        listener.startAt(),
        listener.longPoll(),
        listener.renewLeasesFor(),
        listener.backOff().first(),
        listener.backOff().longest(),
        listener.autoStartup());
  }
}
