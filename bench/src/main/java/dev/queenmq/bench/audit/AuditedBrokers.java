package dev.queenmq.bench.audit;

import dev.queenmq.bench.broker.BrokerUrl;
import java.util.List;
import java.util.function.Predicate;

/**
 * Brokers of one PostgreSQL, any of which an audit may use. Safe for any thread.
 *
 * @param urls all of them, also those that are down
 * @param up whether the audit has not taken this one down
 * @param settling blocks until all are up and stay so
 */
public record AuditedBrokers(List<BrokerUrl> urls, Predicate<BrokerUrl> up, Runnable settling) {
  /** Brokers that stay up. */
  public static AuditedBrokers of(List<BrokerUrl> urls) {
    return new AuditedBrokers(List.copyOf(urls), url -> true, () -> {});
  }

  /** The same with a token for all of them. */
  public AuditedBrokers with(String token) {
    return new AuditedBrokers(
        urls.stream().map(url -> url.with(token)).toList(), url -> up.test(url.with("")), settling);
  }
}
