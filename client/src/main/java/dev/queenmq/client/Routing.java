package dev.queenmq.client;

/** How a client with several URLs chooses the broker for a request. All work with all brokers. */
public enum Routing {
  /**
   * Requests for the same queue, partition and group go to the same broker, by consistent hashing.
   * The broker then has what it needs in memory. The default.
   */
  AFFINITY,
  /** Each request goes to the next broker. */
  ROUND_ROBIN,
  /** All requests go to one broker, until it fails; then to another. */
  SESSION
}
