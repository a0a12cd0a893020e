package dev.queenmq.server.sharedstate;

import java.time.Duration;

/**
 * Sizes and times of the shared state.
 *
 * @param serverId how this broker is called; what comes from that name is ignored
 * @param deadThreshold silence after which a broker is dead
 * @param refreshInterval how often the versions of all queues are read from the database
 * @param partitionMax partition ids that are cached
 * @param partitionTtl how long they are cached
 * @param leaseHintMax hints about leases that are kept
 * @param linger how long a queue counts as consumed after its last poll
 * @param tombstone how long late packets cannot bring back a deleted queue
 */
public record SharedStateOptions(
    String serverId,
    Duration deadThreshold,
    Duration refreshInterval,
    int partitionMax,
    Duration partitionTtl,
    int leaseHintMax,
    Duration linger,
    Duration tombstone) {

  /** The defaults of the settings. */
  public static SharedStateOptions defaults(String serverId) {
    return new SharedStateOptions(
        serverId,
        Duration.ofSeconds(5),
        Duration.ofMinutes(1),
        10_000,
        Duration.ofMinutes(5),
        10_000,
        Duration.ofSeconds(2),
        Duration.ofSeconds(10));
  }
}
