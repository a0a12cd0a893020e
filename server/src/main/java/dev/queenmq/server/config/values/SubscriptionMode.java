package dev.queenmq.server.config.values;

/** Where a consumer group starts by default in a queue that it reads for the first time. */
public enum SubscriptionMode {
  /** At the oldest message that is stored. */
  ALL,
  /** At what comes from now on. */
  NEW
}
