package dev.queenmq.testkit.internal;

import java.util.Map;

/** A PostgreSQL on which brokers can be started, each with a database of its own. */
public interface BrokerHost extends AutoCloseable {

  /**
   * Starts a broker on an empty database.
   *
   * @param settings of the broker, which win over those of the testkit
   */
  RunningBroker start(Map<String, String> settings);

  /** Stops the brokers, then PostgreSQL. */
  @Override
  void close();
}
