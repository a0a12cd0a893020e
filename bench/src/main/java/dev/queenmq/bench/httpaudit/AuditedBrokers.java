package dev.queenmq.bench.httpaudit;

import dev.queenmq.bench.broker.BrokerUrl;
import java.util.List;

/** Brokers of one PostgreSQL, any of which an audit may use. Safe for any thread. */
public interface AuditedBrokers {

  /** All of them, also those that are down. */
  List<BrokerUrl> urls();

  /** Whether nobody has taken this one down. */
  boolean isUp(BrokerUrl url);

  /** Blocks until all are up and stay so. */
  void settle();

  /** Brokers that nobody takes down. */
  static AuditedBrokers of(List<BrokerUrl> urls) {
    List<BrokerUrl> all = List.copyOf(urls);
    return new AuditedBrokers() {
      @Override
      public List<BrokerUrl> urls() {
        return all;
      }

      @Override
      public boolean isUp(BrokerUrl url) {
        return true;
      }

      @Override
      public void settle() {
        // Always.
      }
    };
  }
}
